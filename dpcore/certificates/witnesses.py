"""Witnesses: what a rule asks for and nobody can derive is found here and handed to the checker, who only looks at it.

An order alpha, an epsilon, a few points of a curve; what a user's own map promises. The derivation is evaluated once while
its searching rules note what they were asked; then it is made again with the witnesses in place, and it is that derivation
which is certified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeAlias, final

from dpcore.calculus import Asked, Derivation, Raw, Reading, Witness
from dpcore.calculus.parameters import Data
from dpcore.maps import PRECISION, Number, at_precision

Evaluate: TypeAlias = Callable[[Derivation], object]


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A derivation with its witnesses in place, by the identity of its nodes."""

    derivation: Derivation
    witness: dict[int, Data] = field(default_factory=dict)


def witnessed(derivation: Derivation, evaluate: Evaluate) -> Found:
    """The derivation with all witnesses found at what its rules are asked when it is evaluated.

    What is claimed comes after the searches: it is promised at the points that their witnesses ask for.
    """
    found = Found(derivation)
    for last in (False, True):
        if any(_sought(part, last=last) for part in derivation.parts()):
            noted: dict[int, list[_Note]] = {}
            evaluate(_noting(found.derivation, noted, last=last))
            found = _Placing(found, noted, last=last).all()
    return found


def _sought(derivation: Derivation, *, last: bool) -> Witness | None:
    """The witness that the rule needs and has not yet, if it is one of these."""
    witness = derivation.rule.witness
    return witness if witness is not None and witness.last == last else None


# ---- what is asked -----------------------------------------------------------------------------------------------------


class _Note(NamedTuple):
    """The distance at which a rule was read; of a curve that it gave, the points that were asked for."""

    d: Number
    points: list[Number]


def _noting(derivation: Derivation, noted: dict[int, list[_Note]], *, last: bool) -> Derivation:
    """The same derivation, whose rules that need a witness note what they are asked."""
    premises = tuple([_noting(premise, noted, last=last) for premise in derivation.premises])
    rule, parameters, witness = derivation.rule, derivation.parameters, _sought(derivation, last=last)
    if witness is None:
        return Derivation(rule, parameters, premises)
    notes = noted.setdefault(id(derivation), [])

    def read(d: Number, *losses: Reading, **given: object) -> Raw:
        d = witness.heard(d)
        notes.append(_Note(d, []))
        points, raw = notes[-1].points, witness.told(rule.map(d, *losses, **given), given)
        if not callable(raw):
            return raw

        def curve(x: Number) -> Number:
            points.append(x)
            return raw(x)

        return curve

    # A name of its own, so that no other node shares the reading of this one.
    return Derivation(replace(rule, name=f"{rule.name} {id(derivation)}", map=read), parameters, premises)


# ---- what is answered --------------------------------------------------------------------------------------------------


class _Placing:
    """The derivation made again with its witnesses, each part once, however often it occurs."""

    def __init__(self, before: Found, noted: Mapping[int, list[_Note]], *, last: bool) -> None:
        self.before, self.noted, self.last = before, noted, last
        self.done: dict[int, Derivation] = {}
        self.witness: dict[int, Data] = {}

    def all(self) -> Found:
        return Found(self._placed(self.before.derivation), self.witness)

    def _placed(self, derivation: Derivation) -> Derivation:
        """Premises come before what stands on them: a witness is found for what they are with theirs."""
        if id(derivation) not in self.done:
            premises = tuple([self._placed(premise) for premise in derivation.premises])
            placed, data = Derivation(derivation.rule, derivation.parameters, premises), None
            witness = _sought(derivation, last=self.last)
            if witness is not None:
                answer = partial(self._answered, witness, placed, self.noted.get(id(derivation), []))
                placed, data = at_precision(PRECISION, answer)  # as what is claimed: a search cannot see more
            elif id(derivation) in self.before.witness:
                data = self.before.witness[id(derivation)]
            if data is not None:
                self.witness[id(placed)] = data
            self.done[id(derivation)] = placed
        return self.done[id(derivation)]

    def _answered(self, witness: Witness, derivation: Derivation, notes: list[_Note]) -> tuple[Derivation, Data]:
        rule, readings = derivation.rule, [premise.numbers() for premise in derivation.premises]
        asked = [Asked(note.d, readings[0](note.d) if readings else None, note.points) for note in notes]
        value, map = witness.find(rule.map, {name: derivation.parameters[name] for name in rule.map_names}, asked)
        data: Data = {witness.parameter.name: witness.parameter.encode(value)}
        # Readings are shared by the names of rules and their parameters, so this one has a name of its own.
        follows = replace(rule, name=f"{rule.name} {data}", map=map, map_names=(), witness=None)
        return Derivation(follows, derivation.parameters, derivation.premises), data
