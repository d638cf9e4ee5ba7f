"""The map of an arrow, read: as a number at a distance, and as a formula (`.map`), which is derived from the same rules
and through which nothing is ever evaluated. Arrows, audits and `solve` call it.

Also how type checkers read the carrier off a domain and the loss off a measure: protocols that an arrow's own type
parameters fill in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, final

from dpcore.calculus import Derivation, Prepared, Raw, Reading, curve_in, number_in
from dpcore.core.origins import Arrow, require_known
from dpcore.domains import Gives, Takes
from dpcore.errors import FreeSymbols
from dpcore.maps import Number, Numeric, Symbolic, formula, latex, numeral, variable
from dpcore.maps.bounds import Bound
from dpcore.measures import Counts, Measure
from dpcore.metrics import Metric

In_co = TypeVar("In_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)


def map_at(arrow: Keeping, d_in: Numeric | Bound) -> Callable[[], Raw]:
    """The map at a distance, to be computed at the precision that is set when it is called."""
    space = arrow.input
    d = space.metric.check(d_in, space.domain)
    return partial(arrow._reading or _read(arrow), space.metric.carry(numeral(d)))


def _read(arrow: Keeping) -> Reading:
    try:
        reading = arrow.derivation.numbers()
    except FreeSymbols:
        require_known(arrow)  # says it of the whole arrow
        raise
    object.__setattr__(arrow, "_reading", reading)
    return reading


def draws_key(arrow: Arrow) -> bool:
    """Whether what it does depends on a key drawn with the release."""
    return arrow.derivation.asks("key")


class Keeping(Arrow, Protocol):
    """An arrow, and what it keeps of its derivation."""

    @property
    def _reading(self) -> Reading | None: ...
    @property
    def _run(self) -> Prepared | None: ...


# ---- for type checkers: carriers and losses, read off domains and measures -----------------------------------------


class Over(Protocol[Out_co]):
    @property
    def domain(self) -> Out_co: ...


class Applicable(Protocol[In_co, Out_co]):
    @property
    def input(self) -> Over[Takes[In_co]]: ...
    @property
    def output(self) -> Over[Gives[Out_co]]: ...


class Releasable(Protocol[In_co]):
    @property
    def input(self) -> Over[Takes[In_co]]: ...


class Measured(Keeping, Protocol[Out_co]):
    @property
    def measure(self) -> Counts[Out_co]: ...


if TYPE_CHECKING:
    from dpcore.core.solving import Solvable

    class Sought(Measured[Out_co], Solvable, Protocol[Out_co]): ...


# ---- as a formula ------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True, repr=False)
class Map:
    """From a distance `d_in` to a distance or a loss."""

    derivation: Derivation
    metric: Metric
    into: Metric | Measure

    def sympy(self) -> Symbolic | tuple[Symbolic, ...]:
        """The sympy expression in `d_in` (and in the variable of a curve); a pair where the loss is a pair."""
        formulas = tuple(f for _, f in self._formulas())
        return formulas[0] if len(formulas) == 1 else formulas

    def latex(self) -> str:
        """The formula in LaTeX."""
        found = self._formulas()
        if len(found) == 1 and self._variable() is None:
            return latex(found[0][1])
        return r",\quad ".join(f"{_latex_name(name)} = {latex(f)}" for name, f in found)

    def __str__(self) -> str:
        found = self._formulas()
        if len(found) == 1 and self._variable() is None:
            return str(found[0][1])
        return ", ".join(f"{name} = {f}" for name, f in found)

    __repr__ = __str__

    def _variable(self) -> str | None:
        return self.into.variable if isinstance(self.into, Measure) else None

    def _formulas(self) -> list[tuple[str, Symbolic]]:
        raw = self.derivation.formula()(self.metric.carry(variable("d_in", whole=self.metric.whole)))
        if isinstance(self.into, Metric):
            return [("d_out", formula(self.into.shown(number_in(raw))))]
        at = self._variable()
        if at is not None:
            curve = curve_in(self.into.shown(raw))
            return [(f"{self.into.figures[0]}({at})", formula(curve(variable(at))))]
        return list(zip(self.into.figures, map(formula, _several(self.into.shown(raw))), strict=True))


def _several(raw: Raw) -> tuple[Number, ...]:
    return raw if isinstance(raw, tuple) else (number_in(raw),)


def _latex_name(name: str) -> str:
    for greek in ("epsilon", "delta", "alpha", "beta"):
        name = name.replace(greek, rf"\{greek}")
    return name
