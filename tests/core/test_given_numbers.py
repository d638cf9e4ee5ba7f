"""What may be given where a number is asked: of every public parameter, a whole number or a real of numpy is that of Python.

Equal means printed alike and certified byte for byte alike. A new parameter that asks for a number is met by the walk, and
has no line here: that fails.
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import dpcore as dp
from dpcore import learning, planning
from dpcore.errors import DPError
from dpcore.interaction.curators import Curator
from dpcore.many.synthetic import Synthetic
from dpcore.noise.bits import SeededBits

d: Any = dp
Make = Callable[[Any], object]

FEW: Final = dp.record(a=dp.integers(0, 3), b=dp.booleans())
TABLE: Final = dp.rows(FEW)
KNOWN: Final = dp.rows(FEW, dp.ChangeOneDistance, size=50)
VISITS: Final = dp.rows(dp.record(p=dp.integers(), v=dp.integers(0, 9)), dp.PersonDistance("p"))
NUMBERS: Final = dp.rows(dp.integers(0, 9))
REALS: Final = dp.rows(dp.numbers(0, 10))
POINTS: Final = dp.rows(dp.vector(dp.numbers(), 2)) >> dp.clip_norm(1, norm=dp.L1Distance, step="0.001")
GRAPH: Final = dp.value(dp.graphs(9), dp.NodeDistance)
COUNT: Final = NUMBERS >> dp.count()
NOISY: Final = COUNT >> dp.laplace(scale=2)
QUERY: Final = dp.field("b", bool)
SMOOTH: Final = COUNT >> dp.gaussian(sigma=8)
SURVEY: Final = dp.rows(dp.booleans(), dp.ChangeOneDistance, size=50) >> d.locally(d.randomized_response("3/4"))
SHARES: Final[Any] = SURVEY.then(d.randomized_response("3/4").shares)
PLACE: Final = dp.value(dp.numbers(0, 9, "0.1"), dp.AbsoluteDistance) >> dp.laplace(scale=2)
SAME: Final = NUMBERS >> dp.clamp(0, 9)
STREAM: Final = dp.rows(dp.record(day=dp.integers(0)))


def gradient(theta: Any) -> list[Any]:
    return [(dp.row()[0] * theta[0] - dp.row()[1]) * dp.row()[0]]


def streaming(budget: Any = None) -> Curator[Any, Any, Any]:
    curator: Curator[Any, Any, Any] = d.curator(STREAM, [], budget=d.pure(90) if budget is None else budget)
    return curator


def running(horizon: Any) -> object:
    curator: Any = streaming()
    return curator.running(STREAM >> dp.count() >> dp.laplace(scale=2), time=dp.field("day"), horizon=horizon)


def synthetic() -> Synthetic:
    made: Any = TABLE >> d.mwem([QUERY], 1, d.pure(1), size=20)
    found: Synthetic = made.release([{"a": 1, "b": True}] * 20, bits=SeededBits(1))
    return found


def table() -> Any:
    made: Any = TABLE >> d.synthesize(d.zcdp(1))
    return made.release([{"a": 1, "b": True}] * 20, bits=SeededBits(1))


def last(n: Any) -> object:
    curator: Any = streaming()
    found = curator.running(STREAM >> dp.count() >> dp.laplace(scale=2), time=dp.field("day"), horizon=4)
    curator.append([])
    return found.accuracy("0.9", last=n)


BITS: Final = (0, 1, 1, 0, 1, 0, 0, 1)
SUBSETS: Final = ([0, 1, 2], [3, 4, 5], [5, 6, 7], [0, 7], [1, 3])
ANSWERS: Final = [sum(BITS[i] for i in subset) for subset in SUBSETS]
MODELS: Any = learning

WHOLE: Final[Mapping[str, tuple[int, Make]]] = {
    "above_threshold.hits": (3, lambda n: d.above_threshold(5, threshold_scale=2, query_scale=4, hits=n)),
    "bound_contributions.limit": (5, lambda n: VISITS >> d.bound_contributions(n) >> d.count() >> d.laplace(scale=1)),
    "budget.shares": (4, lambda n: d.budget(d.pure(1), n)),
    "compare.rows": (50, lambda n: d.compare([SHARES], rows=[n])),
    "degree_histogram.degree": (3, lambda n: GRAPH >> d.degree_histogram(n) >> d.laplace(scale=3)),
    "descend.rounds": (2, lambda n: POINTS >> d.descend(gradient, n, d.pure(1), clip=1, start=[0], size=9)),
    "descend.size": (9, lambda n: POINTS >> d.descend(gradient, 2, d.pure(1), clip=1, start=[0], size=n)),
    "edge_count.degree": (3, lambda n: GRAPH >> d.edge_count(n) >> d.laplace(scale=3)),
    "flat_map.limit": (
        3,
        lambda n: NUMBERS >> d.flat_map(list, dp.integers(0, 9), n) >> d.count() >> d.laplace(scale=1),
    ),
    "granularity.rows": (7, lambda n: d.granularity("week", max, n)),
    "graphs.nodes": (9, lambda n: d.value(d.graphs(n), d.NodeDistance) >> d.edge_count() >> d.laplace(scale=1)),
    "lloyd.k": (2, lambda n: POINTS >> d.lloyd(n, 2, d.pure(1), [[0, 1], [1, 0]])),
    "lloyd.rounds": (2, lambda n: POINTS >> d.lloyd(2, n, d.pure(1), [[0, 1], [1, 0]])),
    "marginal_errors.guesses": (
        3,
        lambda n: TABLE >> d.marginal_errors([dp.field("a")], [[n, 4, 0, 0]]) >> d.permute_and_flip(scale=1),
    ),
    "marginals.k": (2, lambda n: d.marginals(FEW, n)),
    "mwem.rounds": (2, lambda n: TABLE >> d.mwem([QUERY], n, d.pure(1), size=50)),
    "mwem.size": (50, lambda n: TABLE >> d.mwem([QUERY], 2, d.pure(1), size=n)),
    "plan.k": (5, lambda n: d.plan(n, d.pure(1))),
    "plan.sensitivity": (5, lambda n: d.plan(5, d.pure(1), sensitivity=n)),
    "pmw.queries": (50, lambda n: d.pmw(TABLE, d.pure(1), queries=n, size=5000)),
    "pmw.updates": (3, lambda n: d.pmw(TABLE, d.pure(1), queries=50, updates=n, size=5000)),
    "pmw.size": (5000, lambda n: d.pmw(TABLE, d.pure(1), queries=50, size=n)),
    "ratio.numerator": (1, lambda n: REALS >> d.select(d.row() * d.ratio(n, 3), d.numbers())),
    "ratio.denominator": (3, lambda n: REALS >> d.select(d.row() * d.ratio(1, n), d.numbers())),
    "resize.size": (9, lambda n: NUMBERS >> d.resize(n, 0) >> d.count() >> d.laplace(scale=1)),
    "rows.size": (9, lambda n: d.rows(d.integers(0, 9), d.ChangeOneDistance, size=n) >> d.sum() >> d.laplace(scale=1)),
    "vector.size": (2, lambda n: d.rows(d.vector(d.numbers(), n))),
    "attacks.consistent.people": (8, lambda n: dp.attacks.consistent(ANSWERS, SUBSETS, 0, n)),
    "attacks.reconstruct.people": (8, lambda n: dp.attacks.reconstruct(ANSWERS, SUBSETS, n)),
    "attacks.membership.n": (1000, lambda n: d.attacks.membership(NOISY, [1], [], n=n, bits=SeededBits(1)).rates),
    "assurance.audit.n": (1000, lambda n: d.assurance.audit(NOISY, [1], [], n=n, bits=SeededBits(1))),
    "assurance.exhaust.rows": (1, lambda n: d.assurance.exhaust(COUNT, [1, 2], n)),
    "assurance.falsify.examples": (9, lambda n: d.assurance.falsify(COUNT, examples=n)),
    "assurance.falsify.seed": (9, lambda n: d.assurance.falsify(COUNT, examples=9, seed=n)),
    "learning.KMeans.rounds": (2, lambda n: MODELS.KMeans(d.pure(1), [[0, 1], [1, 0]], n).measurement(2)),
    "learning.KMeans.measurement.features": (
        2,
        lambda n: MODELS.KMeans(d.pure(1), [[0, 1], [1, 0]]).measurement(n),
    ),
    "learning.LinearRegression.measurement.features": (2, lambda n: MODELS.LinearRegression(d.pure(1)).measurement(n)),
    "learning.LogisticRegression.size": (9, lambda n: MODELS.LogisticRegression(d.pure(1), n, rounds=2).measurement(1)),
    "learning.LogisticRegression.rounds": (
        2,
        lambda n: MODELS.LogisticRegression(d.pure(1), 9, rounds=n).measurement(1),
    ),
    "learning.LogisticRegression.measurement.features": (
        2,
        lambda n: MODELS.LogisticRegression(d.pure(1), 9, rounds=2).measurement(n),
    ),
    "learning.NaiveBayes.measurement.features": (2, lambda n: MODELS.NaiveBayes(d.pure(1)).measurement(n)),
    "learning.PCA.n_components": (2, lambda n: MODELS.PCA(d.pure(1), n).measurement(2)),
    "learning.PCA.measurement.features": (2, lambda n: MODELS.PCA(d.pure(1)).measurement(n)),
    "types.Curator.above_threshold.hits": (
        3,
        lambda n: streaming().above_threshold(5, threshold_scale=2, query_scale=4, hits=n),
    ),
    "types.Curator.running.horizon": (4, running),
    "types.Running.total.last": (1, last),
    "types.Running.accuracy.last": (1, last),
    "types.Estimator.accuracy.rows": (50, lambda n: SHARES.accuracy("0.9", rows=n)),
    "types.Measurement.accuracy.rows": (50, lambda n: SHARES.accuracy("0.9", rows=n)),
    "types.Measurement.interval.rows": (
        50,
        lambda n: SHARES.interval({False: Fraction(1, 4), True: Fraction(3, 4)}, "0.9", rows=n),
    ),
    "types.Synthetic.rows.n": (5, lambda n: len(synthetic().rows(n))),
    "types.SyntheticTable.rows.n": (5, lambda n: len(table().rows(n))),
    "planning.inverse_advanced.k": (5, lambda n: planning.inverse_advanced(d.approx(1, "1e-6"), n)),
}

REAL: Final[Mapping[str, Make]] = {
    "above_threshold.threshold_scale": lambda x: d.above_threshold(5, threshold_scale=x, query_scale=4),
    "above_threshold.query_scale": lambda x: d.above_threshold(5, threshold_scale=4, query_scale=x),
    "absolute_errors.guess": lambda x: d.absolute_errors([x]),
    "approx.epsilon": lambda x: d.approx(x, "1e-6"),
    "approx.delta": lambda x: d.approx(1, x),
    "budget.shares": lambda x: d.budget(d.pure(1), [x, 1]),
    "certify.d_in": lambda x: d.certify(PLACE, d_in=x),
    "certify.at": lambda x: d.certify(SMOOTH.to(d.RenyiDP), at=[x + 1]),
    "clamp.low": lambda x: REALS >> d.clamp(x, 5) >> d.quantize("0.1") >> d.sum() >> d.laplace(scale=1),
    "clamp.high": lambda x: REALS >> d.clamp(0, x) >> d.quantize("0.1") >> d.sum() >> d.laplace(scale=1),
    "clip_norm.bound": lambda x: d.rows(d.vector(d.numbers(), 2)) >> d.clip_norm(x, norm=d.L1Distance, step="0.1"),
    "clip_norm.step": lambda x: d.rows(d.vector(d.numbers(), 2)) >> d.clip_norm(1, norm=d.L1Distance, step=x),
    "compare.confidence": lambda x: d.compare([SHARES], rows=[50], confidence=x),
    "compose_advanced.slack": lambda x: d.compose_advanced([NOISY, NOISY], slack=x),
    "compose_jointly.joint": lambda x: d.compose_jointly([d.after(SAME, NOISY)] * 2, joint=[[2 * x, 1], [1, 2 * x]]),
    "descend.clip": lambda x: POINTS >> d.descend(gradient, 2, d.pure(1), clip=x, start=[0], size=9),
    "descend.start": lambda x: POINTS >> d.descend(gradient, 2, d.pure(1), clip=1, start=[x], size=9),
    "descend.rate": lambda x: POINTS >> d.descend(gradient, 2, d.pure(1), clip=1, start=[0], rate=x, size=9),
    "descend.step": lambda x: POINTS >> d.descend(gradient, 2, d.pure(1), clip=1, start=[0], size=9, step=x),
    "exponential.scale": lambda x: NUMBERS >> d.histogram(bins=[1, 2], norm=d.LInfDistance) >> d.exponential(scale=x),
    "gaussian.sigma": lambda x: COUNT >> d.gaussian(sigma=x),
    "gaussian.accuracy": lambda x: COUNT >> d.gaussian(accuracy=8 + x, confidence="0.9"),
    "gaussian.confidence": lambda x: COUNT >> d.gaussian(accuracy=8, confidence=x),
    "gaussian.epsilon": lambda x: COUNT >> d.gaussian(epsilon=x, delta="1e-6"),
    "gaussian.delta": lambda x: COUNT >> d.gaussian(epsilon=1, delta=x),
    "gaussian.sensitivity": lambda x: COUNT >> d.gaussian(epsilon=1, delta="1e-6", sensitivity=2 * x),
    "gaussian_dp.mu": lambda x: d.gaussian_dp(x),
    "hadamard_response.p": lambda x: d.hadamard_response(1 - x / 4),
    "integers.low": lambda x: d.integers(x * 0, 9),
    "integers.high": lambda x: d.integers(0, x * 0),
    "laplace.scale": lambda x: COUNT >> d.laplace(scale=x),
    "laplace.accuracy": lambda x: COUNT >> d.laplace(accuracy=8 + x, confidence="0.9"),
    "laplace.confidence": lambda x: COUNT >> d.laplace(accuracy=8, confidence=x),
    "lloyd.start": lambda x: POINTS >> d.lloyd(1, 2, d.pure(1), [[x, 0]]),
    "name_and_shame.delta": lambda x: d.name_and_shame(x),
    "numbers.low": lambda x: d.numbers(x, 9),
    "numbers.high": lambda x: d.numbers(0, x),
    "numbers.step": lambda x: d.numbers(0, None, x),
    "odometer.orders": lambda x: d.odometer(NUMBERS, d.RenyiDP, orders=[x + 1]),
    "permute_and_flip.scale": lambda x: d.permute_and_flip(scale=x),
    "plan.confidence": lambda x: d.plan(5, d.pure(1), confidence=x),
    "pmw.threshold": lambda x: d.pmw(TABLE, d.pure(1), queries=50, size=5000, threshold=x),
    "pmw.confidence": lambda x: d.pmw(TABLE, d.pure(1), queries=50, size=5000, confidence=x),
    "posterior.prior": lambda x: d.posterior(NOISY, {(): x, (1,): 1}, 1).belief(lambda rows: rows == ()),
    "pure.epsilon": lambda x: d.pure(x),
    "quantile_scores.candidates": lambda x: REALS >> d.quantile_scores([x, 9], "0.5"),
    "quantile_scores.q": lambda x: REALS >> d.quantile_scores([1, 9], x),
    "quantize.step": lambda x: REALS >> d.quantize(x),
    "random_rounding.base": lambda x: d.random_rounding(base=x * 0 + 4),
    "randomized_response.p": lambda x: d.randomized_response(1 - x / 4),
    "renyi.points": lambda x: d.renyi({x + 1: x}),
    "shuffled.delta": lambda x: d.shuffled(d.randomized_response("3/4"), delta=x),
    "threshold_release.scale": lambda x: d.threshold_release(scale=x, threshold=9),
    "total_variation.delta": lambda x: d.total_variation(x),
    "unary_encoding.p": lambda x: d.unary_encoding(p=1 - x / 4),
    "unary_encoding.q": lambda x: d.unary_encoding(p="0.9", q=x / 4),
    "vector.bound": lambda x: d.vector(d.numbers(None, None, "0.1"), 2, d.L1Distance, x),
    "zcdp.rho": lambda x: d.zcdp(x),
    "zcdp.delta": lambda x: d.zcdp(1, x),
    "assurance.audit.delta": lambda x: d.assurance.audit(NOISY, [1], [], n=1000, delta=x, bits=SeededBits(1)),
    "assurance.audit.confidence": lambda x: d.assurance.audit(NOISY, [1], [], n=1000, confidence=x, bits=SeededBits(1)),
    "learning.KMeans.init": lambda x: MODELS.KMeans(d.pure(1), [[x, 0], [1, 0]]).measurement(2),
    "learning.KMeans.bound": lambda x: MODELS.KMeans(d.pure(1), [[0, 0]], bound=x).measurement(2),
    "learning.KMeans.step": lambda x: MODELS.KMeans(d.pure(1), [[0, 0]], step=x).measurement(2),
    "learning.LinearRegression.bound": lambda x: MODELS.LinearRegression(d.pure(1), x).measurement(2),
    "learning.LinearRegression.step": lambda x: MODELS.LinearRegression(d.pure(1), 1, x).measurement(2),
    "learning.LogisticRegression.bound": lambda x: MODELS.LogisticRegression(
        d.pure(1), 9, bound=x, rounds=2
    ).measurement(1),
    "learning.LogisticRegression.rate": lambda x: MODELS.LogisticRegression(d.pure(1), 9, rate=x, rounds=2).measurement(
        1
    ),
    "learning.LogisticRegression.step": lambda x: MODELS.LogisticRegression(
        d.pure(1), method="objective", step=x
    ).measurement(1),
    "learning.NaiveBayes.bound": lambda x: MODELS.NaiveBayes(d.pure(1), bound=x).measurement(2),
    "learning.NaiveBayes.step": lambda x: MODELS.NaiveBayes(d.pure(1), step=x).measurement(2),
    "learning.PCA.bound": lambda x: MODELS.PCA(d.pure(1), bound=x).measurement(2),
    "learning.PCA.step": lambda x: MODELS.PCA(d.pure(1), step=x).measurement(2),
    "types.Beliefs.risk.probability": lambda x: d.beliefs(d.pure(1)).risk(x),
    "types.Certificate.bind.values": lambda x: d.certify(COUNT >> d.laplace(scale=d.symbol("b"))).bind(b=x),
    "types.Curator.above_threshold.threshold_scale": lambda x: streaming().above_threshold(
        5, threshold_scale=x, query_scale=4
    ),
    "types.Curator.above_threshold.query_scale": lambda x: streaming().above_threshold(
        5, threshold_scale=4, query_scale=x
    ),
    "types.Distribution.within.confidence": lambda x: NOISY.distribution([1]).within(x, 1),
    "types.Estimator.accuracy.confidence": lambda x: SHARES.accuracy(x, rows=50),
    "types.Interactive.loss.d_in": lambda x: d.interactive(NUMBERS, d.pure(1)).loss(4 * x),
    "types.Loss.at_orders.orders": lambda x: SMOOTH.to(d.RenyiDP).loss(1).at_orders([x + 1]),
    "types.Loss.tpr.fpr": lambda x: d.pure(1).tpr(x),
    "types.Measurement.loss.d_in": lambda x: PLACE.loss(x),
    "types.Measurement.to.witness": lambda x: SMOOTH.to(d.ApproxDP, delta=x).loss(1),
    "types.Measurement.accuracy.confidence": lambda x: NOISY.accuracy(x),
    "types.Measurement.interval.confidence": lambda x: NOISY.interval(5, x),
    "types.Measurement.cdf.x": lambda x: NOISY.cdf(x),
    "types.Measurement.accuracies.confidence": lambda x: d.compose([NOISY, NOISY]).accuracies(x),
    "types.Measurement.solve.d_in": lambda x: (PLACE.input >> d.laplace(scale=d.symbol("b"))).solve(d.pure(1), d_in=x),
    "types.Measurement.solve.step": lambda x: (COUNT >> d.laplace(scale=d.symbol("b"))).solve(d.pure(1), 1, step=x),
    "types.RenyiLoss.at_orders.orders": lambda x: d.renyi({x + 1: 1}).at_orders([x + 1]),
    "types.ProfileLoss.delta.epsilon": lambda x: SMOOTH.to(d.Profile).loss(1).delta(x),
    "types.ProfileLoss.epsilon.delta": lambda x: SMOOTH.to(d.Profile).loss(1).epsilon(x),
    "types.RenyiLoss.epsilon.alpha": lambda x: SMOOTH.to(d.RenyiDP).loss(1).epsilon(x + 1),
    "types.Synthetic.error_bound.confidence": lambda x: synthetic().error_bound(x),
    "types.TradeoffLoss.beta.alpha": lambda x: SMOOTH.to(d.Profile).to(d.Tradeoff).loss(1).beta(x),
    "types.Transformation.stability.d_in": lambda x: (
        d.value(d.vector(d.numbers(0, 9, "0.1"), 4), d.L2Distance) >> d.to_metric(d.L1Distance)
    ).stability(x),
}
ELSEWHERE: Final = {
    "above_threshold.threshold": "a whole number, as that of integers(...)",
    "threshold_release.threshold": "the same",
    "uniform_noise.reach": "the same",
    "types.Curator.above_threshold.threshold": "the same",
    "transformation.stability": "what the user's map gives",
    "granularity.distance": "the same",
    "assurance.audit.many": "the same",
    "types.Posterior.belief.statement": "the same",
    "types.Curator.running.node": "a measurement",
    "attacks.consistent.error": "a float",
    "attacks.trace.fpr": "a float",
    "attacks.Membership.tpr.fpr": "a float",
    "attacks.Reconstruction.right.secret": "floats",
    "attacks.Consistent.furthest.secret": "floats",
    "learning.LinearRegression.ridge": "read as bounds are, and a float from there on",
    "learning.NaiveBayes.smoothing": "the same",
    "types.Measurement.release.confidence": "as Measurement.accuracies, of a frame",
    "types.Plan.plot.epsilons": "a picture",
    "types.OnlineWeights.accuracy.confidence": "asked of pmw.confidence",
    "types.OnlineWeights.lasts.confidence": "the same",
    "types.Estimator.hoeffding.confidence": "as accuracy",
    "types.Estimator.hoeffding.rows": "as accuracy",
    "types.Estimator.variance.share": "as accuracy",
    "types.Estimator.variance.rows": "as accuracy",
    "types.Running.accuracy.confidence": "as Measurement.accuracy",
    "types.Running.close.step": "asked by the library alone",
    "types.Randomizer.chances.k": "asked by the library alone",
}
INSIDE: Final = re.compile(r"^types\.(?!Certificate)\w+\.bind\.values$")
"""Of domains, which bind what was read already."""


def asked(module: ModuleType, before: str) -> Iterator[str]:
    """The parameters of all that is public there for which a number may be given, by name."""
    for name in dir(module):
        one: Any = None if name.startswith("_") or name in MOVED else getattr(module, name)
        if not callable(one):
            continue
        yield from parameters(one, f"{before}{name}")
        if inspect.isclass(one):
            for of, each in vars(one).items():
                if not of.startswith("_") and callable(each):
                    yield from parameters(each, f"{before}{name}.{of}")


MOVED: Final = frozenset(dir(dp.types)) | {"inverse_advanced", "expression_from"}


def parameters(one: Any, name: str) -> Iterator[str]:
    is_returned = inspect.isclass(one) and not name.startswith("learning.")
    try:
        known = {} if is_returned else inspect.signature(one).parameters
    except (TypeError, ValueError):
        return
    for each in known.values():
        if re.search(r"\b(int|Numeric|Exact|float)\b", str(each.annotation)) and not re.search("Expr", each.annotation):
            yield f"{name}.{each.name}"


def test_every_parameter_that_asks_for_a_number_has_a_line() -> None:
    modules = ((dp, ""), (dp.attacks, "attacks."), (dp.assurance, "assurance."), (learning, "learning."))
    found = {name for module, before in modules for name in asked(module, before)}
    for name in dir(dp.types):
        one: Any = getattr(dp.types, name)
        if not name.startswith("_") and inspect.isclass(one):
            for of, each in vars(one).items():
                if not of.startswith("_") and callable(each):
                    found |= {*parameters(each, f"types.{name}.{of}")}
    found = {name for name in found if not INSIDE.search(name)}
    assert len(found) > 150
    assert found - {*WHOLE, *REAL, *ELSEWHERE} == set()
    assert {*ELSEWHERE} - found == set()


class Index:
    """Whatever counts in Python's eyes."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __index__(self) -> int:
        return self.n


