"""How an arrow was derived: rule, parameters, premises. Its map, its run and its certificate are folds over this tree.

A rule is one plain function over numbers of whatever kind,

    @rule(run=add_noise, writes=(Scale, Step))
    def laplace(d, *, scale):
        return d / scale

and beside it the function that is run on data, and the parameters that a certificate writes. Each reading hands a function
the parameters it names, and the readings of the premises as further arguments:

    numbers    parameters become rationals, `d` a rational          -> the exact or rigorous bound
    formula    parameters and `d` become sympy expressions          -> the formula
    run        parameters are handed over as they are               -> the release
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import partial
from importlib import import_module
from types import FunctionType, MappingProxyType
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast, final

from dpcore.calculus.parameters import Data, Json, Parameter
from dpcore.calculus.runs import OfEach, Prepared, Release, Run, one_after_another
from dpcore.errors import FreeSymbols, InvalidParameter, is_a
from dpcore.maps import ZERO, Number, formula, is_formula, is_rational, numeral

D = TypeVar("D")
T = TypeVar("T")


class Premises(Enum):
    """Where a rule asks for the maps of its premises."""

    NONE = "there are none"
    AT_D = "at the distance that it is asked for itself"
    AT_1 = "at distance 1"
    ANY_AT_1 = "at distance 1, and there may be none"
    IN_TURN = "the first at the distance that it is asked for itself, each other at what the one before gave"
    IN_PAIRS = "of each pair the first at distance 1, the second at what the first gave"

    @property
    def all_at_one_distance(self) -> bool:
        return self not in (Premises.IN_TURN, Premises.IN_PAIRS)

    def follows(self, i: int) -> bool:
        """Whether premise i is asked at what the one before it gave."""
        return i > 0 and (self is Premises.IN_TURN or (self is Premises.IN_PAIRS and i % 2 == 1))

    def start(self, d: D, one: D) -> D:
        """The distance of each premise that follows no other."""
        return one if self in (Premises.AT_1, Premises.ANY_AT_1, Premises.IN_PAIRS) else d


Curve: TypeAlias = Callable[[Number], Number]
Raw: TypeAlias = Number | tuple[Number, Number] | Curve
"""What a map gives: a distance or a loss in the form in which it is carried."""


def number_in(raw: Raw) -> Number:
    """The number that a distance or a loss is, where the metric or the measure carries one."""
    return cast(Number, raw)  # a protocol of many operators, which is slow to ask


def pair_in(raw: Raw) -> tuple[Number, Number]:
    """The pair that a loss is, where the measure carries one."""
    assert isinstance(raw, tuple)
    return raw


def curve_in(raw: Raw) -> Curve:
    """The curve that a loss is, where the measure carries one."""
    assert callable(raw)
    return raw


Reading: TypeAlias = Callable[[Number], Raw]
Parameters: TypeAlias = Mapping[str, object]


class Asked(NamedTuple):
    """A distance, the loss of the premise there (if there is one), and the points asked for of the curve that came out."""

    d: Number
    loss: Raw | None
    points: Sequence[Number]


Followed: TypeAlias = tuple[object, Callable[..., Raw]]
"""A witness, and the map that follows it as the checker does."""


@final
class Witness(NamedTuple):
    """What a rule needs and nobody can derive: searched for when a certificate is made, and handed to the checker."""

    parameter: Parameter
    find: Callable[[Callable[..., Raw], Parameters, Sequence[Asked]], Followed]
    """From the map of the rule, the parameters that it takes, as they are held, and all that it was asked."""

    last: bool = False
    """Whether it is found once the others are in place: it is asked at what those ask for."""

    heard: Callable[[Number], Number] = lambda d: d
    """The distance that is noted for one that the rule is asked at; never a smaller one."""

    told: Callable[[Raw, Parameters], Raw] = lambda raw, parameters: raw
    """What whoever asks is told, while it is noted what is asked."""

    read_back: Callable[[Json, Parameters], Callable[..., Raw]] | None = None
    """The map that a witness is, as it is written; None where that of the rule takes it, or finds one for itself."""


Assumes: TypeAlias = Callable[[Data, Data], Iterable[str]]
"""From parameters and witness, as a certificate has them: what nobody proved of the rule that is applied to them."""


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A named step of reasoning: its map on distances, what it does to data, and what certificates have to say of it."""

    name: str
    statement: str
    map: Callable[..., Raw] = field(compare=False, repr=False)
    run: Callable[..., object] = field(compare=False, repr=False)
    map_names: tuple[str, ...] = field(compare=False, repr=False)
    run_names: tuple[str, ...] = field(compare=False, repr=False)
    writes: tuple[Parameter, ...] | None = field(compare=False, repr=False)
    """The parameters that a certificate writes; None where no certificate speaks of the rule."""

    witness: Witness | None = field(compare=False, repr=False)
    attention: str | None = field(compare=False, repr=False)
    """What stands in the first lines of every certificate that relies on the rule."""

    assumes: Assumes | None = field(compare=False, repr=False)
    requires: Callable[..., None] | None = field(compare=False, repr=False)
    """Refuses parameters, by their names, that are right each by itself and not together."""

    release: Release = field(compare=False, repr=False)
    premises: Premises = field(compare=False, repr=False)
    of_each: OfEach | None = field(compare=False, repr=False)
    """What its run does to each of several data, where that can be done at once."""
    on_arrays: bool = field(compare=False, repr=False)
    """Whether its run does to an array of whole numbers, of 64 bits, what it does to the list of them."""
    inverse: bool = field(compare=False, repr=False)
    """Whether its map may have an inverse in closed form; none where a loss stands inside and outside of `exp`."""

    def __reduce__(self) -> tuple[object, ...]:
        return _rule_named, (self.name, self.map.__module__)


