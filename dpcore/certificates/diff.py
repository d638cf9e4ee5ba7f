"""What changed between two certificates: the space, the derivation, what is assumed; and what that does to the claim.

Derivations are compared as trees: a step put in between moves those after it, and is one change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Final, cast, final

from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import Data, premises_of
from dpcore.certificates.encoding import Json

MANY = 1000
"""Of more premises that differ, each is compared with the one in its place."""


@final
@dataclass(frozen=True, slots=True)
class Change:
    """A value at a place that was another, or was not there, or is no more."""

    place: str
    was: Json
    now: Json
    rule: str = ""
    """Of a parameter, whose."""


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the claims in both certificates; None where it is not claimed."""

    name: str
    was: Fraction | None
    now: Fraction | None

    @property
    def ratio(self) -> Fraction | None:
        """How many times as large it has become; None where that says nothing."""
        return self.now / self.was if self.was and self.now is not None else None


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """Two certificates beside each other."""

    changes: tuple[Change, ...]
    incomparable: str | None
    """Why the claims cannot be compared, where they cannot."""
    figures: tuple[Figure, ...]
    claims: tuple[Json, Json]

    @property
    def equal(self) -> bool:
        return not self.changes


def difference(before: Certificate, after: Certificate) -> Difference:
    """What changed from the first certificate to the second."""
    old, new = before.data, after.data
    changes = [
        *_values("", {**old, "derivation": None, "claims": None}, {**new, "derivation": None, "claims": None}),
        *_trees("/derivation", cast(Data, old["derivation"]), cast(Data, new["derivation"])),
        *_values("/claims", old["claims"], new["claims"]),
    ]
    claims = [cast("list[Data]", data["claims"])[0] for data in (old, new)]
    why = _incomparable(old, new, *claims)
    return Difference(tuple(changes), why, () if why else tuple(_figures(*claims)), (claims[0], claims[1]))


# ---- what changed ------------------------------------------------------------------------------------------------------


REMARKS: Final = ("/assumptions", "/attention", "/evidence")


def _values(place: str, was: Json, now: Json) -> Iterator[Change]:
    """Field by field; a list, or a value of a kind of its own, as a whole, except where entries are remarks."""
    if isinstance(was, dict) and isinstance(now, dict) and was.get("kind") == now.get("kind"):
        for name in sorted({*was, *now}):
            yield from _values(f"{place}/{name}", was.get(name), now.get(name))
    elif isinstance(was, list) and isinstance(now, list) and place in REMARKS:
        yield from (Change(place, each, None) for each in was if each not in now)
        yield from (Change(place, None, each) for each in now if each not in was)
    elif was != now:
        yield Change(place, was, now)


def _trees(place: str, was: Data, now: Data) -> Iterator[Change]:
    if was == now:
        return
    if was["rule"] != now["rule"]:
        yield Change(place, {**was, "premises": []}, {**now, "premises": []})
    else:
        for side in ("parameters", "witness"):
            old, new = cast(Data, was[side]), cast(Data, now[side])
            for name in sorted({*old, *new}):
                if old.get(name) != new.get(name):
                    yield Change(f"{place}/{side}/{name}", old.get(name), new.get(name), cast(str, now["rule"]))
    for i, old_premise, new_premise in _aligned(premises_of(was), premises_of(now)):
        inner = f"{place}/premises/{i}"
        if old_premise is None or new_premise is None:
            yield Change(inner, cast(Json, old_premise), cast(Json, new_premise))
        else:
            yield from _trees(inner, old_premise, new_premise)


def _aligned(was: Sequence[Data], now: Sequence[Data]) -> Iterator[tuple[int, Data | None, Data | None]]:
    """Premises that belong together: equal ones, and between those the ones of the same rule, or in the same place."""
    texts = [[json.dumps(each, sort_keys=True) for each in premises] for premises in (was, now)]
    for i, j, k, m in _unequal(*texts):
        rules = [[cast(str, each["rule"]) for each in part] for part in (was[i:j], now[k:m])]
        at = (i, k)
        for i, j, k, m in _pairs(*rules):
            for n in range(max(j - i, m - k)):
                old = was[at[0] + i + n] if i + n < j else None
                new = now[at[1] + k + n] if k + n < m else None
                yield (at[0] + i + n if new is None else at[1] + k + n), old, new


def _unequal(was: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The ranges in which the two differ."""
    start = next((i for i, (x, y) in enumerate(zip(was, now, strict=False)) if x != y), min(len(was), len(now)))
    if max(len(was), len(now)) - start > MANY:
        yield start, len(was), start, len(now)
        return
    for tag, i, j, k, m in SequenceMatcher(None, was[start:], now[start:], autojunk=False).get_opcodes():
        if tag != "equal":
            yield start + i, start + j, start + k, start + m


def _pairs(was: Sequence[str], now: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Ranges to be paired entry by entry."""
    if max(len(was), len(now)) > MANY:
        yield 0, len(was), 0, len(now)
        return
    for _, i, j, k, m in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        yield i, j, k, m


# ---- what it does to the claim -----------------------------------------------------------------------------------------


def _incomparable(old: Data, new: Data, was: Data, now: Data) -> str | None:
    spaces = [cast(Data, data["space"]) for data in (old, new)]
    if spaces[0]["metric"] != spaces[1]["metric"]:
        return "the neighbours are others"
    if was["d_in"] != now["d_in"]:
        return f"the distances are {was['d_in']} and {now['d_in']}"
    if was["measure"] != now["measure"]:
        return f"the measures are {was['measure']} and {now['measure']}"
    return None


def _figures(was: Data, now: Data) -> Iterator[Figure]:
    old, new = _by_name(cast(Data, was["loss"])), _by_name(cast(Data, now["loss"]))
    for name in {**old, **new}:
        yield Figure(name, _number(old.get(name)), _number(new.get(name)))


def _by_name(loss: Mapping[str, Json]) -> dict[str, Json]:
    """The figures of a loss; of a curve, those at its points."""
    if "points" not in loss:
        return {**loss}
    return {f"at {x}": y for x, y in cast("list[tuple[str, Json]]", loss["points"])}


def _number(x: Json) -> Fraction | None:
    return None if x is None else Fraction(cast(str, x))
