"""Functions that stand where a user's would: named, so that a print can be read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeAlias, cast

import dpcore as dp
from dpcore.errors import BudgetExceeded
from dpcore.maps import Number, Numeric
from dpcore.types import Comparisons, Curator, OnlineWeights
from tests.laws.examples.example import AB, CHANGE_ONE, LETTERS, Letters

Counted: TypeAlias = dp.types.Measurement[Letters, dp.SymmetricDistance, dp.PureDP, int]
"""A noisy count, under the type of one measure whatever its own: which one it is, is not for types to say here."""

Stage: TypeAlias = Callable[[tuple[int, ...]], Counted]


def halved(row: int) -> int:
    return row // 2


def is_odd(row: int) -> bool:
    return row % 2 == 1


def repeated(row: str) -> list[str]:
    return [row, row, row]


def upper(row: str) -> str:
    return row.upper()


def same(d: Number) -> Number:
    return d


def double(d: Number) -> Number:
    return 2 * d


def pair(d: Number) -> tuple[Number, Number]:
    return d, d / 100


def tally_ab(rows: Sequence[str]) -> list[int]:
    return [2 * rows.count("a"), 2 * rows.count("b")]


def tally_v(rows: Sequence[Mapping[str, str]]) -> list[int]:
    return [sum(row["v"] == v for row in rows) for v in ("a", "b")]


def diagonal(x: Sequence[int]) -> list[int]:
    return [x[0], x[1], x[0]]


def nothing(data: object) -> str:
    return "nothing"


def weeks(x: object, y: object) -> Fraction:
    """Two rows change in a week."""
    found = dp.SymmetricDistance().carried(x, y)
    return Fraction(-(-int(found) // 2))


# ---- noisy counts, and stages of an adaptive composition ------------------------------------------------------------


@cache
def counted(measure: str = "pure", key: str | None = None) -> Counted:
    """A noisy count, of all rows or of those with one key, in each of the measures."""
    rows = (LETTERS if key is None else LETTERS >> dp.filter(dp.row() == key)) >> dp.count()
    laplace = rows >> dp.laplace(scale="1/2")
    gaussian = rows >> dp.gaussian(sigma=1)
    profile = rows >> dp.gaussian(sigma=1, measure=dp.Profile)
    found: Mapping[str, Callable[[], object]] = {
        "pure": lambda: laplace,
        "approx": lambda: profile.to(dp.ApproxDP, epsilon=1),
        "zcdp": lambda: gaussian,
        "renyi": lambda: gaussian.to(dp.RenyiDP),
        "gaussian": lambda: laplace.to(dp.GaussianDP),
        "total_variation": lambda: laplace.to(dp.TotalVariation),
        "profile": lambda: profile,
        "tradeoff": lambda: laplace.to(dp.Tradeoff),
    }
    return cast(Counted, found[measure]())


MEASURES = ("pure", "approx", "zcdp", "renyi", "gaussian", "total_variation", "profile", "tradeoff")
ADD_UP = ("pure", "approx", "zcdp", "gaussian", "total_variation")
"""Measures whose losses add up and are lifted."""


def _stages(measure: str) -> tuple[Stage, Stage]:
    """An adversary: the first answer decides about whom he asks next."""

    def first(seen: tuple[int, ...]) -> Counted:
        return counted(measure)

    def second(seen: tuple[int, ...]) -> Counted:
        return counted(measure, "a" if seen[0] % 2 else "b")

    first.__qualname__, second.__qualname__ = f"ASKED[{measure!r}][0]", f"ASKED[{measure!r}][1]"
    return first, second


ASKED = {measure: _stages(measure) for measure in (*ADD_UP, "renyi")}


# ---- whoever asks a curator ------------------------------------------------------------------------------------------

Asker = Curator[Letters, dp.SymmetricDistance, dp.PureDP]
Compared = Comparisons[Letters, dp.SymmetricDistance]
COUNT = LETTERS >> dp.count()
COUNT_OF_A = LETTERS >> dp.filter(dp.row() == "a") >> dp.count()


def _asker(measure: str) -> Callable[[Asker], tuple[int, ...]]:
    """The same adversary, as long as the budget lasts."""
    first, second = ASKED[measure]

    def both(curator: Asker) -> tuple[int, ...]:
        seen = curator.ask(first(()))
        try:
            return seen, curator.ask(second((seen,)))
        except BudgetExceeded:
            return (seen,)

    both.__qualname__ = f"ASKERS[{measure!r}]"
    return both


ASKERS = {measure: _asker(measure) for measure in (*ADD_UP, "renyi")}


def until_above(comparisons: Compared) -> list[bool]:
    """Is there a row; then the same again, or of a, by what was said."""
    seen = [comparisons.ask(COUNT)]
    return seen if comparisons.over else [*seen, comparisons.ask(COUNT_OF_A if seen[0] else COUNT)]


def either_letter(weights: OnlineWeights[dp.PureDP]) -> list[float]:
    """The share of a; then of a again, or of all, by what was said."""
    seen = [weights.ask(dp.row() == "a")]
    return seen if weights.over else [*seen, weights.ask(dp.row() == "a" if seen[0] > 1 / 3 else dp.literal(True))]


def between_others(both: tuple[Compared, ...]) -> object:
    """A question to the other in between, by whose answer the next query is chosen."""
    comparisons, curator = both[0], cast(Asker, both[1])
    first = comparisons.ask(COUNT)
    seen = curator.ask(ASKED["pure"][0](()))
    return first, seen, None if comparisons.over else comparisons.ask(COUNT_OF_A if seen > 0 else COUNT)


def asked_then_compared(curator: Curator[Letters, dp.SymmetricDistance, dp.ApproxDP]) -> object:
    """An above-threshold that is begun, a question with a delta in between, and comparisons by what it said."""
    comparisons = curator.above_threshold(1, threshold_scale="1/4", query_scale="1/4")
    first = comparisons.ask(COUNT)
    seen = curator.ask((COUNT >> dp.uniform_noise(1)).to(dp.ApproxDP))
    return first, seen, None if comparisons.over else comparisons.ask(COUNT_OF_A if seen > 0 else COUNT)


def compared_in_zcdp(curator: Curator[Letters, dp.SymmetricDistance, dp.ZCDP]) -> object:
    """The same where the charge is half a square, and the question in between has Gaussian noise."""
    comparisons = curator.above_threshold(1, threshold_scale="1/4", query_scale="1/4")
    first = comparisons.ask(COUNT)
    seen = curator.ask(COUNT >> dp.gaussian(sigma="1/3"))
    return first, seen, None if comparisons.over else comparisons.ask(COUNT_OF_A if seen > 0 else COUNT)


def turn_by_turn(curators: tuple[Asker, ...]) -> tuple[int, int]:
    first, second = ASKED["pure"]
    seen = curators[1].ask(first(()))
    return seen, curators[0].ask(second((seen,)))


REPLACED = dp.rows(AB, CHANGE_ONE)


def rarely(delta: Numeric) -> dp.types.Measurement[Letters, dp.ChangeOneDistance, dp.ApproxZCDP, object]:
    """Rows as they are, now and then: all that is lost is delta."""
    return (REPLACED >> dp.name_and_shame(delta)).to(dp.ApproxDP).to(dp.ApproxZCDP)


def twice(curator: Curator[Letters, dp.ChangeOneDistance, dp.ApproxZCDP]) -> tuple[object, ...]:
    """Whoever asks once more, and for more, if he has seen nothing."""
    first = curator.ask(rarely("1/4"))
    return (first,) if first else (first, curator.ask(rarely("1/3")))
