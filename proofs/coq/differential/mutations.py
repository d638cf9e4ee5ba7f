"""What becomes of a certificate when something in it is changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import TypeAlias, cast

Json: TypeAlias = "bool | str | list[Json] | dict[str, Json] | None"
Place: TypeAlias = "tuple[list[Json] | dict[str, Json], int | str]"

RULES = (
    *(
        "count_symmetric",
        "count_change_one",
        "sum_symmetric",
        "sum_change_one",
        "filter_symmetric",
        "filter_change_one",
    ),
    *(
        "filter_person",
        "row_map",
        "histogram_symmetric",
        "histogram_l2_symmetric",
        "histogram_l1_change_one",
        "laplace",
    ),
    *(
        "gaussian",
        "gaussian_vector",
        "chain",
        "compose_pure",
        "compose_approx",
        "group_pure",
        "parallel_symmetric_pure",
    ),
    *("change_one_to_symmetric", "l1_to_l2", "pure_to_approx", "nonsense"),
)


def places(x: Json) -> Iterator[Place]:
    """Every place in the tree."""
    inner: Iterator[tuple[int | str, Json]] = iter(())
    if isinstance(x, dict):
        inner = iter(x.items())
    elif isinstance(x, list):
        inner = iter(enumerate(x))
    for key, value in inner:
        yield cast("list[Json] | dict[str, Json]", x), key
        yield from places(value)


def at(place: Place) -> Json:
    holder, key = place
    return cast("dict[int | str, Json]", holder)[key]


def put(place: Place, value: Json) -> None:
    holder, key = place
    cast("dict[int | str, Json]", holder)[key] = value


def number(x: str) -> Fraction | None:
    try:
        return Fraction(x)
    except (ValueError, ZeroDivisionError):
        return None


def another_text(dice: Random, x: str) -> str:
    value = number(x)
    if value is None:
        return dice.choice(RULES) if x in RULES else dice.choice(("age", "region", "who", "", x + "x", "clip", "row"))
    billionth, little = Fraction(1, 10**9), Fraction(1, 10**16)
    near = (value * (1 - billionth), value * (1 + billionth), value * (1 + little))
    return str(dice.choice((value + 1, value - 1, *near, value * 2, value / 2, -value, Fraction(0), Fraction(10**40))))


def another_list(dice: Random, x: list[Json]) -> list[Json]:
    found = list(x)
    if not found:
        return ["age"]
    kind, i = dice.choice(("drop", "twice", "turn", "swap")), dice.randrange(len(found))
    if kind == "drop":
        del found[i]
    elif kind == "twice":
        found.insert(i, copy.deepcopy(found[i]))
    elif kind == "turn":
        found.reverse()
    else:
        found[i], found[0] = found[0], found[i]
    return found


def another(dice: Random, x: Json) -> Json:
    if isinstance(x, str):
        return another_text(dice, x)
    if isinstance(x, list):
        return another_list(dice, x)
    if isinstance(x, dict):
        kept = {name: value for name, value in x.items() if dice.random() < 0.8}
        return kept if dice.random() < 0.5 else {**x, "more": "1"}
    return dice.choice((None, True, False, "1"))


def changed(dice: Random, certificate: Json, others: Sequence[Json]) -> Json:
    """The certificate with one or two changes: of values, of the claim, or with a piece of another."""
    found = copy.deepcopy(certificate)
    for _ in range(dice.choice((1, 1, 2))):
        everywhere = list(places(found))
        kind = dice.random()
        if kind < 0.3:  # numbers are what bounds are made of
            numbers = [p for p in everywhere if isinstance(at(p), str) and number(cast(str, at(p))) is not None]
            place = dice.choice(numbers or everywhere)
            put(place, another(dice, at(place)))
        elif kind < 0.5:  # what stands at the same name elsewhere
            place = dice.choice(everywhere)
            alike = [at(p) for p in places(dice.choice(others)) if p[1] == place[1]]
            put(place, copy.deepcopy(dice.choice(alike)) if alike else another(dice, at(place)))
        else:
            place = dice.choice(everywhere)
            put(place, another(dice, at(place)))
    return found
