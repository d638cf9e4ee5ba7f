"""Private gradient descent: in each round the sum of all rows' gradients, each brought within a norm, with noise.

A round is made of steps that are here already:

    rows >> select([gradient of the row]) >> clip_norm(clip) >> sum >> noise

Each row's gradient is clipped by the library, so a row moves the sum by at most `clip`, whatever the function says: only
that it is a function of the row alone is asked of it. An expression cannot be anything else. Of a numpy function on blocks
it is its author's word (`dpcore.engines.blocks` says how little is asked); a function that looks at the rows beside is
caught on rows made up, before it sees any data. The parameters of a round are those that the rounds before led to, which
were released. The rounds are stages of `adaptive`, each of an equal share of the loss.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, final, overload

import numpy as np

from dpcore.combinators.adaptive import adaptive
from dpcore.core import Measurement, Space, made_of
from dpcore.core.checks import number_of, some_number_of
from dpcore.core.spaces import row_domain
from dpcore.core.steps import Step
from dpcore.core.typing import D
from dpcore.domains import Array, Domain, Norm, Record, Rows, Vector, numbers
from dpcore.engines.blocks import MARGIN, Block, OfBlocks, is_numeric
from dpcore.errors import DomainMismatch, InvalidParameter
from dpcore.expressions import Expr, Expression
from dpcore.expressions.expr import Value
from dpcore.functions import UserFunction, digest_of, known_as, user_function
from dpcore.learning.rounds import MOST_ROUNDS, InRounds, Point, Release, noisy, point, scale_costing
from dpcore.maps import Exact, Numeric, exact, is_formula, known, positive
from dpcore.measures import ZCDP, Measure, PureDP
from dpcore.measures.losses import Loss, PureLoss, ZCDPLoss
from dpcore.metrics import RowMetric
from dpcore.transformations.clip_norm import clip_norm
from dpcore.transformations.row_map import RowMap, select
from dpcore.transformations.sum import sum as vector_sum

M = TypeVar("M", bound=RowMetric)
ME = TypeVar("ME", bound=Measure)

Gradient: TypeAlias = Callable[[list[Fraction]], Sequence[Expression]]
"""Of parameters, the gradient of a row, entry by entry."""
OnBlock: TypeAlias = Callable[[Any, Any], Any]
"""Of parameters and a block of rows, as arrays of floats, the gradient of each row: an array of as many rows."""

FINE: Final = Fraction(1, 1 << 20)
"""The grid of parameters: coarse enough for what is computed of them and of rows on a grid to fit into 64 bits."""

STEPS: Final = 1 << 10
"""Into so many steps `clip` is divided, where nothing else is said."""

FINEST: Final = 1 << 20
"""Into no more steps than these, where it is a function on blocks that gives the gradient."""


@final
@dataclass(frozen=True, slots=True, repr=False)
class Descend(Step, InRounds, Generic[ME]):
    """See `descend`."""

    gradient: UserFunction
    rounds: int
    loss: Loss
    clip: Exact
    start: Point
    rate: Exact
    size: int | None = None
    step: Exact | None = None

    word = "descend"
    positional = 2
    defaults: ClassVar[dict[str, object]] = {"size": None, "step": None}

    def __post_init__(self) -> None:
        number_of(self.rounds, "rounds", 1, MOST_ROUNDS)
        noisy(self.loss, self.word)
        for name in ("clip", "rate", *(() if self.step is None else ("step",))):
            positive(known(getattr(self, name), name), name)
        if self.size is not None:
            number_of(self.size, "size", 1)
        of_parameters(self.gradient)

    def __call__(self, space: Space[Rows[D], M]) -> Measurement[Rows[D], M, ME, list[Fraction]]:
        row_domain(self, space)
        share = self.loss.scaled(Fraction(1, self.rounds))
        one_round, after = self._rounds(space, share), self._after(self._rows(space))

        def next_round(seen: Any) -> Release:
            return one_round(after(seen))

        def found(seen: Sequence[Sequence[Fraction]]) -> list[Fraction]:
            return list(after(seen))

        one_round(self.start)  # what cannot be chained is refused now
        # What the rounds cost rests on the gradient where it is a function on blocks, so it is named beside the choice.
        name, digest = f"{self.word} by {self.gradient.told}", digest_of((next_round, self.gradient.digest))
        stages: Any = [(share, known_as(next_round, name, digest))] * self.rounds
        whole: Release = adaptive(space, stages).then(found)
        return made_of(self, space, whole)

    def round(self, space: Space[Rows[D], M], parameters: Sequence[Numeric] | None = None) -> Release:
        """One round alone, with its whole derivation: the sum of the gradients at these parameters."""
        row_domain(self, space)
        at = self.start if parameters is None else point(parameters, "parameters")
        return self._rounds(space, self.loss.scaled(Fraction(1, self.rounds)))(at)

    def _rows(self, space: Space[Rows[D], M]) -> int:
        """The number of rows that sums are divided by."""
        size = self.size or space.domain.size
        if not size:
            raise InvalidParameter(
                f"{self.word} needs to know about how many rows there are: sums are divided by that",
                right=self,
                produced=space.domain,
                bridge="size=n, a public number; or rows(..., size=n)",
            )
        return size

    def _after(self, size: int) -> Callable[[Sequence[Sequence[Fraction]]], Point]:
        """Where releases lead to: each time against the sum, as far as the rate says."""
        rate = Fraction(known(self.rate)) / size

        def after(seen: Sequence[Sequence[Fraction]]) -> Point:
            at = self.start
            for total in seen:
                at = tuple([round((x - rate * g) / FINE) * FINE for x, g in zip(at, total, strict=True)])
            return at

        return after

    def _rounds(self, space: Space[Any, Any], share: Loss) -> Callable[[Point], Release]:
        """What makes a round of its parameters. No scale depends on them."""
        how, of = noisy(self.loss, self.word), space.domain.of
        step = known(self.step) if self.step is not None else Fraction(known(self.clip)) / STEPS
        gradients = self._on_blocks(of, how.norm().norm, Fraction(step)) if is_on_blocks(self.gradient) else None

        def clipped(at: Point) -> Any:
            each: Any = self._by_expressions(at, step) if gradients is None else gradients(at)
            return space >> each >> clip_norm(self.clip, norm=how.norm) >> vector_sum(norm=how.norm)

        scale = scale_costing(lambda b: clipped(self.start) >> how.noise(b), share)
        if gradients is not None:
            within_floats(scale * Fraction(known(self.rate)), "the noise times the rate")
        return lambda at: clipped(at) >> how.noise(scale)

    def _by_expressions(self, at: Point, step: int | Fraction) -> Any:
        """Entries on the grid, of a function of the row that is written down."""
        entries = self.gradient.function(list(at))
        if not isinstance(entries, (list, tuple)) or not all(isinstance(e, Expression) for e in entries):
            raise InvalidParameter("Expected the gradient to be a list of expressions", produced=type(entries))
        self._as_many(len(entries))
        rounded: list[Expr[Value]] = [Expr(e.node).round(step) for e in entries]
        vectors: Any = select
        return vectors(rounded)

    def _as_many(self, entries: int) -> None:
        if entries != len(self.start):
            raise InvalidParameter(
                f"Expected a gradient of {len(self.start)} entries, as the parameters have, but got {entries}"
            )

    def _on_blocks(self, of: Domain, norm: Norm, step: Fraction) -> Callable[[Point], RowMap[Any]]:
        if not is_numeric(of):
            raise DomainMismatch(
                "a function on blocks needs rows of numbers",
                right=self,
                produced=of,
                expected=Vector,
                bridge="select(...) of what it reads",
            )
        bound = within_floats(Fraction(known(self.clip)), "clip")
        for each in self.start:
            within_floats(abs(each) + 1, "start")
        within_floats(step, "step")
        # Else the last bits of floats would reach over the margin within which rows are asked alone.
        if bound > FINEST * step:
            raise InvalidParameter(
                f"Expected a step of at least clip/{FINEST} for a function on blocks, which computes with floats",
                right=self,
                produced=step,
            )
        most = -(-bound // step) * step
        domain = Vector(numbers(-most, most, step), len(self.start))

        def at(parameters: Point) -> RowMap[Any]:
            theta = np.array([float(x) for x in parameters])
            function: Any = self.gradient.function

            def gradient_at(block: Any) -> object:
                return function(theta.copy(), _copied(block))

            here = OfBlocks(known_as(gradient_at, self.gradient.name, ""), len(parameters), bound, norm, step)
            return RowMap(known_as(here, self.gradient.name, self.gradient.digest), domain)

        looks_at_one_row(at(self.start).function.function, of)
        return at


def within_floats(x: Fraction, name: str) -> Fraction:
    """Refuse what is so large or so small that floats made of it would be none."""
    if not 1 / Fraction(LARGEST) <= x <= LARGEST:
        raise InvalidParameter(
            f"Expected {name} to be from 1/10^100 to 10^100, as it is computed with floats", produced=Fraction
        )
    return x


def _copied(block: Block) -> Block:
    """What the function writes into is its own."""
    return block.copy() if isinstance(block, np.ndarray) else {name: values.copy() for name, values in block.items()}


# ---- what is asked of the function of a user ---------------------------------------------------------------------------


def of_parameters(gradient: UserFunction) -> int:
    """How many arguments it takes: the parameters, or also a block of rows."""
    try:
        taken = inspect.signature(gradient.function).parameters.values()
    except (TypeError, ValueError):
        taken = None
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = 0 if taken is None else len([p for p in taken if p.kind in kinds and p.default is p.empty])
    if found not in (1, 2):
        raise InvalidParameter(
            "Expected the gradient to be a function of the parameters, which gives expressions, or of the parameters and a"
            " block of rows, which gives an array",
            produced=gradient,
        )
    return found


def is_on_blocks(gradient: UserFunction) -> bool:
    return of_parameters(gradient) == 2


MADE_UP: Final = 24
"""So many rows are made up."""

LARGEST: Final = 10**100
"""No number that is made up is larger: floats end somewhere."""


def looks_at_one_row(f: object, of: Domain) -> None:
    """Refuse a function that gives a row something else where other rows stand beside it, as far as rows made up show it."""
    assert isinstance(f, OfBlocks)
    draws = np.random.default_rng(0)
    block = {name: _made_up(draws, each) for name, each in _columns(of)}
    whole = f.scaled(_block(block, slice(None)), MADE_UP)
    for rows in (slice(None, None, -1), slice(0, MADE_UP // 2), slice(MADE_UP // 2, None, 3)):
        part = f.scaled(_block(block, rows), len(whole[rows]))
        if not (np.abs(part - whole[rows]) <= MARGIN).all():
            raise InvalidParameter(
                f"the function {f.function.name} gives a row another gradient where other rows stand beside it: "
                "the gradient of a row is a function of that row alone",
                produced=f.function,
            )


def _columns(of: Domain) -> list[tuple[object, Domain]]:
    if isinstance(of, Record):
        return list(of.fields)
    assert isinstance(of, Vector)
    return [(i, of.of) for i in range(of.size)]


def _made_up(draws: np.random.Generator, of: Domain) -> Any:
    """Numbers of the domain, or near it."""
    low, high = getattr(of, "low", 0), getattr(of, "high", 1)
    ends = [
        default if end is None or is_formula(end) else float(max(-LARGEST, min(LARGEST, end)))
        for end, default in ((low, -1.0), (high, 1.0))
    ]
    return draws.uniform(min(ends), max(ends), MADE_UP)


def _block(columns: dict[object, Any], rows: slice) -> Block:
    if 0 in columns:
        return np.ascontiguousarray(np.column_stack([values[rows] for values in columns.values()]))
    return {str(name): np.ascontiguousarray(values[rows]) for name, values in columns.items()}


# ---- the constructor ---------------------------------------------------------------------------------------------------


@overload
def descend(
    gradient: Gradient | OnBlock,
    rounds: int,
    loss: PureLoss,
    *,
    clip: Numeric,
    start: Sequence[Numeric] | Array,
    rate: Numeric = 1,
    size: int | None = None,
    step: Numeric | None = None,
) -> Descend[PureDP]: ...
@overload
def descend(
    gradient: Gradient | OnBlock,
    rounds: int,
    loss: ZCDPLoss,
    *,
    clip: Numeric,
    start: Sequence[Numeric] | Array,
    rate: Numeric = 1,
    size: int | None = None,
    step: Numeric | None = None,
) -> Descend[ZCDP]: ...
def descend(
    gradient: Gradient | OnBlock,
    rounds: int,
    loss: Loss,
    *,
    clip: Numeric,
    start: Sequence[Numeric] | Array,
    rate: Numeric = 1,
    size: int | None = None,
    step: Numeric | None = None,
) -> object:
    """The parameters after so many rounds of descent, each along the sum of all rows' clipped gradients, with noise.

        descend(lambda theta: [(row()[0] * theta[0] - row()[1]) * row()[0]], 30, zcdp("1/2"), clip=1, start=[0], size=9000)
        descend(lambda theta, X: (X[:, 0] * theta[0] - X[:, 1])[:, None] * X[:, :1], 30, zcdp("1/2"), clip=1, start=[0])

    The gradient is a function of the parameters that gives expressions of a row, one for each entry; or one of the
    parameters and a block of rows (a matrix of floats, or of records their columns by name) that gives an array, a row for
    each row. Of the second it is an assumption that each row's gradient is a function of that row alone. All are brought
    within `clip` by the library, in L1 for a loss in PureDP, in L2 for one in ZCDP, and onto multiples of `step` (a 1024th
    of `clip`). The parameters move against the sum, by `rate` over the number of rows: `size`, where it is not known.
    """
    return Descend(
        user_function(gradient, "gradient"),
        number_of(rounds, "rounds", 1, MOST_ROUNDS),
        loss,
        exact(clip, "clip"),
        point(start, "start"),
        exact(rate, "rate"),
        some_number_of(size, "size", 1),
        None if step is None else exact(step, "step"),
    )
