"""What changed between two certificates: the space, the derivation, what is assumed; and what that does to the claim.

Derivations are compared as trees: a step put in between moves those after it, and is one change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Final, final

from dpcore.calculus.parameters import Data, Json
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import Claim, Document, Inference

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
    claims: tuple[Claim, Claim]

    @property
    def equal(self) -> bool:
        return not self.changes


def difference(before: Certificate, after: Certificate) -> Difference:
    """What changed from the first certificate to the second."""
    old, new = before.document, after.document
    changes = [
        *_values("", _beside(before), _beside(after)),
        *_trees("/derivation", old.derivation, new.derivation),
        *_values("/claims", before.data["claims"], after.data["claims"]),
    ]
    was, now = old.claims[0], new.claims[0]
    why = _incomparable(old, new)
    return Difference(tuple(changes), why, () if why else tuple(_figures(was, now)), (was, now))


def _beside(certificate: Certificate) -> Data:
    """All but the derivation and the claims. Digests are whole, of which assumptions are filed with the beginning."""
    whole = {digest[:16]: digest for digest in re.findall('"digest": "([0-9a-f]{64})"', json.dumps(certificate.data))}

    def written_out(found: re.Match[str]) -> str:
        return f"(sha256 {whole[found[1]]})" if found[1] in whole else found[0]

    assumed: list[Json] = [
        re.sub(r"\(([0-9a-f]{16})\)", written_out, each) for each in certificate.document.assumptions
    ]
    return {**certificate.data, "derivation": None, "claims": None, "assumptions": assumed}


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


def _trees(place: str, was: Inference, now: Inference) -> Iterator[Change]:
    if was == now:
        return
    if was.rule != now.rule:
        yield Change(place, replace(was, premises=()).written(), replace(now, premises=()).written())
    else:
        for side, old, new in (("parameters", was.parameters, now.parameters), ("witness", was.witness, now.witness)):
            for name in sorted({*old, *new}):
                if old.get(name) != new.get(name):
                    yield Change(f"{place}/{side}/{name}", old.get(name), new.get(name), now.rule)
    for i, old_premise, new_premise in _aligned(was.premises, now.premises):
        inner = f"{place}/premises/{i}"
        if old_premise is not None and new_premise is not None:
            yield from _trees(inner, old_premise, new_premise)
        else:
            yield Change(inner, old_premise and old_premise.written(), new_premise and new_premise.written())


def _aligned(
    was: Sequence[Inference], now: Sequence[Inference]
) -> Iterator[tuple[int, Inference | None, Inference | None]]:
    """Premises that belong together: equal ones, and between those the ones of the same rule, or in the same place."""
    texts = [[json.dumps(each.written(), sort_keys=True) for each in premises] for premises in (was, now)]
    for i, j, k, m in _unequal(*texts):
        rules = [[each.rule for each in part] for part in (was[i:j], now[k:m])]
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


def _incomparable(old: Document, new: Document) -> str | None:
    was, now = old.claims[0], new.claims[0]
    if old.space.metric != new.space.metric:
        return "the neighbours are others"
    if was.d_in != now.d_in:
        return f"the distances are {was.d_in} and {now.d_in}"
    if was.measure != now.measure:
        return f"the measures are {was.measure} and {now.measure}"
    return None


def _figures(was: Claim, now: Claim) -> Iterator[Figure]:
    old, new = by_name(was), by_name(now)
    for name in {**old, **new}:
        yield Figure(name, old.get(name), new.get(name))


def by_name(claim: Claim) -> dict[str, Fraction | None]:
    """The figures of a loss; of a curve, those at its points."""
    return {**claim.figures, **{f"at {x}": y for x, y in claim.points}}