RULES: dict[str, Rule] = {}
"""Every rule of the calculus by its name. Names are stable: a certificate made today verifies for ever."""


def rule(
    run: Callable[..., object],
    name: str | None = None,
    *,
    writes: tuple[Parameter, ...] | None = None,
    witness: Witness | None = None,
    attention: str | None = None,
    assumes: Assumes | None = None,
    requires: Callable[..., None] | None = None,
    release: Release = Release.BY_RUN,
    premises: Premises = Premises.NONE,
    of_each: OfEach | None = None,
    on_arrays: bool = False,
    inverse: bool = True,
) -> Callable[[Callable[..., Raw]], Rule]:
    """Enter a rule into the calculus: the decorated function is its map, `run` what it does to data. What is left unsaid
    is not claimed; where it asks for its premises, if it has any, must be said."""

    def enter(function: Callable[..., Raw]) -> Rule:
        if not isinstance(function, FunctionType) or not isinstance(run, FunctionType):
            raise InvalidParameter(
                f"Expected functions for the map and for the run of a rule but got a {type(function).__name__} and a"
                f" {type(run).__name__}"
            )
        if name is not None and not is_a(name, str):
            raise InvalidParameter(f"Expected a text for name but got a {type(name).__name__}", produced=name)
        title = name or function.__name__
        if title in RULES:
            raise InvalidParameter(f"two rules are named {title}")
        statement = inspect.getdoc(function)
        if not statement or not statement.strip():
            raise InvalidParameter(f"the rule {title} does not say what it states", bridge="a docstring of its map")
        if _takes_premises(function) != (premises is not Premises.NONE):
            raise InvalidParameter(f"the rule {title} does not say where it asks for its premises")
        about = (writes, witness, attention, assumes, requires, release, premises, of_each, on_arrays, inverse)
        RULES[title] = Rule(title, statement, function, run, keywords(function), keywords(run), *about)
        return RULES[title]

    return enter


def _rule_named(name: str, module: str) -> Rule:
    """A rule as it was pickled: by its name, after the module that states it was imported."""
    import_module(module)
    return RULES[name]


