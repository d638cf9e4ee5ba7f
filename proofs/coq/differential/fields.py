"""What becomes of one field of a certificate when it is changed: of a number, a list, a metric, a row of figures."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Final, cast

from proofs.coq.differential.json_trees import Json, at, places, put

Change = Callable[[Random, Json], Json]

BILLIONTH, LITTLE = Fraction(1, 10**9), Fraction(1, 10**16)


def number(x: Json) -> Fraction | None:
    try:
        return Fraction(cast(str, x))
    except (TypeError, ValueError, ZeroDivisionError):
        return None


# ---- values ------------------------------------------------------------------------------------------------------------


def another_text(dice: Random, x: str) -> str:
    value = number(x)
    if value is None:
        return dice.choice(("age", "region", "who", "", x + "x", "clip", "row", "L1", "L2", "LInf"))
    near = value * (1 - BILLIONTH), value * (1 + BILLIONTH), value * (1 + LITTLE), value * 2, value / 2
    far = value + 1, value - 1, -value, Fraction(0), Fraction(1), 1 / value if value else value, Fraction(10**40)
    return str(dice.choice(near if dice.random() < 0.6 else far))


def another_list(dice: Random, x: list[Json]) -> list[Json]:
    found = list(x)
    if not found:
        return ["age"]
    kind, i = dice.choice(("drop", "twice", "turn", "swap", "one")), dice.randrange(len(found))
    if kind == "drop":
        del found[i]
    elif kind == "twice":
        found.insert(i, copy.deepcopy(found[i]))
    elif kind == "turn":
        found.reverse()
    elif kind == "swap":
        found[i], found[0] = found[0], found[i]
    else:
        found[i] = another(dice, found[i])
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


def inside(dice: Random, x: Json) -> Json:
    """The same with something in it changed, however deep."""
    found = copy.deepcopy(x)
    deeper = list(places(found))
    if not deeper or dice.random() < 0.3:
        return another(dice, found)
    place = dice.choice(deeper)
    put(place, another(dice, at(place)))
    return found


# ---- fields of which more is known -------------------------------------------------------------------------------------


def one_number(dice: Random, x: Json) -> Json:
    """One of the numbers in it, however deep."""
    found = copy.deepcopy(x)
    if isinstance(found, str):
        return another_text(dice, found)
    numbers = [place for place in places(found) if number(at(place)) is not None]
    if not numbers:
        return another(dice, found)
    place = dice.choice(numbers)
    put(place, another_text(dice, cast(str, at(place))))
    return found


def lower(dice: Random, x: Json) -> Json:
    """A number that is a little or much smaller."""
    value = number(x)
    return (
        another(dice, x) if value is None else str(value * dice.choice((1 - BILLIONTH, Fraction(1, 2), Fraction(1, 3))))
    )


def either(*changes: Change) -> Change:
    return lambda dice, x: dice.choice(changes)(dice, x)


def one_of(*values: Json) -> Change:
    return lambda dice, x: copy.deepcopy(dice.choice(values))


def of_a_row(dice: Random, x: Json) -> Json:
    """One of the rows longer, shorter or turned round."""
    rows = list(x) if isinstance(x, list) else []
    if not rows:
        return another(dice, x)
    i = dice.randrange(len(rows))
    rows[i] = another(dice, rows[i])
    return rows


def with_a_point(dice: Random, x: Json) -> Json:
    """One cut, or epsilon, more."""
    point = str(Fraction(dice.randint(0, 20), dice.choice((10, 20, 21))))
    return [*x, point] if isinstance(x, list) else [point]


def with_a_query(dice: Random, x: Json) -> Json:
    """One query more, of the same answer for every row, which may be more than a row can bring."""
    query: Json = {"op": "number", "value": dice.choice(("1/2", "1", "2", "-1"))}
    return [*x, query] if isinstance(x, list) else [query]


PLAIN: Final = ("Symmetric", "ChangeOne", "Discrete", "Absolute", "Edge", "Node", "L1", "L2", "LInf", "Range")
METRICS: Final[list[Json]] = [{"kind": f"{name}Distance"} for name in PLAIN]
PERSON: Final[Json] = {"kind": "PersonDistance", "person": "who"}
ROWS_OF_FIGURES: Final = either(one_number, one_number, of_a_row, another)
FIELDS: Final[Mapping[str, Change]] = {
    **dict.fromkeys(("joint", "losses", "points", "promised"), ROWS_OF_FIGURES),
    **dict.fromkeys(("epsilons", "alphas", "orders"), either(one_number, one_number, with_a_point, another)),
    **dict.fromkeys(("candidates", "bins", "keys", "answers", "choices", "names"), either(another, inside)),
    **dict.fromkeys(("source", "target", "within", "metric"), one_of(*METRICS, PERSON)),
    "queries": either(another, one_number, inside, with_a_query),
    **dict.fromkeys(("bound", "column"), either(lower, lower, another)),
    "norm": one_of("L1", "L2", "LInf", None),
    "at_most": either(one_of(None, "1/1000", "1/2"), lower),
}
"""By the name of a field; others have something in them changed."""


def changed(dice: Random, name: str, value: Json) -> Json:
    return FIELDS.get(name, inside)(dice, value)
