"""A derivation as a list of steps, each with who made it.

    given    a density, a definition, or the end of an earlier line, from which a line of thought begins
    sympy    `after` is what sympy computed from `before`, or, where a line begins, what it solved for; in a step marked
             `<=`, sympy showed `after - before >= 0`
    ours     argued in the words of the step, not by sympy: a supremum over outputs, a case split, the branch of a sum

A step that does not begin a line starts from where the one before it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from proofs.derivations.formulas import Formula, NotDerived, is_at_least_zero

By: TypeAlias = Literal["given", "sympy", "ours"]
Relation: TypeAlias = Literal["=", "<="]


@final
@dataclass(frozen=True, slots=True)
class Step:
    """`before` is equal to `after`, or at most that, for the reason in words."""

    words: str
    before: Formula
    after: Formula
    by: By
    relation: Relation = "="

    begins: bool = False
    """Whether a line begins here; the step then says what `after` is, and `before` is the same."""

    def __str__(self) -> str:
        arrow = "      " if self.begins else f"  {self.relation:>2}  "
        return f"[{self.by:5}] {self.words}\n{arrow}{self.after}"


@final
@dataclass(frozen=True, slots=True)
class Derived:
    """The map of a rule, with the steps that lead to it from a density."""

    rule: str
    steps: tuple[Step, ...]
    map: Formula | tuple[Formula, ...]

    def __str__(self) -> str:
        return "\n".join([self.rule, *map(str, self.steps)])


@final
class Line:
    """A line of thought: begins with something given, argued or solved for, and goes on from where it is."""

    def __init__(self, words: str, start: Formula, by: By = "given") -> None:
        self.steps = [Step(words, start, start, by, begins=True)]

    @property
    def end(self) -> Formula:
        return self.steps[-1].after

    def sympy(self, words: str, operation: Callable[[Formula], Formula]) -> Line:
        """What sympy makes of it, which must be something else."""
        after = operation(self.end)
        if after == self.end:
            raise NotDerived(f"sympy changes nothing in {after}")
        return self._add(Step(words, self.end, after, "sympy"))

    def at_most(self, words: str, bound: Formula) -> Line:
        """A bound, if sympy shows that it is one."""
        if not is_at_least_zero(bound - self.end):
            raise NotDerived(f"sympy does not show that {bound} >= {self.end}")
        return self._add(Step(words, self.end, bound, "sympy", "<="))

    def ours(self, words: str, after: Formula, relation: Relation = "=") -> Line:
        """A step that sympy does not make, with its argument."""
        return self._add(Step(words, self.end, after, "ours", relation))

    def _add(self, step: Step) -> Line:
        self.steps.append(step)
        return self


def derived(rule: str, *lines: Line, figures: int = 1) -> Derived:
    """The lines one after another. The last one ends with the map; of a loss of two figures, the last two."""
    ends = tuple(line.end for line in lines[-figures:])
    return Derived(rule, tuple(step for line in lines for step in line.steps), ends[0] if figures == 1 else ends)
