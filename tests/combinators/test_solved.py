"""What `solve` returns fits, and what is a millionth better does not: through every combinator, in every measure.

So no combinator can lose an exact figure of its part (a delta of 1e-6 that became an enclosure of 1e-6 was never told apart
from a target of 1e-6), and `solve` cannot take what was not decided for a no. The combinators are found by a walk of the
package: one that is not in the table fails the first test.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

import dpcore as dp
import dpcore.combinators as combinators
from dpcore.maps import at_precision, ends, numeral
from dpcore.measures import geometric
from dpcore.measures import measure as measures
from proofs import check_certificate

d: Any = dp
S = d.symbol("s")
MILLIONTH = Fraction(1, 10**6)
ROWS = d.rows(d.record(k=d.categories("a", "b")))
FIXED = d.rows(d.record(k=d.categories("a", "b")), d.ChangeOneDistance())
COUNT = ROWS >> d.count()
KEYED = d.partition(by=d.field("k"))

PARTS: dict[str, tuple[Any, Any]] = {
    "pure": (COUNT >> d.laplace(S), d.pure("1/3")),
    "approx": ((COUNT >> d.gaussian(S)).to(d.ApproxDP, delta="1e-6"), d.approx(1, "1e-6")),
    "zcdp": (COUNT >> d.gaussian(S), d.zcdp("1/8")),
    "gaussian": ((COUNT >> d.laplace(S)).to(d.GaussianDP), d.gaussian_dp(1)),
    "total_variation": ((COUNT >> d.laplace(S)).to(d.TotalVariation), d.total_variation("1/10")),
}
"""In each measure a part with one free symbol, more of which is more private, and a target."""

ONE_PART: dict[str, Callable[[Any], Any]] = {
    "compose": lambda m: d.compose([m]),
    "then": lambda m: m.then(abs),
    "group_privacy": d.group_privacy,
    "compose_jointly": lambda m: d.compose_jointly([d.after(ROWS >> d.filter(d.field("k") == "a"), m)], [(1,)]),
    "parallel": lambda m: ROWS >> KEYED >> d.parallel(m),
    "depends_on": lambda m: d.depends_on(m, d.filter(d.field("k") == "a")),
}
"""Combinators that cost, between neighbours, what the one part of them costs: here any loss comes out as it went in."""

SEVERAL: dict[str, Callable[[Any], Any]] = {
    "compose_jointly, worked out": lambda m: d.compose_jointly([ROWS >> d.filter(d.field("k") == "a") >> m, m]),
    "parallel, rows replaced": lambda m: FIXED >> KEYED >> d.parallel(m),
    "compose": lambda m: d.compose([m, m]),
    "compose_jointly": lambda m: d.compose_jointly(
        [d.after(ROWS >> d.filter(d.field("k") == k), m) for k in ("a", "b")], [(1, 1)]
    ),
}

ELSEWHERE = {
    "adaptive": "its losses are fixed beforehand, and nothing in it is free: see below",
    "after": "a part of compose_jointly",
    "compose_advanced": "gives ApproxDP: see below",
    "compose_optimal": "gives Profile: see below",
    "locally": "takes a randomizer of one row, under DiscreteDistance, and no measurement of rows: see below",
    "shuffled": "as locally: see below",
}


def public(module: str) -> set[str]:
    """The combinators that a module defines and that are public."""
    found = inspect.getmembers(import_module(module), inspect.isfunction)
    return {name for name, function in found if function.__module__ == module and name in dir(dp)}


def test_every_combinator_is_here() -> None:
    modules = ["dpcore.core", *(f"dpcore.combinators.{found.name}" for found in iter_modules(combinators.__path__))]
    walked = set[str]().union(*map(public, modules))
    assert walked == {*ONE_PART, *ELSEWHERE} - {"then"}


def is_best(made: Any, target: Any, d_in: int = 1, better: Fraction = 1 - MILLIONTH) -> Fraction:
    """The solution, after it was seen to fit, and a better one not to."""
    found = made.solve(target, d_in)
    assert made.bind(s=found).loss(d_in) <= target
    assert not made.bind(s=found * better).loss(d_in) <= target
    return Fraction(found)


@pytest.mark.parametrize("measure", PARTS)
@pytest.mark.parametrize("name", ONE_PART)
def test_a_combinator_of_one_part_is_solved_as_that_part(name: str, measure: str) -> None:
    part, target = PARTS[measure]
    alone, through = is_best(part, target), is_best(ONE_PART[name](part), target)
    assert abs(alone / through - 1) < MILLIONTH**2


@pytest.mark.parametrize("measure", PARTS)
@pytest.mark.parametrize("name", SEVERAL)
def test_several_parts(name: str, measure: str) -> None:
    part, target = PARTS[measure]
    twice = d.approx(1, "2e-6") if measure == "approx" else target
    assert is_best(SEVERAL[name](part), twice) > is_best(part, target)


@pytest.mark.parametrize("name", ["group_privacy", "parallel"])
def test_further_apart(name: str) -> None:
    """At distance 2 the exact sum `delta (1 + e^eps)` is what counts."""
    part, _ = PARTS["approx"]
    is_best(ONE_PART[name](part), d.approx(1, "3e-6"), 2)


@pytest.mark.parametrize("many", [1, 3])
def test_compositions_into_another_measure(many: int) -> None:
    part, _ = PARTS["pure"]
    is_best(d.compose_advanced([part] * many, "1e-6"), d.approx(1, "1e-6"))
    is_best(d.compose_optimal([part] * many).to(d.ApproxDP, delta="1e-6"), d.approx(1, "1e-6"))


def test_a_randomizer_of_one_row() -> None:
    """Its symbol is how often it tells the truth, so more of it is better."""
    told, more = d.randomized_response(S), 1 + MILLIONTH
    is_best(d.rows(d.booleans(), d.ChangeOneDistance()) >> d.locally(told), d.pure(1), better=more)
    known = d.rows(d.booleans(), d.ChangeOneDistance(), 10_000)
    is_best(known >> d.shuffled(told, "1e-6"), d.approx("1/10", "1e-6"), better=more)


# ---- the figures that were lost, by name --------------------------------------------------------------------------------


def test_a_gaussian_in_each_of_the_parts() -> None:
    target = d.approx(1, "1e-6")
    part, _ = PARTS["approx"]
    assert float(part.solve(target, 1)) == pytest.approx(4.530877117, abs=1e-9)
    for name in ONE_PART:
        assert float(ONE_PART[name](part).solve(target, 1)) == pytest.approx(4.530877117, abs=1e-9), name


def asked(seen: Any) -> Any:
    return (COUNT >> d.laplace(4)).to(d.ApproxDP)


def of_one(name: str) -> Any:
    if name == "adaptive":
        return d.adaptive(ROWS, [(d.approx(0, "1/100"), asked), (d.approx("1/2", 0), asked)])
    return ONE_PART[name]((COUNT >> d.gaussian(1)).to(d.ApproxDP, delta="1e-6"))


FIGURES = {**dict.fromkeys(ONE_PART, d.approx(6, "1e-6")), "adaptive": d.approx("1/2", "1/100")}
"""Losses that those measurements do not exceed, with their very delta."""


@pytest.mark.parametrize("name", FIGURES)
def test_an_exact_delta_stays_exact_between_neighbours(name: str) -> None:
    made, target = of_one(name), FIGURES[name]
    loss = made.loss(1)
    assert loss <= target
    assert loss.delta.exact == target.delta.exact
    certificate = d.certify(made, 1)
    assert Fraction(certificate.data["claims"][0]["loss"]["delta"]) == target.delta.exact
    (worked_out,) = check_certificate.verify(certificate.text())[1]
    assert worked_out[1] == target.delta.exact


@pytest.mark.parametrize("name", FIGURES)
def test_a_sum_in_closed_form_is_found_when_it_is_put_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`(e^(k eps) - 1)/(e^eps - 1)` at k = 1 too encloses 1, and is not told apart from it."""
    monkeypatch.setattr(measures, "few", lambda x, most: None)
    made, target = of_one(name), FIGURES[name]
    if name in ("compose", "then", "depends_on"):
        assert made.loss(1) <= target, "no group"
    else:
        with pytest.raises(dp.errors.Undecided):
            _ = made.loss(1) <= target


