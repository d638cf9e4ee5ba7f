"""How an arrow was derived: rule, parameters, premises. Its map, its run and its certificate are folds over this tree.

A rule is one plain function over numbers of whatever kind,

    @rule(run=add_noise)
    def laplace(d, *, scale):
        return d / scale

and beside it the function that is run on data. Each reading hands a function the parameters it names, and the readings of
the premises as further arguments:

    numbers    parameters become rationals, `d` a rational          -> the exact or rigorous bound
    formula    parameters and `d` become sympy expressions          -> the formula
    run        parameters are handed over as they are               -> the release
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, final

from dpcore.maps import Number, formula, numeral, symbols_of

Curve: TypeAlias = Callable[[Number], Number]
Raw: TypeAlias = Number | tuple[Number, Number] | Curve
"""What a map gives: a distance or a loss in the form in which it is carried."""

Reading: TypeAlias = Callable[[Number], Raw]
Run: TypeAlias = Callable[[object], object]
Parameters: TypeAlias = Mapping[str, object]


@final
@dataclass(frozen=True, slots=True)
class Rule:
    """A named step of reasoning: its map on distances, and what it does to data."""

    name: str
    statement: str
    map: Callable[..., Raw] = field(compare=False, repr=False)
    run: Callable[..., object] = field(compare=False, repr=False)
    map_names: tuple[str, ...] = field(compare=False, repr=False)
    run_names: tuple[str, ...] = field(compare=False, repr=False)


RULES: dict[str, Rule] = {}
"""Every rule of the calculus by its name. Names are stable: a certificate made today verifies for ever."""


def rule(run: Callable[..., object], name: str | None = None) -> Callable[[Callable[..., Raw]], Rule]:
    """Enter a rule into the calculus: the decorated function is its map, `run` what it does to data."""

    def enter(function: Callable[..., Raw]) -> Rule:
        title = name or function.__name__
        if title in RULES:
            raise KeyError(f"two rules are named {title}")
        statement = inspect.getdoc(function)
        if not statement:
            raise ValueError(f"the rule {title} does not say what it states")
        made = Rule(title, statement, function, run, _keywords(function), _keywords(run))
        RULES[title] = made
        return made

    return enter


def _keywords(function: Callable[..., object]) -> tuple[str, ...]:
    parameters = inspect.signature(function).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


@final
@dataclass(frozen=True, slots=True)
class Derivation:
    """One rule applied to parameters and premises."""

    rule: Rule
    parameters: Parameters = field(default_factory=dict)
    premises: tuple[Derivation, ...] = ()

    def numbers(self) -> Reading:
        """The map over rationals and balls."""
        return self._read(_numeral)

    def formula(self) -> Reading:
        """The map over formulas."""
        return self._read(formula_of)

    def _read(self, kind: Callable[[object], object]) -> Reading:
        named = {name: kind(self.parameters[name]) for name in self.rule.map_names}
        if not self.premises:
            return partial(self.rule.map, **named)
        premises = tuple([premise._read(kind) for premise in self.premises])
        function = self.rule.map
        return lambda d: function(d, *premises, **named)

    def runner(self, given: Parameters) -> Run:
        """What is done to data; `given` holds what a release brings along, such as the source of random bits."""
        named = {name: given[name] if name in given else self.parameters[name] for name in self.rule.run_names}
        if not self.premises:
            return partial(self.rule.run, **named)
        premises = tuple(premise.runner(given) for premise in self.premises)
        function = self.rule.run
        return lambda data: function(data, *premises, **named)

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
        return frozenset({self.rule.name}).union(*(p.rules() for p in self.premises))

    def symbols(self) -> frozenset[str]:
        """The names of all symbols that still stand for numbers."""
        return symbols_of(self.parameters.values()).union(*(p.symbols() for p in self.premises))


def _numeral(x: object) -> object:
    """A parameter as the numeric reading sees it. What is no number (a key, a function) stays as it is."""
    if isinstance(x, tuple):
        return tuple(map(_numeral, x))
    return numeral(x)


def formula_of(x: object) -> object:
    if isinstance(x, tuple):
        return tuple(map(formula_of, x))
    return formula(x)
