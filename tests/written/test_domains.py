"""Domains and metrics as certificates have them: what is written is read back, as is every domain of a domain."""

from __future__ import annotations

import datetime
from fractions import Fraction

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.calculus.parameters import Malformed
from dpcore.certificates import schema
from dpcore.metrics import Metric
from dpcore.written import DOMAIN, METRIC

WHOLE = st.integers(-5, 5)
DAYS = st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9))
TEXTS = st.text("ab é\u202e:", max_size=3)
CONSTANTS = st.one_of(st.none(), st.booleans(), WHOLE, TEXTS, DAYS, st.sampled_from([Fraction(1, 2), Fraction(2, 3)]))

PLAIN = st.one_of(
    st.tuples(WHOLE, WHOLE).map(lambda ends: dp.integers(min(ends), max(ends))),
    st.just(dp.integers()),
    st.integers(1, 4).map(lambda n: dp.numbers(-1, 2, Fraction(1, n))),
    st.just(dp.numbers()),
    st.just(dp.booleans()),
    st.just(dp.text()),
    st.tuples(DAYS, DAYS).map(lambda days: dp.date(min(days), max(days))),
    st.lists(CONSTANTS, min_size=1, max_size=4, unique_by=lambda x: (type(x), x)).map(lambda xs: dp.categories(*xs)),
)
EACH = st.one_of(
    PLAIN,
    PLAIN.filter(lambda domain: not domain.member(None)).map(dp.optional),
    st.builds(dp.vector, st.just(dp.integers(0, 3)), st.integers(1, 3)),
)
ROWS = st.one_of(
    EACH, st.dictionaries(st.sampled_from(["a", "b", "c d"]), EACH, min_size=1).map(lambda f: dp.record(**f))
)
DOMAINS = st.one_of(
    ROWS,
    ROWS.map(dp.types.Rows),
    st.builds(dp.types.Rows, ROWS, st.integers(1, 9)),
    st.integers(1, 9).map(dp.graphs),
)

CHECKED = jsonschema.Draft202012Validator({"$ref": "#/$defs/domain", "$defs": schema.schema()["$defs"]})

METRICS: list[Metric] = [
    dp.SymmetricDistance(),
    dp.ChangeOneDistance(),
    dp.PersonDistance("who"),
    dp.DiscreteDistance(),
    dp.L2Distance(),
    dp.types.PartDistance(dp.ChangeOneDistance()),
]


@given(DOMAINS)
def test_a_domain_is_read_back(domain: dp.types.Domain) -> None:
    written = DOMAIN.encode(domain)
    assert DOMAIN.decode(written) == domain
    assert CHECKED.is_valid(written)
    assert DOMAIN.words(written).isprintable()


@pytest.mark.parametrize("metric", METRICS, ids=repr)
def test_a_metric_is_read_back(metric: Metric) -> None:
    assert METRIC.decode(METRIC.encode(metric)) == metric


@pytest.mark.parametrize("written", [None, "integers", {}, {"kind": "no"}, {"kind": "integers"}, {"kind": "rows"}])
def test_what_nobody_wrote_is_refused(written: object) -> None:
    for kind in (DOMAIN, METRIC):
        with pytest.raises(dp.errors.InvalidParameter):
            kind.decode(written)  # type: ignore[arg-type]
    assert issubclass(Malformed, dp.errors.InvalidParameter)
