"""Accuracy of what is made of several releases, and after affine post-processing: never better than the truth.

Every figure is compared with exact distributions. So no combinator can state an accuracy that its release does not have, and
what has none says why and what to use.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.core.accuracies import each_of
from dpcore.core.post_processing import Affine, affine_of

d: Any = dp
AGES = d.rows(d.integers(0, 3))
COUNT = AGES >> d.count()
SUM = AGES >> d.sum()
TALLY = AGES >> d.histogram(bins=[1, 2])
DATA = [1, 2, 2, 3]
HALVES = d.rows(d.numbers(0, 3, "1/2"))
SURE = "0.95"


def missed(made: Any, truth: Any, accuracies: Any) -> tuple[Fraction, Fraction]:
    """How likely some part is off by its accuracy or more: at least, and at most."""
    distribution = made.distribution(DATA)

    def off(release: Any, true: Any, a: Any) -> bool:
        if isinstance(a, Fraction):
            entries = zip(release, true, strict=True) if isinstance(true, list) else [(release, true)]
            return any(abs(x - y) >= a for x, y in entries)
        if isinstance(a, dict):
            return any(off(release[key], true[key], a[key]) for key in a)
        return any(off(x, y, b) for x, y, b in zip(release, true, a, strict=True))

    inside = [p for outcome, p in distribution.items() if not off(outcome, truth, accuracies)]
    beyond = [p for outcome, p in distribution.items() if off(outcome, truth, accuracies)]
    return sum((p.lower for p in beyond), Fraction(0)), 1 - sum((p.lower for p in inside), Fraction(0))


PARTS: dict[str, tuple[Any, Any]] = {
    "count": (COUNT >> d.laplace(1), 4),
    "sum": (SUM >> d.gaussian("1/2"), 8),
    "tally": (TALLY >> d.laplace("1/2"), [1, 2]),
    "converted": ((COUNT >> d.laplace("2/3")).to(d.ZCDP), 4),
    "tenths": ((COUNT >> d.laplace(1)).then(d.row() / 10), Fraction(4, 10)),
    "moved": ((COUNT >> d.laplace(1)).then(3 - 2 * d.row()), -5),
    "to fives": ((COUNT >> d.laplace(2)).then(d.row().round(5)), 4),
    "tally in shares": ((TALLY >> d.laplace("1/2")).then(d.row() / 4 + 1), [Fraction(5, 4), Fraction(3, 2)]),
    "grouped": (d.group_privacy(COUNT >> d.laplace(1)), 4),
}


@pytest.mark.parametrize("confidence", ["1/2", "0.9", "0.999"])
@pytest.mark.parametrize("name", PARTS)
def test_one_number_or_vector(name: str, confidence: str) -> None:
    made, truth = PARTS[name]
    a = made.accuracy(confidence)
    assert made.accuracies(confidence) == made.accuracies(confidence, together=True) == a
    assert missed(made, truth, a)[1] <= 1 - Fraction(confidence)
    if name != "to fives":  # of rounding the worst is said
        smaller = a * Fraction(99, 100) - Fraction(1, 100)
        assert a == 0 or missed(made, truth, smaller)[0] > 0


@pytest.mark.spread(5)
@pytest.mark.parametrize("confidence", ["1/2", "0.9", "0.99"])
@pytest.mark.parametrize("names", [("count", "tenths"), ("tally", "count"), ("to fives", "moved"), ("count", "count")])
def test_two_releases_each_and_at_once(names: tuple[str, str], confidence: str) -> None:
    (first, x), (second, y) = (PARTS[name] for name in names)
    both = d.compose([first, second])
    each, together = both.accuracies(confidence), both.accuracies(confidence, together=True)
    assert each == (first.accuracy(confidence), second.accuracy(confidence))
    assert missed(both, (x, y), together)[1] <= 1 - Fraction(confidence)
    assert all(a <= b for a, b in zip(each, together, strict=True))
    if names == ("count", "count") and confidence != "1/2":
        assert missed(both, (x, y), each)[0] > 1 - Fraction(confidence), "alone is not at once"


def test_compositions_of_compositions_and_other_measures() -> None:
    """The figures stand where the releases stand."""
    count, tally = PARTS["count"][0], PARTS["tally"][0]
    a, b = count.accuracy(SURE), tally.accuracy(SURE)
    assert (count & tally).accuracies(SURE) == (a, b)
    assert ((count & tally) & count).accuracies(SURE) == ((a, b), a)
    assert d.compose_advanced([count, tally], "1e-6").accuracies(SURE) == (a, b)
    assert d.compose_optimal([count, tally]).accuracies(SURE) == (a, b)
    assert d.compose([count, tally]).to(d.ZCDP).accuracies(SURE) == (a, b)
    joint = d.compose_jointly([d.after(AGES >> d.filter(d.row() > 1), m) for m in (count, tally)], [(1, 1)])
    assert joint.accuracies(SURE) == (a, b)
    assert (AGES >> d.clamp(0, 2) >> (count.to(d.ZCDP))).accuracy(SURE) == a


@pytest.mark.parametrize("metric", [d.SymmetricDistance(), d.ChangeOneDistance()])
def test_parts_by_key(metric: Any) -> None:
    people = d.record(k=d.categories("a", "b"))
    part = d.rows(people) >> d.count() >> d.laplace(1)
    rough = d.rows(people) >> d.count() >> d.laplace(3)
    keyed = d.rows(people, metric) >> d.partition(by=d.field("k"))
    assert (keyed >> d.parallel(part)).accuracies(SURE) == dict.fromkeys("ab", part.accuracy(SURE))
    apart = keyed >> d.parallel({"b": rough, "a": part})
    assert apart.accuracies(SURE) == {"a": part.accuracy(SURE), "b": rough.accuracy(SURE)}
    together = apart.accuracies(SURE, together=True)
    distribution = apart.distribution([{"k": "a"}, {"k": "b"}])
    inside = [p.lower for release, p in distribution.items() if all(abs(release[k] - 1) < together[k] for k in "ab")]
    assert sum(inside, Fraction(0)) >= Fraction(SURE)
    assert list(together) == ["a", "b"], "in the order of the keys, as the release"


@given(st.integers(1, 10**7), st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**9)))
@settings(deadline=None, max_examples=60)
def test_the_confidence_ofeach_of_many(many: int, sure: Fraction) -> None:
    """Its power is at least what was asked for, and hardly more; never worse than the union bound."""
    each = each_of(many, sure)
    assert 0 < each < 1 or many == 1
    assert 1 - each >= (1 - sure) / many
    if many <= 50:
        assert sure <= each**many <= sure + Fraction(1, 10**30)


def test_affine_functions_of_a_release() -> None:
    """The value, the noise and the print; and what is refused, with the way that is left."""
    noisy = COUNT >> d.laplace(1)
    made = noisy.then(2 * (d.row() - 1) / 3 - 5)
    affine = affine_of(made.origin.arguments[1])
    assert affine == Affine(Fraction(2, 3), Fraction(-17, 3))
    for outcome, _ in made.distribution(DATA).items():
        assert ((outcome + Fraction(17, 3)) / Fraction(2, 3)).denominator == 1
    assert made == noisy.then(2 * (d.row() - 1) / 3 - 5)
    assert made != noisy.then(2 * (d.row() - 1) / 3 - 4)
    assert repr(made).endswith(".then(2 * (row() - 1) / 3 - 5)")
    assert made.loss(1) == noisy.loss(1)
    for other in (
        d.row() * d.row(),
        1 / d.row(),
        d.row() / 0,
        d.row() > 3,
        d.literal(3),
        d.field("x"),
        d.row() - d.row(),
        d.row().round(3) - d.row(),  # halves are off by 3/2 every sixth time, however little noise there is
        abs(d.row()),
    ):
        with pytest.raises(dp.errors.InvalidExpression, match="of the released row") as refusal:
            noisy.then(other)
        assert "lambda" in str(refusal.value)


def test_an_expression_of_what_is_no_number_is_refused_before_the_data() -> None:
    """Of what a release is known to hold: parts by key, vectors and tuples among others, however it was made of them."""
    noisy, tally = COUNT >> d.laplace(1), TALLY >> d.laplace(1)
    people = d.rows(d.record(k=d.categories("a", "b")))
    parts = people >> d.partition(by=d.field("k")) >> d.parallel(people >> d.count() >> d.laplace(1))
    for made in (parts, parts.to(d.ZCDP), noisy & tally, (noisy & noisy) & noisy, d.group_privacy(noisy & tally)):
        with pytest.raises(dp.errors.InvalidParameter, match="of one number, or of each of several") as refusal:
            made.then(d.row() / 10)
        assert "of each part" in str(refusal.value)
    for made, truth in ((noisy, 4), (tally, [1, 2]), (noisy & noisy, (4, 4)), ((noisy & noisy).to(d.ZCDP), (4, 4))):
        released = made.then(d.row() * 2).release(DATA)
        assert isinstance(released, list) == isinstance(truth, (list, tuple))
    apart = d.parallel((people >> d.count() >> d.laplace(1)).then(d.row() / 10))
    assert set((people >> d.partition(by=d.field("k")) >> apart).release([])) == {"a", "b"}


def test_what_has_no_accuracy_says_why() -> None:
    noisy = COUNT >> d.laplace(1)
    by_lambda = noisy.then(lambda n: n / 10)
    for made in (by_lambda, by_lambda & noisy, d.compose([noisy, by_lambda])):
        with pytest.raises(
            dp.errors.NoConversion, match=r"what the function .* makes of noise is not known"
        ) as refusal:
            made.accuracies(SURE)
        assert ".then(row() / 10)" in str(refusal.value)
    with pytest.raises(dp.errors.NoConversion, match="consists of several") as refusal:
        (noisy & noisy).accuracy(SURE)
    assert "accuracies('0.95')" in str(refusal.value)
    chosen = AGES >> d.histogram(bins=[1, 2], norm=d.RangeDistance) >> d.permute_and_flip(1)
    stages = d.adaptive(AGES, [(d.pure(1), lambda seen: noisy)])
    for made in (chosen, stages, chosen & noisy, (noisy & noisy).then(d.row() / 2)):
        with pytest.raises(dp.errors.NoConversion, match="no accuracy"):
            made.accuracies(SURE)
    for wrong in (0, 1, "1.5", -1):
        with pytest.raises(dp.errors.InvalidParameter, match="confidence"):
            (noisy & noisy).accuracies(wrong)


def test_within_of_a_distribution() -> None:
    """The least distance that so much of the probability lies within, for numbers, vectors, tuples and parts."""
    noisy = COUNT >> d.laplace(1)
    known = noisy.distribution(DATA)
    figures = [known.within(Fraction(c, 100), 4) for c in range(5, 100, 5)]
    assert all(a <= b for a, b in pairwise(figures))
    assert known.within(SURE, 4) == noisy.accuracy(SURE) - 1, "an accuracy is the first that is not reached"
    assert known.within(SURE, 0) > known.within(SURE, 4)
    both = (noisy & (TALLY >> d.laplace("1/2"))).distribution(DATA)
    a = both.within(SURE, (4, [1, 2]))
    near = [p.lower for (x, (y, z)), p in both.items() if max(abs(x - 4), abs(y - 1), abs(z - 2)) <= a]
    assert sum(near, Fraction(0)) >= Fraction(SURE)
    fewer = [p.upper for (x, (y, z)), p in both.items() if max(abs(x - 4), abs(y - 1), abs(z - 2)) < a]
    assert sum(fewer, Fraction(0)) < Fraction(SURE)
    chosen = (AGES >> d.histogram(bins=[1, 2], norm=d.RangeDistance) >> d.permute_and_flip(1)).distribution(DATA)
    assert chosen.within("0.99", 1) == 1
    with pytest.raises(dp.errors.InvalidParameter, match="numbers"):
        (d.value(d.booleans(), d.DiscreteDistance()) >> d.randomized_response("3/4")).distribution(True).within(SURE, 1)
    with pytest.raises(dp.errors.NoDistribution, match="left out"):
        known.within(1 - Fraction(1, 10**60), 4)


def test_a_certificate_of_affine_post_processing_names_it() -> None:
    from proofs import check_certificate

    certificate = d.certify((COUNT >> d.laplace(1)).then(d.row() / 10), 1)
    lines, _ = check_certificate.verify(certificate.text())
    assert any("row() / 10" in line for line in lines)
    other = d.certify((COUNT >> d.laplace(1)).then(d.row() / 11), 1)
    assert certificate.text() != other.text()
