"""The map of an arrow, to be read: printed, as LaTeX, or as a sympy expression.

A formula is derived from the same rules that give the number, and nothing is ever evaluated through it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.derivation import Derivation, Raw, curve_in, number_in
from dpcore.maps import Number, Symbolic, formula, latex, variable
from dpcore.measures import Measure
from dpcore.metrics import Metric


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
