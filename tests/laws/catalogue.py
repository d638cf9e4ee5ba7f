"""Every rule of the calculus at work. A rule without an example here, or a constructor, is a failing test.

An example is an arrow built through the public face, and the atoms of a universe so small that all its members, and all
pairs of them, can be tried. `slack` says why the bound is not reached between neighbours there; where it says nothing, it
is reached, and the laws check that too.
"""

from __future__ import annotations

from tests.laws.examples import abreast, choices, combined, converted, learned, noise, numbers, rows
from tests.laws.examples.example import Example, Examples, Symbolic
from tests.laws.examples.symbolic import SYMBOLIC

__all__ = ["EXAMPLES", "LARGE", "MEASUREMENTS", "SYMBOLIC", "TRANSFORMATIONS", "Example", "Symbolic"]

TRANSFORMATIONS: Examples = [
    *rows.EACH_ALONE,
    *rows.SOME_OF_THEM,
    *rows.APART,
    *rows.IN_ANOTHER_METRIC,
    *numbers.SUMS,
    *numbers.VECTORS,
    *numbers.BETWEEN_NORMS,
]

MEASUREMENTS: Examples = [
    *noise.NOISE,
    *choices.ANSWERS,
    *choices.ALONE,
    *choices.BEST,
    *choices.ABOVE,
    *choices.OF_ROWS,
    *combined.COMBINED,
    *abreast.ABREAST,
    *converted.CONVERTED,
]

LARGE: Examples = [*choices.LARGE, *learned.LEARNED]
"""Those of which the smallest universe is too large to try; tests of their own hold them to what they claim."""

EXAMPLES: Examples = [*TRANSFORMATIONS, *MEASUREMENTS]