def told(x: object) -> str:
    """What it prints, and what is certified of it."""
    try:
        certified = d.certify(x).written
    except DPError as refusal:
        certified = type(refusal).__name__
    return f"{x!r} {certified}"


def counts(n: int) -> list[Any]:
    named: Any = enum.IntEnum("named", {"N": n})
    return [np.int64(n), np.uint16(n), np.array(n), named.N, Index(n)]


@pytest.mark.parametrize("name", WHOLE)
def test_whatever_counts_is_a_whole_number(name: str) -> None:
    n, make = WHOLE[name]
    once = told(make(n))
    for other in counts(n):
        assert told(make(other)) == once, type(other)


@pytest.mark.parametrize("name", WHOLE)
def test_what_does_not_count_is_refused_by_name(name: str) -> None:
    n, make = WHOLE[name]
    for other in (True, np.bool_(True), np.timedelta64(n), n + 0.5, np.float64(n + 0.5), np.array([n, n])):
        with pytest.raises(DPError, match=r"Expected|expected"):
            make(other)


@pytest.mark.parametrize("name", REAL)
def test_a_float_of_numpy_is_its_shortest_decimal(name: str) -> None:
    make = REAL[name]
    once = told(make(0.5))
    for other in (np.float64(0.5), np.float32(0.5), np.float16(0.5), np.array(0.5)):
        assert told(make(other)) == once, type(other)


@pytest.mark.parametrize(
    "typed", [np.float64(0.1), np.float32(0.1), np.float16(0.1), np.array(0.1)], ids=lambda x: x.dtype
)
def test_a_tenth_is_a_tenth_in_every_width(typed: object) -> None:
    assert d.pure(typed) == dp.pure("0.1")
    assert repr(COUNT >> d.laplace(scale=typed)) == repr(COUNT >> dp.laplace(scale="0.1"))
    assert repr(d.row() * typed) == repr(dp.row() * 0.1)


def test_the_points_of_a_curve_may_be_an_array() -> None:
    """Of an array, and of no list, it was a traceback."""
    curve = SMOOTH.to(dp.RenyiDP)
    assert d.certify(curve, at=np.array([2, 3])).written == dp.certify(curve, at=[2, 3]).written
    for other in (3, "23", len, np.array(2)):
        with pytest.raises(DPError, match=r"Expected a list for at|Expected a number for at"):
            d.certify(curve, at=other)
    with pytest.raises(DPError, match="Expected a list of results for evidence"):
        d.certify(NOISY, evidence=np.array([2, 3]))
