"""Witnesses: what a rule asks for and nobody can derive is found here and handed to the checker, who only looks at it.

An order alpha, an epsilon, a few points of a curve; what a user's own map promises. The derivation is evaluated once while
its searching rules note what they were asked; then it is made again with the witnesses in place, and it is that derivation
which is certified.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias, final

from dpcore.certificates import promises, searches
from dpcore.certificates.encoding import Json
from dpcore.certificates.searches import Asked
from dpcore.conversions import number_in
from dpcore.derivation import Derivation, Raw, Reading
from dpcore.maps import Number

Witness: TypeAlias = "dict[str, Json]"
Evaluate: TypeAlias = Callable[[Derivation], object]


Answers: TypeAlias = Mapping[str, Callable[[Derivation, list[Asked]], tuple[Witness, Callable[..., Raw]]]]

SEARCHES: Final[Answers] = {
    "zcdp_to_approx_tight": searches.order,
    "renyi_to_approx": searches.order,
    "profile_to_approx": searches.epsilon,
    "pure_to_gaussian": searches.mu,
    "zcdp_to_profile": searches.orders,
    "gaussian_to_tradeoff": searches.epsilons,
    "profile_to_tradeoff": searches.epsilons,
    "tradeoff_to_profile": searches.alphas,
}
PROMISES: Final = {"claimed_transformation": promises.promised, "claimed_measurement": promises.promised}
"""The rules that need a witness, and who finds it: from the derivation, its premises answered, and what it was asked.

What is claimed comes after the searches: it is promised at the points that their witnesses ask for.
"""


@final
@dataclass(frozen=True, slots=True)
class Found:
    """A derivation with its witnesses in place, by the identity of its nodes."""

    derivation: Derivation
    witness: dict[int, Witness] = field(default_factory=dict)


def witnessed(derivation: Derivation, evaluate: Evaluate) -> Found:
    """The derivation with all witnesses found at what its rules are asked when it is evaluated."""
    found = Found(derivation)
    for answers in (SEARCHES, PROMISES):
        if derivation.rules() & set(answers):
            noted: dict[int, list[_Note]] = {}
            evaluate(_noting(found.derivation, noted, answers))
            found = _Placing(found, noted, answers).all()
    return found


# ---- what is asked -----------------------------------------------------------------------------------------------------


class _Note(NamedTuple):
    """The distance at which a rule was read; of a curve that it gave, the points that were asked for."""

    d: Number
    points: list[Number]


def _noting(derivation: Derivation, noted: dict[int, list[_Note]], answers: Answers) -> Derivation:
    """The same derivation, whose rules that need a witness note what they are asked."""
    premises = tuple(_noting(premise, noted, answers) for premise in derivation.premises)
    rule, parameters = derivation.rule, derivation.parameters
    if rule.name not in answers:
        return Derivation(rule, parameters, premises)
    notes = noted.setdefault(id(derivation), [])

    def read(d: Number, *losses: Reading, **given: object) -> Raw:
        d = promises.written(d) if rule.name in PROMISES else d
        notes.append(_Note(d, []))
        points, raw = notes[-1].points, rule.map(d, *losses, **given)
        if rule.name == "claimed_transformation":  # so that what comes after it is asked how far the table will say
            return promises.written(number_in(raw))
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

    def __init__(self, before: Found, noted: Mapping[int, list[_Note]], answers: Answers) -> None:
        self.before, self.noted, self.answers = before, noted, answers
        self.done: dict[int, Derivation] = {}
        self.witness: dict[int, Witness] = {}

    def all(self) -> Found:
        return Found(self._placed(self.before.derivation), self.witness)

    def _placed(self, derivation: Derivation) -> Derivation:
        """Premises come before what stands on them: a witness is found for what they are with theirs."""
        made = self.done.get(id(derivation))
        if made is None:
            premises = tuple(self._placed(premise) for premise in derivation.premises)
            made = Derivation(derivation.rule, derivation.parameters, premises)
            witness = self.before.witness.get(id(derivation))
            if derivation.rule.name in self.answers:
                made, witness = self._answered(made, self.noted.get(id(derivation), []))
            if witness is not None:
                self.witness[id(made)] = witness
            self.done[id(derivation)] = made
        return made

    def _answered(self, derivation: Derivation, notes: list[_Note]) -> tuple[Derivation, Witness]:
        rule, readings = derivation.rule, [premise.numbers() for premise in derivation.premises]
        asked = [Asked(note.d, readings[0](note.d) if readings else None, note.points) for note in notes]
        witness, map = self.answers[rule.name](derivation, asked)
        # Readings are shared by the names of rules and their parameters, so this one has a name of its own.
        follows = replace(rule, name=f"{rule.name} {witness}", map=map, map_names=())
        return Derivation(follows, derivation.parameters, derivation.premises), witness