@pytest.mark.parametrize("name", ["group_privacy", "compose_jointly", "parallel"])
def test_what_was_claimed_before_still_verifies(name: str) -> None:
    """Certificates were made with a delta a little above the exact one."""
    written = d.certify(of_one(name), 1).text()
    claim = b'"delta": "1/1000000",\n    "epsilon"'
    assert claim in written
    above = claim.replace(b"1/1000000", b"1000000000000000001/1000000000000000000000000")
    check_certificate.verify(written.replace(claim, above))


@pytest.mark.parametrize("k", range(20))
def test_the_sum_of_a_group(k: int) -> None:
    """`1 + e^eps + ... + e^((k-1) eps)`, added up and in closed form, also where eps is 0 or not known exactly."""
    for epsilon in (Fraction(0), Fraction(1, 10**30), Fraction(1, 10), Fraction(3)):
        low, high = at_precision(256, partial(enclosed, k, epsilon))
        added = sum((Fraction(1) if not j else _exp(j * epsilon) for j in range(k)), Fraction(0))
        assert abs(low - added) <= added / 10**40
        assert abs(high - added) <= added / 10**40


def enclosed(k: int, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    return ends(geometric(numeral(k), numeral(epsilon)))


def _exp(x: Fraction) -> Fraction:
    """By Taylor, to 50 digits."""
    term, total, n = Fraction(1), Fraction(1), 1
    while term > total / 10**60:
        term, n = term * x / n, n + 1
        total += term
    return total


# ---- what is not decided is not a no ------------------------------------------------------------------------------------


def test_what_was_not_decided_is_said() -> None:
    """The delta of the whole is that of the target, and no precision tells them apart, whatever the noise is."""
    fixed = (COUNT >> d.laplace(1)).to(d.TotalVariation).to(d.ApproxDP)
    part, _ = PARTS["approx"]
    made = d.compose([fixed, part])
    delta = fixed.loss(1).delta + MILLIONTH
    with pytest.raises(dp.errors.Undecided, match=r"not decided: .* were not told apart") as refusal:
        made.solve(dp.types.ApproxLoss(dp.types.Bound("1"), delta), 1)
    assert "a target that is larger by a little" in str(refusal.value)
    a_little_more = dp.types.ApproxLoss(dp.types.Bound("1"), delta * (1 + MILLIONTH))
    is_best(made, a_little_more)


def test_a_value_on_the_grid_that_was_not_decided_is_said() -> None:
    """At p = 3/4 the loss is ln 3, which is the target; between the values of a grid nothing else can be answered."""
    choice = d.value(d.booleans(), d.DiscreteDistance())
    made = choice >> d.randomized_response(S)
    log_three = (choice >> d.randomized_response("3/4")).loss(1)
    with pytest.raises(dp.errors.Undecided, match="whether s=3/4 meets the target"):
        made.solve(log_three, 1, step="1/4")
    assert 0 < Fraction(3, 4) - made.solve(log_three, 1) < MILLIONTH**2 * 2


def test_one_figure_that_exceeds_decides() -> None:
    """A delta that is not told apart from the other does not hide an epsilon that is too large, nor the other way round."""
    one = (COUNT >> d.laplace(1)).to(d.TotalVariation).to(d.ApproxDP).loss(1).delta
    same = (COUNT >> d.laplace(1)).to(d.TotalVariation).to(d.ApproxDP).loss(1).delta
    two, three = dp.types.Bound("2"), dp.types.Bound("3")
    assert not dp.types.ApproxLoss(three, one) <= dp.types.ApproxLoss(two, same)
    with pytest.raises(dp.errors.Undecided):
        _ = dp.types.ApproxLoss(two, one) <= dp.types.ApproxLoss(three, same)
    assert not dp.types.ApproxLoss(one, dp.types.Bound("1/2")) <= dp.types.ApproxLoss(same, dp.types.Bound("1/3"))
