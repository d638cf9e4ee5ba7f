"""What a derivation does to data, and to many data at once. It is worked out once for an arrow, when it is first run.

Prepared      of a derivation: its runs with their parameters, all that does not change from release to release
Alone         the run of a rule that has no premises
Resting       the run of a rule on those of its premises
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias, final, runtime_checkable

from dpcore.errors import FreeSymbols

if TYPE_CHECKING:
    from dpcore.calculus.derivation import Derivation, Rule


class Release(Enum):
    """How the release of a rule is made."""

    BY_RUN = "nothing is known of it but its run"
    NOISED = "independent noise on each coordinate: of n copies of a value side by side it is n releases"
    CHAINED = "each premise on what the one before gave"
    SAME = "that of its premise"
    THEN = "a function of that of its premise"
    TOGETHER = "a tuple of those of its premises, on the same data"
    BY_PART = "a dict by key: for each part of the data that of its premise"
    ON_EVERY_PART = "a dict by key: for each part of the data that of the first premise"
    JOINTLY = "a tuple: of each pair of premises, the second on what the first gave"
    IN_STAGES = "a tuple, each entry of a measurement that was chosen by those before it"


Run: TypeAlias = Callable[[object], object]

OfEach: TypeAlias = Callable[..., Sequence[object]]
"""What a run does to each of several data, all at once: in its place, with the same parameters."""


@runtime_checkable
class LooksAhead(Protocol):
    """Data that may answer at once what several releases will ask."""

    def look_ahead(self, releases: Sequence[Run]) -> None: ...


# ---- a run, on data and on each of several -----------------------------------------------------------------------


@final
class Alone(partial[object]):
    """The run of a rule that has no premises, with its parameters; called as fast as anything is in Python."""

    rule: Rule

    def on_each(self, data: Sequence[object]) -> Sequence[object]:
        """See `on_each`."""
        if self.rule.of_each is not None:
            return self.rule.of_each(data, **self.keywords)
        return _noised(self, data) if self.rule.release is Release.NOISED else list(map(self, data))


@final
class Resting:
    """The run of a rule on those of its premises, with its parameters."""

    __slots__ = ("_inner", "_named", "_rule")

    def __init__(self, rule: Rule, inner: Sequence[Run], named: Mapping[str, object]) -> None:
        self._rule, self._inner, self._named = rule, inner, named

    def __call__(self, data: object) -> object:
        rule = self._rule
        if rule.release is Release.TOGETHER and isinstance(data, LooksAhead):
            data.look_ahead(self._inner)
        return rule.run(data, *self._inner, **self._named)

    def on_each(self, data: Sequence[object]) -> Sequence[object]:
        """See `on_each`."""
        rule = self._rule
        if rule.of_each is not None:
            return rule.of_each(data, **self._named)
        match rule.release:
            case Release.NOISED:
                return _noised(self, data)
            case Release.CHAINED:
                for link in self._inner:
                    data = on_each(link, data)
                return data
            case Release.SAME | Release.THEN | Release.TOGETHER:
                if rule.release is Release.TOGETHER and data and isinstance(data[0], LooksAhead):
                    data[0].look_ahead(self._inner)  # what all others are asked, too
                released = zip(*(on_each(premise, data) for premise in self._inner), strict=True)
                return [
                    rule.run(each, *map(_giving, its), **self._named) for each, its in zip(data, released, strict=True)
                ]
        return list(map(self, data))


def on_each(run: Run, data: Sequence[object]) -> Sequence[object]:
    """A release of each, independent of one another: `[run(each) for each in data]`, but at once where it can be done.

    The distribution is the same. Noise on a coordinate is drawn apart from its value and from all other noise, so the
    coordinates of all data side by side get what the coordinates of each would get; and what is made of releases is made
    of each by itself.
    """
    return run.on_each(data) if isinstance(run, (Alone, Resting)) else list(map(run, data))


def _noised(run: Run, data: Sequence[object]) -> Sequence[object]:
    if set(map(type, data)) <= {int, Fraction}:
        noisy = run(list(data))
        assert isinstance(noisy, list)
        return noisy
    sizes = [len(each) if isinstance(each, list) else None for each in data]
    values = [value for each in data for value in (each if isinstance(each, list) else (each,))]
    if not all(isinstance(value, (int, Fraction)) for value in values):
        return list(map(run, data))
    noisy = run(values)
    assert isinstance(noisy, list)
    left = iter(noisy)
    return [next(left) if size is None else [next(left) for _ in range(size)] for size in sizes]


def _giving(released: object) -> Run:
    """The run of a premise that was run before."""
    return lambda data: released


# ---- worked out once ---------------------------------------------------------------------------------------------


@final
class Prepared:
    """The run of a derivation, once it is told what a release brings along, such as the source of random bits.

    What needs nothing of a release is there from the beginning, and is the same for all of them.
    """

    __slots__ = ("_always", "_brought", "_distinct", "_kept", "_places", "_rule", "asks")

    asks: frozenset[str]
    """The names of what a release must bring along."""

    def __init__(self, derivation: Derivation, premises: Sequence[Prepared]) -> None:
        rule, own = derivation.rule, derivation.parameters
        self._rule, self._places = rule, tuple(map(id, premises))
        self._distinct = dict(zip(self._places, premises, strict=True))  # one may be there a thousand times
        self._kept = {name: own[name] for name in rule.run_names if name in own}
        self._brought = tuple([name for name in rule.run_names if name not in own])
        self.asks = frozenset(self._brought).union(*[premise.asks for premise in premises])
        self._always = None if self.asks else self._bound({})

    @classmethod
    def of(cls, derivation: Derivation) -> Prepared:
        """What the derivation does to data. Refuses one in which a symbol stands for a number."""
        if derivation.symbols:
            raise FreeSymbols(f"the symbol {min(derivation.symbols)} stands where a number is needed")
        return _prepared(derivation, {})

    def __call__(self, given: Mapping[str, object]) -> Run:
        return self._bound(given) if self._always is None else self._always

    def _bound(self, given: Mapping[str, object]) -> Run:
        named = {**self._kept, **{name: given[name] for name in self._brought}} if self._brought else self._kept
        if self._places:
            runs = {place: premise(given) for place, premise in self._distinct.items()}
            return Resting(self._rule, tuple([runs[place] for place in self._places]), named)
        run = Alone(self._rule.run, **named)
        run.rule = self._rule
        return run


def _prepared(derivation: Derivation, made: dict[int, Prepared]) -> Prepared:
    """Each part once, however often it is used: by its identity, as the whole keeps it alive."""
    found = made.get(id(derivation))
    if found is None:
        premises = [_prepared(premise, made) for premise in derivation.premises]
        found = made[id(derivation)] = Prepared(derivation, premises)
    return found


# ---- the runs of rules that only put others together -----------------------------------------------------------------


def one_after_another(data: object, *links: Run) -> object:
    for link in links:
        data = link(data)
    return data


def unchanged(data: object) -> object:
    """The run of a rule that only measures the same data otherwise."""
    return data