def keywords(function: Callable[..., object]) -> tuple[str, ...]:
    """The names of the parameters that a map or a run is handed."""
    parameters = inspect.signature(function).parameters.values()
    return tuple([p.name for p in parameters if p.kind is p.KEYWORD_ONLY])


def _takes_premises(function: Callable[..., Raw]) -> bool:
    """Whether a map takes the readings of premises after the distance."""
    parameters = inspect.signature(function).parameters.values()
    if not parameters:
        raise InvalidParameter("Expected the map of a rule to take a distance but it takes nothing")
    _, *others = parameters
    return any(p.kind is not p.KEYWORD_ONLY for p in others)


def by_identity(things: Sequence[T]) -> dict[int, T]:
    """Each thing once, however often it is used: a composition may hold one a thousand times."""
    return dict(zip(map(id, things), things, strict=True))


NONE: Final = frozenset[str]()

_CLOSED: Final = frozenset({int, Fraction, str, bool, type(None)})
"""The types that most parameters have, in which nothing is free."""


def free_in(parameters: Iterable[object]) -> frozenset[str]:
    """The names of all symbols that are free in any of them, or in tuples of them."""
    found = NONE
    for x in parameters:
        if type(x) in _CLOSED:
            continue
        if type(x) is tuple:
            found |= free_in(x)
        elif (free := getattr(x, "free_symbols", None)) is not None:  # a formula
            found |= {s.name for s in free}
        elif (symbols := getattr(x, "symbols", None)) is not None:  # a domain, a step
            found |= symbols()
    return found


@final
@dataclass(frozen=True, slots=True)
class Derivation:
    """One rule applied to parameters and premises."""

    rule: Rule
    parameters: Parameters = field(default_factory=dict)
    premises: tuple[Derivation, ...] = ()
    symbols: frozenset[str] = field(init=False, repr=False, compare=False)
    """The names of all symbols that still stand for numbers."""

    def __post_init__(self) -> None:
        """What was checked when it was made stays so: nobody changes a parameter afterwards."""
        own = dict(self.parameters)
        free = free_in(own.values()) if own else NONE
        for premise in self.premises:
            if premise.symbols:
                free |= premise.symbols
        object.__setattr__(self, "parameters", MappingProxyType(own))
        object.__setattr__(self, "symbols", free)

    def __reduce__(self) -> tuple[object, ...]:
        return Derivation, (self.rule, dict(self.parameters), self.premises)

    def numbers(self) -> Reading:
        """The map over rationals and balls."""
        return _Reader(_numeral).read(self)

    def formula(self) -> Reading:
        """The map over formulas."""
        return _Reader(formula_of).read(self)

    def runner(self, given: Parameters) -> Run:
        """What is done to data with what a release brings along."""
        return Prepared.of(self)(given)

    def takes_arrays(self) -> bool:
        """Whether a vector of whole numbers may reach every run in it as an array."""
        return self.rule.on_arrays and all(premise.takes_arrays() for premise in self.premises)

    def asks(self, name: str) -> bool:
        """Whether a run of it needs what a release brings along under this name."""
        return name in self.rule.run_names or any(p.asks(name) for p in self.premises)

    def runs_like(self, other: Derivation) -> bool:
        """Whether both do the same to every data set: the same functions with the same parameters."""
        return (
            self.rule.run is other.rule.run
            and len(self.premises) == len(other.premises)
            and all(self.parameters[n] == other.parameters[n] for n in self.rule.run_names if n in self.parameters)
            and all(p.runs_like(q) for p, q in zip(self.premises, other.premises, strict=True))
        )

    def rules(self) -> frozenset[str]:
        """The names of all rules relied on."""
        return frozenset({part.rule.name for part in self.parts()})

    def parts(self) -> list[Derivation]:
        """Itself and all that it rests on, each once however often it is used."""
        found, seen = [self], {id(self)}
        for part in found:  # which grows meanwhile
            new = by_identity(part.premises)
            found += [premise for place, premise in new.items() if place not in seen]
            seen.update(new)
        return found


