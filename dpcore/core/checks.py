"""What steps check of the space they are called with, and combinators of measurements, where types cannot see it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from dpcore.calculus import Derivation, Rule
from dpcore.core.arrows import Measurement
from dpcore.core.origins import SomeSpace
from dpcore.core.spaces import Named, Space
from dpcore.core.steps import Step
from dpcore.domains import Domain, NumberDomain, Optional, Vector
from dpcore.errors import (
    BudgetExceeded,
    DomainMismatch,
    InvalidParameter,
    MeasureMismatch,
    MetricMismatch,
    is_callable,
    printed,
)
from dpcore.expressions import Expression, row
from dpcore.functions import UserFunction, looked_at, user_function
from dpcore.maps import counted, show
from dpcore.measures import Measure
from dpcore.measures.losses import Loss
from dpcore.metrics import ChangeOneDistance, Granularity, Metric, PersonDistance, SymmetricDistance


def a_measurement(x: object) -> Measurement[Domain, Metric, Measure, object]:
    """Refuse what is none, where a caller without a type checker may hand over anything."""
    if not isinstance(x, Measurement):
        raise InvalidParameter(f"Expected a measurement but got a {type(x).__name__}", produced=x)
    return x


def within_budget(chosen: object, space: Space[Domain, Metric], budget: Loss, stage: int) -> Derivation:
    """How the chosen measurement is derived; everything is checked before it sees the data."""
    if not isinstance(chosen, Measurement):
        raise InvalidParameter(f"stage {stage} chose a {type(chosen).__name__} where a measurement is needed")
    if chosen.input != space:
        raise MeasureMismatch(
            f"stage {stage} chose a measurement on another space", produced=chosen.input, expected=space
        )
    loss: Loss = chosen.loss(1)
    if type(loss) is not type(budget):
        raise MeasureMismatch(f"stage {stage} chose a measurement in another measure", produced=loss, expected=budget)
    if not loss <= budget:
        raise BudgetExceeded(
            f"stage {stage} chose a measurement that costs more than was fixed: it costs {loss}; left for it was {budget}",
            produced=loss,
            expected=budget,
            bridge="more noise (.solve(loss, 1) says how much), or a stage with more of the loss",
        )
    return chosen.derivation


def by_metric(
    step: Step,
    space: SomeSpace,
    *,
    symmetric: Rule | None = None,
    change_one: Rule | None = None,
    person: Rule | None = None,
    bridge: str | None = None,
) -> Rule:
    """The rule of the step under the metric of the space; refuses metrics it has no rule for."""
    choices = ((SymmetricDistance, symmetric), (ChangeOneDistance, change_one), (PersonDistance, person))
    for kind, choice in choices:
        if choice is not None and isinstance(space.metric, kind):
            return choice
    raise MetricMismatch(
        f"cannot chain: {step.word} has no rule under this metric",
        right=step,
        produced=space.metric,
        expected=Named(" or ".join(kind.__name__ for kind, choice in choices if choice is not None)),
        bridge=bridge or _metric_bridge(space.metric, symmetric, change_one),
    )


def _metric_bridge(metric: Metric, symmetric: Rule | None, change_one: Rule | None) -> str | None:
    """The step or the space that leads to a metric with a rule."""
    if isinstance(metric, PersonDistance):
        return "bound_contributions(limit) first"
    if isinstance(metric, (ChangeOneDistance, Granularity)) and symmetric is not None:
        return "to_metric(SymmetricDistance) first"
    if change_one is not None:
        return "rows(..., metric=ChangeOneDistance), or to_metric(ChangeOneDistance) where the size is known"
    return 'rows(..., metric=PersonDistance("field")), with the field that says whose row it is'


def expect(step: Step, domain: Domain, what: str, accepts: Callable[[Domain], bool], bridge: str | None = None) -> None:
    """Refuse a domain that the step has no meaning on."""
    if not accepts(domain):
        raise DomainMismatch(
            f"cannot chain: {step.word} needs {what}", right=step, produced=domain, expected=Named(what), bridge=bridge
        )


def bridge_for(domain: Domain) -> str | None:
    """The step that makes such rows summable, where one does."""
    if isinstance(domain, Optional):
        return "drop_nulls() to leave missing values out, or select(row().fill_null(...), domain) to give them one"
    if isinstance(domain, NumberDomain) and domain.grid is None:
        return "quantize(step) to round to a grid: no float is ever summed"
    if isinstance(domain, Vector):
        if isinstance(domain.of, NumberDomain) and domain.of.grid is None:
            return "quantize(step), then sum(norm=L1Distance) for the sum of vectors"
        return "sum(norm=L1Distance) for the sum of vectors"
    return None


def row_function(function: object, name: str = "function", *, arrays: bool = False) -> UserFunction:
    """A user's function of a row; what gives `arrays`, only where these are values. An expression's method that was never
    called is none, and neither is an estimator's, which is given many rows."""
    owner = looked_at(lambda: getattr(function, "__self__", None))
    if isinstance(owner, Expression):
        method = f"{owner!r}.{getattr(function, '__name__', '')}"
        raise InvalidParameter(f"{method} was not called", produced=function, bridge=f"{method}(...)")
    of_one_row(function, name, arrays=arrays)
    return user_function(function, name, 'an expression of the row, such as field("age") >= 18')


