"""Every error of the family, with the attributes that a program reads and the printed form that a person reads."""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import dpcore as dp
from dpcore import errors
from dpcore.extras import require
from tests.interaction.ledgers.ledgers import opened

d: Any = dp  # most of these are type errors as well, see `tests/typing`

ages = d.rows(d.integers())
replaced = d.rows(d.integers(), d.ChangeOneDistance())
people = d.rows(d.record(age=d.integers(0, 120), region=d.categories("N", "S")))
number = ages >> d.count()
noisy = number >> d.laplace(1)
by_region = people >> d.histogram(d.field("region"))

NONE: object = object()  # nothing is said about this attribute


class Case:
    """An error, and what it must say."""

    def __init__(
        self,
        made: Callable[[], object],
        error: type[dp.errors.DPError],
        headline: str,
        *,
        left: object = NONE,
        right: object = NONE,
        produced: object = NONE,
        expected: object = NONE,
        bridge: str | None = None,
    ) -> None:
        self.made, self.error, self.headline, self.bridge = made, error, headline, bridge
        self.attributes = {"left": left, "right": right, "produced": produced, "expected": expected}


def _other_measure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        opened(f"{folder}/study.ledger").close()
        opened(f"{folder}/study.ledger", measure="ZCDP")


CASES: dict[str, Case] = {
    "L1 before gaussian": Case(
        lambda: by_region >> d.gaussian(1),
        dp.errors.MetricMismatch,
        "the metrics differ",
        left=by_region,
        right=d.gaussian(1),
        produced=d.L1Distance(),
        expected=d.L2Distance(),
        bridge="histogram(..., norm=L2Distance)",
    ),
    "L2 before laplace": Case(
        lambda: people >> d.histogram(d.field("region"), norm=d.L2Distance) >> d.laplace(1),
        dp.errors.MetricMismatch,
        "the metrics differ",
        left=people >> d.histogram(d.field("region"), norm=d.L2Distance),
        right=d.laplace(1),
        produced=d.L2Distance(),
        expected=d.L1Distance(),
        bridge="histogram(..., norm=L1Distance)",
    ),
    "change-one after symmetric": Case(
        lambda: (ages >> d.clamp(0, 9)) >> (d.rows(d.integers(0, 9), d.ChangeOneDistance()) >> d.count()),
        dp.errors.MetricMismatch,
        "the metrics differ",
        left=ages >> d.clamp(0, 9),
        right=d.rows(d.integers(0, 9), d.ChangeOneDistance()) >> d.count(),
        produced=d.SymmetricDistance(),
        expected=d.ChangeOneDistance(),
    ),
    "noise on rows": Case(
        lambda: ages >> d.laplace(1),
        dp.errors.MetricMismatch,
        "the metrics differ",
        left=ages,
        right=d.laplace(1),
        produced=d.SymmetricDistance(),
        expected=d.AbsoluteDistance(),
        bridge="count(), sum() or histogram(...) first",
    ),
    "name-and-shame under add/remove": Case(
        lambda: ages >> d.name_and_shame("0.1"),
        dp.errors.MetricMismatch,
        "name_and_shame has no rule under this metric",
        left=ages,
        right=d.name_and_shame("0.1"),
        produced=d.SymmetricDistance(),
        bridge="to_metric(ChangeOneDistance)",
    ),
    "no rule between metrics": Case(
        lambda: number >> d.to_metric(d.SymmetricDistance()),
        dp.errors.MetricMismatch,
        "no rule leads from the one metric to the other",
        left=number,
        produced=d.AbsoluteDistance(),
        expected=d.SymmetricDistance(),
    ),
    "unknown size": Case(
        lambda: ages >> d.to_metric(d.ChangeOneDistance()),
        dp.errors.MetricMismatch,
        "infinite between data sets of different sizes",
        bridge="rows(..., size=n)",
    ),
    "a metric on other data": Case(
        lambda: d.value(d.integers(), d.L1Distance()),
        dp.errors.MetricMismatch,
        "does not measure",
        produced=d.integers(),
        expected=d.L1Distance(),
    ),
    "persons of no field": Case(
        lambda: d.rows(d.record(age=d.integers()), metric=d.PersonDistance("person")),
        dp.errors.MetricMismatch,
        "there is no field 'person'",
        produced=d.rows(d.record(age=d.integers())).domain,
        expected=d.PersonDistance("person"),
    ),
    "a path for rows": Case(
        lambda: noisy.release("visits.csv"),
        dp.errors.InvalidData,
        "expected a sequence of rows but got a str",
        bridge="scan_csv(path)",
    ),
    "a text for a date": Case(
        lambda: (d.rows(d.date()) >> d.count() >> d.laplace(1)).release(["2024-01-01"]),
        dp.errors.InvalidData,
        "row 0, expected a date but got a str",
        bridge=".str.to_date()",
    ),
    "part under change-one": Case(
        lambda: replaced >> d.partition([1]) >> d.parallel(replaced >> d.name_and_shame("0.1")),
        dp.errors.MetricMismatch,
        "a part must be private when a row enters or leaves it",
        right=replaced >> d.name_and_shame("0.1"),
        produced=d.ChangeOneDistance(),
        expected=d.SymmetricDistance(),
        bridge="metric=SymmetricDistance)",
    ),
    "a sum without bounds": Case(
        lambda: ages >> d.sum(),
        dp.errors.DomainMismatch,
        "a sum needs bounds on its rows",
        left=ages,
        right=d.sum(),
        produced=d.integers(),
        bridge="clamp(low, high)",
    ),
    "a sum off any grid": Case(
        lambda: d.rows(d.numbers(0, 1)) >> d.sum(),
        dp.errors.DomainMismatch,
        "sum needs rows of whole numbers, or of numbers on a grid",
        produced=d.numbers(0, 1),
        bridge="quantize(step)",
    ),
    "a sum of text": Case(
        lambda: d.rows(d.text()) >> d.sum(),
        dp.errors.DomainMismatch,
        "sum needs rows of whole numbers",
        produced=d.text(),
    ),
    "wider than accepted": Case(
        lambda: (ages >> d.clamp(0, 10)) >> (d.rows(d.integers(0, 9)) >> d.count()),
        dp.errors.DomainMismatch,
        "the left piece can produce what the right one does not accept",
        left=ages >> d.clamp(0, 10),
        right=d.rows(d.integers(0, 9)) >> d.count(),
        produced=d.types.Rows(d.integers(0, 10)),
        expected=d.types.Rows(d.integers(0, 9)),
    ),
    "another length": Case(
        lambda: by_region >> (d.value(d.vector(d.integers(), 3), d.L1Distance()) >> d.laplace(1)),
        dp.errors.DomainMismatch,
        "the left piece can produce what the right one does not accept",
        produced=d.vector(d.integers(0), 2),
        expected=d.vector(d.integers(), 3),
    ),
    "two input domains": Case(
        lambda: noisy & (d.rows(d.integers(0)) >> d.count() >> d.laplace(1)),
        dp.errors.DomainMismatch,
        "cannot compose: the input domains differ",
        left=noisy,
        right=d.rows(d.integers(0)) >> d.count() >> d.laplace(1),
        produced=d.types.Rows(d.integers()),
        expected=d.types.Rows(d.integers(0)),
        bridge="one space for both",
    ),
    "two input metrics": Case(
        lambda: noisy & (replaced >> d.count() >> d.laplace(1)),
        dp.errors.MetricMismatch,
        "cannot compose: the input metrics differ",
        left=noisy,
        produced=d.SymmetricDistance(),
        expected=d.ChangeOneDistance(),
    ),
    "two measures": Case(
        lambda: noisy & (number >> d.gaussian(1)),
        dp.errors.MeasureMismatch,
        "cannot compose: the measures differ",
        left=noisy,
        right=number >> d.gaussian(1),
        produced=d.PureDP(),
        expected=d.ZCDP(),
        bridge=".to(ZCDP)",
    ),
    "another measure to solve for": Case(
        lambda: (number >> d.laplace(d.symbol("b"))).solve(d.zcdp(1), 1),
        dp.errors.MeasureMismatch,
        "the target is counted in another measure",
        produced=d.PureDP(),
        expected=d.ZCDP(),
    ),
    "no grid": Case(
        lambda: d.value(d.numbers(), d.AbsoluteDistance()) >> d.laplace(1),
        dp.errors.DomainMismatch,
        "noise is added on a grid",
        produced=d.numbers(),
        bridge="quantize(step)",
    ),
    "random_row of unknown size": Case(
        lambda: replaced >> d.random_row(), dp.errors.DomainMismatch, "must be known", bridge="size=n"
    ),
    "a scale": Case(
        lambda: d.laplace(-1), dp.errors.InvalidParameter, "Expected a positive scale but got scale=-1", produced=-1
    ),
    "an unknown symbol": Case(
        lambda: (number >> d.laplace(d.symbol("b"))).bind(c=1),
        dp.errors.InvalidParameter,
        "no symbol is named 'c'; the free ones are: b",
        left=number >> d.laplace(d.symbol("b")),
    ),
    "a mistyped field": Case(
        lambda: people >> d.filter(d.field("agee") > 1),
        dp.errors.InvalidExpression,
        "there is no field 'agee'",
        bridge="field('age')",
    ),
    "a condition that is a number": Case(
        lambda: people >> d.filter(d.field("age") + 1),
        dp.errors.InvalidExpression,
        "true or false",
        right=d.filter(d.field("age") + 1),
    ),
    "a truth value for a condition": Case(
        lambda: people >> d.filter("N" in "NESW"),
        dp.errors.InvalidParameter,
        "got a truth value",
        produced=True,
        bridge="field(...) == ...",
    ),
    "bins": Case(
        lambda: people >> d.histogram(lambda row: row["age"]),
        dp.errors.InvalidParameter,
        "histogram needs bins",
        bridge="bins=[...]",
    ),
    "keys": Case(
        lambda: people >> d.partition(by=lambda row: row["age"]),
        dp.errors.InvalidParameter,
        "partition needs keys",
        bridge="partition(..., keys=[...])",
    ),
    "keys off a grid": Case(
        lambda: d.rows(d.record(income=d.numbers(0, 9))) >> d.partition(by=d.field("income")),
        dp.errors.InvalidParameter,
        "partition brings together rows whose key is equal",
        bridge=".round(step)",
    ),
    "a delta that nothing needs": Case(
        lambda: noisy.to(dp.ApproxDP, delta="1e-6"),
        dp.errors.InvalidParameter,
        "a loss in PureDP needs no delta",
        produced="delta",
        bridge=".to(ApproxDP)",
    ),
    "data that are read once": Case(
        lambda: (people >> d.count() >> d.laplace(1)).release(csv.DictReader(io.StringIO("age,region\n1,N\n"))),
        dp.errors.InvalidData,
        "got a DictReader",
        bridge="list(...)",
    ),
    "a distance": Case(
        lambda: noisy.loss(-1), dp.errors.InvalidDistance, "d_in=-1", produced=-1, expected=d.SymmetricDistance()
    ),
    "half a row": Case(lambda: noisy.loss("1/2"), dp.errors.InvalidDistance, "whole", expected=d.SymmetricDistance()),
    "no neighbours": Case(
        lambda: (d.rows(d.integers(0, 1), size=3) >> d.sum() >> d.laplace(1)).loss(1),
        dp.errors.Vacuous,
        "no two data sets of 3 rows are 1 apart",
        produced=1,
        bridge="d_in=2",
    ),
    "data": Case(
        lambda: noisy.release(["x"]),
        dp.errors.InvalidData,
        "row 0, expected a whole number but got a str",
        expected=d.types.Rows(d.integers()),
    ),
    "a user's function": Case(
        lambda: noisy.then(lambda release: 1 / 0).release([]), dp.errors.UserFunctionFailed, "raised ZeroDivisionError"
    ),
    "no way to PureDP": Case(
        lambda: (replaced >> d.name_and_shame("0.1")).to(d.PureDP),
        dp.errors.NoConversion,
        "no finite epsilon bounds the likelihood ratio",
        produced=d.TotalVariation(),
        expected=d.PureDP(),
    ),
    "no direct way": Case(
        lambda: (number >> d.gaussian(1)).to(d.Tradeoff),
        dp.errors.NoConversion,
        "no rule leads from ZCDP to Tradeoff",
        produced=d.ZCDP(),
        expected=d.Tradeoff(),
        bridge=".to(Profile).to(Tradeoff)",
    ),
    "no accuracy": Case(
        lambda: noisy.then(str).accuracy("0.9"),
        dp.errors.NoConversion,
        "no accuracy",
        left=noisy.then(str),
        bridge=".then(row() / 10)",
    ),
    "not lifted": Case(
        lambda: ages >> d.partition([1]) >> d.parallel(noisy.to(d.Tradeoff)),
        dp.errors.NoFiniteLoss,
        "does not lift losses in Tradeoff",
        produced=d.Tradeoff(),
        bridge=".to(ApproxDP",
    ),
    "a free symbol": Case(
        lambda: (number >> d.laplace(d.symbol("b"))).loss(1),
        dp.errors.FreeSymbols,
        "the symbol b stands where a number is needed",
        left=number >> d.laplace(d.symbol("b")),
        bridge=".bind(b=...) first",
    ),
    "an equality of irrationals": Case(
        lambda: (
            (d.value(d.booleans(), d.DiscreteDistance()) >> d.randomized_response("3/4")).loss(1)
            <= (d.value(d.booleans(), d.DiscreteDistance()) >> d.randomized_response("3/4")).loss(1)
        ),
        dp.errors.Undecided,
        "were not told apart",
    ),
    "noise too wide to list": Case(
        lambda: (number >> d.laplace(10**9)).distribution([]),
        dp.errors.NoDistribution,
        "the noise is too wide",
    ),
    "a package that is not there": Case(
        lambda: require("no_such_package", "assurance"),
        dp.errors.MissingExtra,
        "no_such_package is not installed",
        expected="no_such_package",
        bridge="pip install 'dpcore[assurance]'",
    ),
    "a bound that no certificate can say": Case(
        lambda: d.certify(number >> d.laplace(0.1 * d.symbol("b"))),
        dp.errors.NotCertifiable,
        "sums, products and powers",
    ),
    "a choice beyond its budget": Case(
        lambda: d.adaptive(ages, [(d.pure("1/2"), lambda seen: noisy)]).release([]),
        dp.errors.BudgetExceeded,
        "costs more than was fixed",
        produced=d.pure(1),
        expected=d.pure("1/2"),
        bridge="more noise",
    ),
    "a ledger of another measure": Case(
        _other_measure,
        dp.errors.LedgerRefused,
        "was begun for another measure: PureDP, and not ZCDP",
    ),
    "a ledger in no folder": Case(
        lambda: opened("/no such folder/study.ledger"), dp.errors.LedgerUnavailable, "there is no folder"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_met_what_was_expected_and_the_bridge(name: str) -> None:
    case = CASES[name]
    with pytest.raises(case.error) as refusal:
        case.made()
    error = refusal.value
    assert type(error) is case.error
    assert case.headline in error.headline, error.headline
    for attribute, wanted in case.attributes.items():
        if wanted is not NONE:
            assert getattr(error, attribute) == wanted, attribute
    assert (error.bridge is None) == (case.bridge is None), error.bridge
    if case.bridge is not None:
        assert error.bridge is not None
        assert case.bridge in error.bridge
        assert f"  use    {error.bridge}" in str(error).splitlines()
    assert str(error).splitlines()[0] == error.headline
    assert "None" not in str(error), "what is not known is not printed"


def test_every_error_of_the_family_is_shown() -> None:
    family = {e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, dp.errors.DPError)}
    assert {case.error for case in CASES.values()} | {dp.errors.DPError, dp.errors.Mismatch} == family
    assert all(getattr(dp.errors, error.__name__) is error for error in family)


def test_the_printed_form() -> None:
    with pytest.raises(dp.errors.MetricMismatch) as refusal:
        d.rows(d.integers()) >> d.histogram(bins=[1, 2]) >> d.gaussian(2)
    assert str(refusal.value).splitlines() == [
        "cannot chain: the metrics differ",
        "  left   ... >> histogram(bins=(1, 2))        produces  L1Distance",
        "  right  gaussian(sigma=2)                    expects   L2Distance",
        "  use    histogram(..., norm=L2Distance), or to_metric(L2Distance)",
    ]


def test_the_end_of_a_long_pipeline_is_shown() -> None:
    long = people >> d.filter(d.field("age") > 18) >> d.filter(d.field("age") < 99) >> d.histogram(d.field("region"))
    with pytest.raises(dp.errors.MetricMismatch) as refusal:
        long >> d.gaussian(1)
    left = str(refusal.value).splitlines()[1]
    assert left.startswith("  left   ... >> ")
    assert "histogram" in left
    assert "record" not in left
    assert refusal.value.left == long


def test_python_sees_the_kinds_it_knows() -> None:
    """Whoever expects a ValueError of a wrong value, or a TypeError of a wrong piece, catches it."""
    assert issubclass(dp.errors.Mismatch, TypeError)
    for error in (
        dp.errors.InvalidParameter,
        dp.errors.InvalidData,
        dp.errors.Vacuous,
        dp.errors.NoFiniteLoss,
        dp.errors.FreeSymbols,
        dp.errors.BudgetExceeded,
    ):
        assert issubclass(error, ValueError)
    assert issubclass(dp.errors.Undecided, ArithmeticError)
    assert issubclass(dp.errors.UserFunctionFailed, RuntimeError)


def test_an_error_says_only_what_it_knows() -> None:
    assert str(dp.errors.DPError("headline")) == "headline"
    assert str(dp.errors.DPError("headline", left=ages)).splitlines() == ["headline", "  left   rows(integers())"]
    assert str(dp.errors.DPError("headline", bridge="b")).splitlines() == ["headline", "  use    b"]


def test_a_step_that_is_cut_off_is_not_said_to_follow_another() -> None:
    wide = d.rows(d.record(**{f"field_{i}": d.integers() for i in range(20)}))
    with pytest.raises(
        dp.errors.DomainMismatch, match=r"\n  left   rows\(record\(field_0=integers\(\), .*\.\.\.\) produces"
    ):
        _ = wide >> d.clamp(0, 1)


def test_exact_of_what_is_no_table() -> None:
    frame = pl.DataFrame({"age": [30], "region": ["N"]})
    counted = people >> d.count() >> d.laplace(1)
    with pytest.raises(dp.errors.InvalidParameter, match="what this releases is no table"):
        counted.release(frame, exact=True)
    hidden = (by_region >> d.laplace(1)).then(lambda counts: counts)
    with pytest.raises(dp.errors.InvalidParameter, match="what this releases is no table"):
        hidden.release(frame, exact=True)


def test_a_field_that_is_there_is_not_said_to_be_missing() -> None:
    with pytest.raises(dp.errors.MetricMismatch) as refusal:
        d.value(d.record(person=d.text()), d.PersonDistance("person"))
    assert "no field" not in str(refusal.value)
