"""Where newcomers stumbled: each refusal is one of dpcore and names the way out. No message repeats a value of the data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import pytest

import dpcore as dp
from dpcore.learning.models import PCA, KMeans, LinearRegression, LogisticRegression, NaiveBayes

PEOPLE: Final = dp.rows(dp.record(age=dp.integers(0, 9), region=dp.categories("N", "S")))
FOUR: Final = dp.rows(dp.categories("a", "b", "c", "d"), dp.ChangeOneDistance)
COUNT: Final = PEOPLE >> dp.count()
B: Final = dp.symbol("b")
ANSWER: Final = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
LOOSE: Any = dp
"""As somebody without a type checker meets it."""

WAYS_OUT: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "estimate at one half": (lambda: dp.randomized_response("1/2").estimate, r"p above 1/2.*more answers.*\.shares"),
    "shares at one fourth": (
        lambda: dp.randomized_response("1/4").shares.of(["a", "b", "c", "d"]),
        "p above 1/4, of 4",
    ),
    "parts by a name": (lambda: LOOSE.partition("region"), r"partition\(by=field\('region'\)\)"),
    "parts by an expression": (lambda: LOOSE.partition(dp.field("age") // 5), r"partition\(by=field\('age'\) // 5\)"),
    "a condition as text": (lambda: LOOSE.filter("age>3"), r'field\("age"\) >= 18: no text is ever evaluated'),
    "a condition as a number": (lambda: LOOSE.filter(3), "an expression of the row"),
    "a key as a number": (lambda: LOOSE.histogram(3), "an expression of the row"),
    "a number to solve for": (
        lambda: (COUNT >> LOOSE.laplace(scale=B)).solve(0.5, 1),
        r"\.solve\(pure\(epsilon\), d_in",
    ),
    "a number in zcdp": (lambda: (COUNT >> LOOSE.gaussian(sigma=B)).solve(0.5, 1), r"\.solve\(zcdp\(rho\), d_in=1\)"),
    "a curve to solve for": (
        lambda: (COUNT >> LOOSE.gaussian(sigma=B)).to(dp.RenyiDP).solve(dp.renyi({2: 1}), 1),
        r"\.to\(ApproxDP, delta=\.\.\.\) first",
    ),
    "a budget of a number": (lambda: LOOSE.budget(1, 3), r"budget\(pure\(1\), 3\)"),
    "a budget of a curve": (
        lambda: LOOSE.budget((COUNT >> dp.gaussian(sigma=1)).to(dp.RenyiDP).loss(1), 3),
        r"\.at_orders\(\[2, 4, 8\]\)",
    ),
    "the accuracy of a mean": (
        lambda: ((COUNT >> dp.laplace(scale=1)) & (COUNT >> dp.laplace(scale=1))).then(max).accuracy(0.9),
        r"less than \(a \+ M b\)/n from the mean",
    ),
    "a belief without a prior": (lambda: LOOSE.posterior(ANSWER, None, True), "data sets that are tuples of rows"),
}


@pytest.mark.parametrize("name", WAYS_OUT)
def test_a_refusal_names_the_way_out(name: str) -> None:
    stumble, way = WAYS_OUT[name]
    with pytest.raises(dp.errors.DPError, match=way) as refused:
        stumble()
    assert refused.value.bridge is not None


def test_a_mean_is_as_near_as_its_refusal_says() -> None:
    """Of whole numbers: whatever is released within a of the sum s and within b of the count k."""
    most = 2
    for k in (1, 2, 3):
        for s in range(-most * k, most * k + 1):
            for a, b in ((1, 1), (2, 3)):
                for said in range(s - a + 1, s + a):
                    for n in range(max(1, k - b + 1), k + b):
                        assert abs(Fraction(said, n) - Fraction(s, k)) < Fraction(a + most * b, n)


# ---- reports -----------------------------------------------------------------------------------------------------------

RANDOMIZERS: Final = [dp.randomized_response("3/4"), dp.unary_encoding("3/4"), dp.hadamard_response("3/4")]
NO_REPORTS: Final[list[Any]] = [
    *[None, 3, "abc", [None], [["a"]], [1, 2], [{}], [{"a"}], ["a", "secret"]],
    *[[(9, True)], [("x", True)], [(0, 2)], [[True, False]], [[True, False, 2]], [["a", "b", "c"]]],
]


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=repr)
@pytest.mark.parametrize("reports", NO_REPORTS, ids=repr)
def test_shares_are_estimated_of_reports_alone(randomizer: Any, reports: Any) -> None:
    """Else what stands for no answer would be counted for none, and the estimate be of other data."""
    with pytest.raises(dp.errors.DPError) as refused:
        randomizer.shares.of(["a", "b", "c"])(reports)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=repr)
@pytest.mark.parametrize("answers", [None, 3, "abc", [[1], [2]], [], ["a"], ["a", "a"]], ids=repr)
def test_shares_are_of_a_list_of_answers(randomizer: Any, answers: Any) -> None:
    with pytest.raises(dp.errors.InvalidParameter):
        randomizer.shares.of(answers)


@pytest.mark.parametrize("randomizer", RANDOMIZERS, ids=repr)
def test_reports_of_a_survey_are_taken(randomizer: Any) -> None:
    survey: Any = FOUR >> dp.locally(randomizer)
    found = randomizer.shares.of(["a", "b", "c", "d"])(survey.release(["a", "b"] * 40))
    assert set(found) == {"a", "b", "c", "d"}
    assert all(isinstance(share, Fraction) for share in found.values())


def test_the_share_of_true_is_of_a_list() -> None:
    for reports in (None, 3, "True", {True: 1}):
        with pytest.raises(dp.errors.InvalidData):
            LOOSE.randomized_response("3/4").estimate(reports)


# ---- estimators --------------------------------------------------------------------------------------------------------

X: Final = [[0.1, 0.2], [0.3, 0.4]]
LOSS: Final = dp.pure(1)

NO_MODELS: Final[dict[str, Callable[[], object]]] = {
    "features as text": lambda: LinearRegression(LOSS).measurement("2"),  # type: ignore[arg-type]
    "no features": lambda: LinearRegression(LOSS).measurement(0),
    "text in X": lambda: LinearRegression(LOSS).fit([["secret", "b"]], [1]),
    "things in X": lambda: LinearRegression(LOSS).fit([[{"secret": 1}, 1]], [1]),
    "rows of several lengths": lambda: LinearRegression(LOSS).fit([[1], [1, 2]], [1, 2]),
    "text in y": lambda: LinearRegression(LOSS).fit(X, ["secret", "b"]),
    "a ridge of text": lambda: LinearRegression(LOSS, ridge="a").fit(X, [1, 2]),  # type: ignore[arg-type]
    "no ridge": lambda: LinearRegression(LOSS, ridge=None).fit(X, [1, 2]),  # type: ignore[arg-type]
    "a ridge below 0": lambda: LinearRegression(LOSS, ridge=-1).fit(X, [1, 2]),
    "a smoothing below 0": lambda: NaiveBayes(LOSS, smoothing=-1).fit(X, [0, 1]),
    "classes as a number": lambda: LogisticRegression(LOSS, 10, classes=3).fit(X, [0, 1]),  # type: ignore[arg-type]
    "no classes": lambda: LogisticRegression(LOSS, 10, classes=None).measurement(2),  # type: ignore[arg-type]
    "classes that are lists": lambda: NaiveBayes(LOSS, classes=([1], [2])).fit(X, [0, 1]),
    "one class twice": lambda: NaiveBayes(LOSS, classes=(1, 1)).fit(X, [0, 1]),
    "no centres": lambda: KMeans(LOSS, None).fit(X),  # type: ignore[arg-type]
    "centres by a word": lambda: KMeans(LOSS, "k-means++").fit(X),
    "no components": lambda: PCA(LOSS, n_components=None).fit(X),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", NO_MODELS)
def test_estimators_refuse_by_name(name: str) -> None:
    with pytest.raises(dp.errors.DPError) as refused:
        NO_MODELS[name]()
    assert "secret" not in str(refused.value)
    assert refused.value.__context__ is None or "secret" not in str(refused.value.__context__)


def test_what_is_done_with_rows_beyond_the_bound_is_said_at_construction() -> None:
    """And of no row: a warning that depends on the data would tell of them."""
    for text in (LinearRegression.__doc__, LinearRegression.__mro__[1].__doc__):
        assert text is not None
        assert "shortened to it, in silence" in text


# ---- what else is asked --------------------------------------------------------------------------------------------------


def test_synthetic_data_answer_linear_queries_alone() -> None:
    space = dp.rows(dp.record(age=dp.integers(0, 9), region=dp.categories("N", "S")), dp.ChangeOneDistance, size=3)
    made = (space >> dp.mwem([dp.field("age") >= 3], rounds=1, loss=dp.pure(1))).release(
        [{"age": 1, "region": "N"}] * 3
    )
    assert 0 <= made.answer(dp.field("age") >= 5) <= 1
    queries: list[Any] = [dp.field("nope"), dp.field("region"), dp.field("age"), dp.row(), dp.literal("x"), None, "age"]
    for query in queries:
        with pytest.raises(dp.errors.DPError):
            made.answer(query)


def test_what_is_less_at_a_higher_order_is_known_of_the_lower() -> None:
    assert dp.renyi({2: 3, 4: 1}) == dp.renyi({2: 1, 4: 1})
    assert repr(dp.renyi({2: 3, 4: 1})) == "renyi({2: 1, 4: 1})"
    assert dp.renyi.__doc__ is not None
    assert "`renyi({2: 3, 4: 1})` is `renyi({2: 1, 4: 1})`" in dp.renyi.__doc__
