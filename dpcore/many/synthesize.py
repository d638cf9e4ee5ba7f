"""A synthetic table: noisy counts of its fields and of pairs of them, and the model that they lead to.

A strategy asks a filter of the whole budget, and each question is made of dpcore's own steps (`questions`), so that the
account of the filter adds up what is asked and answers nothing beyond: the loss is the budget, and nothing here is the
user's word. Which questions, `strategies` says; scales are such that all of them cost the budget, roots being rounded
up. What follows from the answers is post-processing: `estimates` has which model, `models` how it is found. In a
certificate the filter stands with the first question as its premise, which is known beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Final, TypeVar, final

from dpcore.core import Measurement, Space
from dpcore.core.origins import MADE, Call, Contents, Part, Placed, SomeSpace
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Record, Rows
from dpcore.errors import DomainMismatch, InvalidParameter, printed
from dpcore.interaction.interactive import interactive, view
from dpcore.many.public import figure_of
from dpcore.many.questions import Plan
from dpcore.many.strategies import BY_METHOD, Method, Strategy, asking_by
from dpcore.many.synthetic_table import SyntheticTable
from dpcore.many.universe import MOST_CELLS, universe_of
from dpcore.measures import ZCDP
from dpcore.measures.losses import ZCDPLoss
from dpcore.metrics import ChangeOneDistance, RowMetric

M = TypeVar("M", bound=RowMetric)

FEW_FIELDS: Final = 10
"""Of more fields there are more pairs than noise leaves something of."""

MOST_VALUES: Final = 500

MOST_PAIRS: Final = 20_000

MOST_OF_PAIRS: Final = 6 * 10**6
"""So many cells of all pairs are looked at in a choice."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Synthesize(Step, Placed):
    """See `synthesize`."""

    loss: ZCDPLoss
    method: Method | None

    word = "synthesize"
    positional = 1
    defaults: ClassVar[Mapping[str, object]] = {"method": None}

    def __call__(self, space: Space[Rows[D], M]) -> Measurement[Rows[D], M, ZCDP, SyntheticTable]:
        strategy = self._strategy(space)
        asked: Any = view(interactive(space, self.loss, [strategy.first(space)]), strategy)
        return Measurement(space, asked.measure, asked.derivation, Call(self, (space,)), MADE)

    def _strategy(self, space: Space[Rows[D], M]) -> Strategy:
        of = row_domain(self, space)
        if not isinstance(of, Record):
            raise DomainMismatch(
                "cannot chain: a table has fields",
                right=self,
                produced=of,
                expected="record(...)",
                bridge="select(name=...)",
            )
        universe = universe_of(of, self, most=MOST_CELLS**20)
        cells = [m * n for m, n in combinations(universe.shape, 2)]
        if len(cells) > MOST_PAIRS or sum(cells) > MOST_OF_PAIRS or max(universe.shape) > MOST_VALUES:
            raise DomainMismatch(
                "the fields are too many, or one has too many values, for all pairs to be looked at",
                right=self,
                produced=of,
                expected=f"at most {MOST_VALUES} values each",
                bridge="select(...) of fewer fields, or of wider ranges, field('age') // 10",
            )
        plan = Plan(universe, figure_of(self.loss, ZCDPLoss), 2 if isinstance(space.metric, ChangeOneDistance) else 1)
        few: Method = "pairs" if len(universe.shape) <= FEW_FIELDS else "mst"
        return asking_by(plan, self.method or few)

    def contents(self, space: SomeSpace) -> Contents:
        """Of what is asked only the first question is known before."""
        known: Any = space
        return Contents((Part(self._strategy(known).first(known), space),), None, "what synthesize asks next")


def synthesize(loss: ZCDPLoss, *, method: Method | None = None) -> Synthesize:
    """A synthetic table in the place of a table, `people >> synthesize(zcdp("1/8"))`: a graphical model of its fields.

    Rows are records whose fields have finitely many values. The loss is exactly what is said. `method` says what is counted:
    `"pairs"`, each pair of fields once; `"mst"`, each field, and the pairs of a tree; `"aim"`, each field, and pairs in
    rounds, those first that are wrong most. Without, it is all pairs of at most ten fields, and a tree of more. The
    release has `.rows(n, like=table)`, which is a table of the same library, `.marginal("age", "region")`, and `.edges`:
    which fields depend most on each other.
    """
    figure_of(loss, ZCDPLoss)
    if method not in (None, *BY_METHOD):
        raise InvalidParameter(
            f"Expected one of {', '.join(BY_METHOD)} as the method but got {printed(method)}",
            produced=method,
            expected=sorted(BY_METHOD),
        )
    return Synthesize(loss, method)