def of_one_row(function: object, name: str, *, arrays: bool) -> None:
    """Refuse what every row would end: what is known to take or to give an array of many."""
    while isinstance(function, partial):
        function = function.func
    vectorized: Any = getattr(sys.modules.get("numpy"), "vectorize", ())
    if isinstance(function, vectorized) and not arrays:
        raise InvalidParameter(
            f"Expected a function of one row for {name} but got a numpy.vectorize, which gives an array even of one number",
            produced=type(function),
            bridge="the function that it was made of, f.pyfunc",
        )
    owner, called = (looked_at(partial(getattr, function, each, None)) for each in ("__self__", "__name__"))
    if called in OF_MANY and all(
        is_callable(looked_at(partial(getattr, owner, each))) for each in ("fit", "get_params")
    ):
        raise InvalidParameter(
            f"Expected a function of one row for {name} but got {type(owner).__name__}.{called}, which is given many rows",
            produced=type(owner),
            bridge="lambda row: f([row])[0].item(), of rows that are vectors; f([[row]]) of numbers",
        )


OF_MANY: Final = frozenset(
    {"predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score_samples"}
)
"""The methods of an estimator that are given a matrix."""


def key_of(by: object) -> Expression | UserFunction:
    """What rows are grouped by: an expression, a user's function, or the row itself."""
    if isinstance(by, str):
        raise InvalidParameter(
            f"Expected an expression for by but got the text {by!r}", produced=by, bridge=f"field({by!r})"
        )
    if by is None:
        return row().structure()
    return by.structure() if isinstance(by, Expression) else row_function(by, "by")


def by_on(by: Expression | UserFunction, of: Domain) -> Expression | UserFunction:
    """What rows are grouped by, as rows of this domain understand it."""
    return by.on(of) if isinstance(by, Expression) else by


def number_of(value: object, name: str, least: int, most: int | None = None) -> int:
    """A whole number of at least so much, and at most so much, where all of so many would never be made: a Python int.

    What takes a count keeps what this gives and not what it was given, so that it prints, and is certified, alike.
    """
    count = counted(value)
    if count is None or count < least:
        shown = printed(value) if count is None else show(count)
        raise InvalidParameter(
            f"Expected {name} to be a whole number of at least {least} but got {name}={shown}",
            produced=value,
            bridge="int(...) of a number with a point" if count is None and isinstance(value, float) else None,
        )
    if most is not None and count > most:
        raise InvalidParameter(
            f"Expected {name} to be a whole number of at most {most} but got {name}={show(count)}", produced=value
        )
    return count


def some_number_of(value: object, name: str, least: int, most: int | None = None) -> int | None:
    """The same where it may be left out."""
    return None if value is None else number_of(value, name, least, most)