@rule(run=one_after_another, writes=(), release=Release.CHAINED, premises=Premises.IN_TURN, on_arrays=True)
def chain(d: Number, *links: Callable[[Number], Number]) -> Number:
    """The map of each link at what the link before it gives: `d(g(f(x)), g(f(y))) <= map_g(map_f(d(x, y)))`."""
    for link in links:
        d = link(d)
    return d


class _Reader:
    """Reads a derivation with one kind of number. Equal parts become one function, so that a sum of a thousand equal
    losses evaluates one of them, and a thousand chains with the same beginning evaluate it once."""

    def __init__(self, kind: Callable[[object], object]) -> None:
        self.kind = kind
        self.seen: dict[int, Reading] = {}  # by the identity of a derivation, which the caller keeps alive
        self.made: dict[object, Reading] = {}  # by what the function is made of
        self.shared: set[tuple[Reading, ...]] = set()  # beginnings that more than one chain has

    def read(self, derivation: Derivation) -> Reading:
        found = self.seen.get(id(derivation))
        if found is None:
            found = self._chain(derivation) if derivation.rule is chain else self._rule(derivation)
            self.seen[id(derivation)] = found
        return found

    def _rule(self, derivation: Derivation) -> Reading:
        rule, given, kind = derivation.rule, derivation.parameters, self.kind
        values = tuple([kind(given[name]) for name in rule.map_names])
        made = {place: self.read(premise) for place, premise in by_identity(derivation.premises).items()}
        premises = tuple(map(made.__getitem__, map(id, derivation.premises)))
        key = (rule.name, values, premises)
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = _applied(rule.map, premises, dict(zip(rule.map_names, values, strict=True)))
        return found

    def _chain(self, derivation: Derivation) -> Reading:
        """`last(beginning(d))`, chaining being associative."""
        *links, last = [self.read(premise) for premise in derivation.premises]
        beginning = links[0] if len(links) == 1 else self._beginning(tuple(links))
        key = (beginning, last)
        found = self.made.get(key)
        if found is None:
            found = self.made[key] = _chained(key)
        return found

    def _beginning(self, links: tuple[Reading, ...]) -> Reading:
        """The first links of a chain; once a second chain begins so, the value they gave is kept for the others."""
        found = self.made.get(links)
        if found is None:
            found = self.made[links] = _chained(links)
        elif links not in self.shared:
            self.shared.add(links)
            found = self.made[links] = _remembering(found)
        return found


def _chained(links: tuple[Reading, ...]) -> Reading:
    if len(links) != 2:
        return _applied(chain.map, links, {})
    # The first gives the distance that the second takes, which is as it stands: `number_in`, without the time it takes.
    first, second = cast("tuple[Callable[[Number], Number], Reading]", links)
    return lambda d: second(first(d))


def _applied(function: Callable[..., Raw], premises: tuple[Reading, ...], named: dict[str, object]) -> Reading:
    return (lambda d: function(d, *premises, **named)) if premises else partial(function, **named)


def _remembering(function: Reading) -> Reading:
    """The function, its last exact value kept. Balls are not kept: they are asked for again with more bits."""
    last: tuple[Number | None, Raw] = (None, ZERO)  # one pair, so that threads see a value with its own distance

    def remembered(d: Number) -> Raw:
        nonlocal last
        kept = last
        if kept[0] is d:
            return kept[1]
        value = function(d)
        if is_rational(value):
            last = (d, value)
        return value

    return remembered


def _numeral(x: object) -> object:
    """A parameter as the numeric reading sees it. What is no number (a key, a function) stays as it is."""
    if type(x) is tuple:
        return tuple(map(_numeral, x))
    value = numeral(x)
    if is_formula(value):
        raise FreeSymbols(f"{x} stands where a number is needed", produced=x)
    return value


def formula_of(x: object) -> object:
    if isinstance(x, tuple):
        return tuple(map(formula_of, x))
    return formula(x)
