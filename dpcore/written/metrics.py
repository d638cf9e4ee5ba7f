"""Metrics: for each its name, its class and its fields; and what 1 apart is, as the checkers say it."""

from __future__ import annotations

from functools import partial
from typing import Final, final

from dpcore.calculus.parameters import COUNT, Data, Json, Parameter, Variant, Varied, fields
from dpcore.calculus.parameters.quoting import quoted
from dpcore.calculus.parameters.words import plain
from dpcore.metrics import (
    AbsoluteDistance,
    ChangeOneDistance,
    DiscreteDistance,
    EdgeDistance,
    Granularity,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    NodeDistance,
    PartDistance,
    PathGranularity,
    PersonDistance,
    RangeDistance,
    SymmetricDistance,
)
from dpcore.written.functions import FUNCTION
from dpcore.written.texts import TEXT


@final
class MetricKind(Varied[Metric]):
    """A metric."""

    def words(self, written: Json) -> str:
        """Its name, and what it is of."""
        if not isinstance(written, dict):
            return plain(written)
        more = [
            FUNCTION.words(value) if name == "function" else self.words(value)
            for name, value in written.items()
            if name != "kind"
        ]
        return plain(written.get("kind")) + (f" ({', '.join(more)})" if more else "")

    def neighbours(self, written: Json) -> str:
        """What 1 apart is, in full: with the function that says so, if it is the user's own."""
        variant, given = self.read(written)
        return variant.words(given)


METRIC: Final = MetricKind("metric")


def _as_dpcore_says(d: Data) -> str:
    return METRIC.decode(d).words()


def _persons(d: Data) -> str:
    return f"all rows of one person, whom the field {quoted(TEXT.decode(d['person']))} names, added or removed"


def _own(asked: str, d: Data) -> str:
    name, function = quoted(TEXT.decode(d["name"])), FUNCTION.words(fields(d["function"]))
    return f"one step of {name}, in the words of its author; {asked}, says the function {function}"


_RELATION: Final = (Parameter("name", TEXT), Parameter("function", FUNCTION), Parameter("rows", COUNT, nullable=True))


_PLAIN: Final[tuple[type[Metric], ...]] = (
    *(SymmetricDistance, ChangeOneDistance, DiscreteDistance, AbsoluteDistance),
    *(L1Distance, L2Distance, LInfDistance, RangeDistance, EdgeDistance, NodeDistance),
)

METRICS: Final[tuple[Variant[Metric], ...]] = (
    *(Variant(metric.__name__, metric, (), _as_dpcore_says) for metric in _PLAIN),
    Variant("PersonDistance", PersonDistance, (Parameter("person", TEXT, held="by"),), _persons),
    Variant(
        "PartDistance",
        PartDistance,
        (Parameter("within", METRIC, held="of"),),
        lambda d: f"{METRIC.neighbours(d['within'])}, in any of the parts",
    ),
    Variant("Granularity", Granularity, _RELATION, partial(_own, "how far apart data are")),
    Variant(
        "PathGranularity",
        PathGranularity,
        _RELATION,
        lambda d: f"{_own('which data are one step apart', d)}; data k apart are joined by k steps",
    ),
)
"""Each metric, as certificates have it."""

METRIC.variants.extend(METRICS)
