"""Odd values in the public calls of learning, posteriors and attacks: each call works, or it refuses as dpcore does.

What may never come out is an error of the insides, which says nothing of what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import dpcore as dp
from dpcore import attacks, learning
from dpcore.calculus import RULES, rule
from dpcore.errors import DPError

# The arguments are wrong on purpose, so the calls are made past the type checker.
d: Any = dp
a: Any = attacks


class Odd:
    """Neither hashed, nor compared, nor printed, nor made a number."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        raise ZeroDivisionError

    def __float__(self) -> float:
        raise ZeroDivisionError


ODD: list[Any] = [
    *[
        None,
        True,
        -1,
        0,
        1,
        1.5,
        float("nan"),
        float("inf"),
        10**400,
        10**6000,
        1j,
        "",
        "x",
        "1/2",
        "1e-400",
        b"",
        object(),
    ],
    *[
        [],
        [[]],
        [[[]]],
        {},
        set(),
        [None],
        ["a"],
        [1, 2],
        [[1], [1, 2]],
        [[float("nan"), 1.0]],
        [10**400],
        {"a": [1]},
        (1, [2]),
    ],
    *[[[1, 2], [3, 4]], Odd(), [Odd()], [[Odd(), 1]], np.array([Odd()]), np.array(3), np.zeros(2), np.zeros((0, 2))],
    *[np.zeros((2, 2, 2)), np.array([[1, None]], object), np.array([[1j, 1]]), np.array([["a", "b"]]), range(3)],
    *[
        int,
        lambda *_: None,
        lambda *_: [],
        lambda *_: 1 / 0,
        dp.pure(1),
        dp.pure("1e-400"),
        dp.symbol("b"),
        dp.L2Distance,
    ],
]

LOSS = dp.pure(1)
X, Y = [[0.1, 0.2], [0.3, 0.4], [-0.1, 0.2]], [0, 1, 0]
MODELS: dict[str, Callable[..., Any]] = {
    "LinearRegression": partial(learning.LinearRegression, loss=LOSS),
    "PCA": partial(learning.PCA, loss=LOSS),
    "LogisticRegression": partial(learning.LogisticRegression, loss=LOSS, size=3, rounds=2),
    "objective": partial(learning.LogisticRegression, loss=LOSS, method="objective"),
    "NaiveBayes": partial(learning.NaiveBayes, loss=LOSS),
    "KMeans": partial(learning.KMeans, loss=LOSS, init=[["-0.1", 0], ["0.1", 0]], rounds=1),
}
READ = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform")
Call = Callable[[Any], object]


def of_models() -> dict[str, Call]:
    found: dict[str, Call] = {}
    for name, made in MODELS.items():
        found |= {f"{name}{call}": made_of for call, made_of in of_model(made).items()}
    linear = MODELS["LinearRegression"]().fit(X, Y)
    found["LinearRegression.score(X)"] = lambda w: linear.score(w, Y)
    found["LinearRegression.score(y)"] = lambda w: linear.score(X, w)
    return found


def of_model(made: Callable[..., Any]) -> dict[str, Call]:
    model = made().fit(X, Y)

    def given(parameter: str) -> Call:
        return lambda w: repr(made(**{parameter: w})) and made(**{parameter: w}).fit(X, Y)

    return {
        **{f"({parameter})": given(parameter) for parameter in model.get_params()},
        **{f".{method}": getattr(model, method) for method in READ if hasattr(model, method)},
        ".fit(X)": lambda w: made().fit(w, Y),
        ".fit(y)": lambda w: made().fit(X, w),
        ".measurement": lambda w: made().measurement(w),
        ".certify": lambda w: made().certify(2, d_in=w),
    }


POINTS: Any = dp.rows(dp.vector(dp.numbers(-1, 1, "0.01"), 2, dp.L1Distance, 1))
DESCENT: dict[str, Any] = {
    "gradient": lambda theta: [dp.row()[0] * theta[0]],
    **{"rounds": 2, "loss": LOSS, "clip": 1, "start": [0], "rate": 1, "size": 9, "step": "0.01"},
}
CLUSTERS: dict[str, Any] = {"k": 2, "rounds": 2, "loss": LOSS, "start": [["-0.1", 0], ["0.1", 0]]}


def on_blocks(theta: Any, block: Any) -> Any:
    return block[:, :1] * theta[0]


def of_rounds() -> dict[str, Call]:
    def descend(name: str) -> Call:
        return lambda w: POINTS >> d.descend(**{**DESCENT, name: w})

    def by_blocks(name: str) -> Call:
        both: dict[str, Any] = {**DESCENT, "gradient": on_blocks}
        return lambda w: (POINTS >> d.descend(**{**both, name: w})).release([["0.1", 0]])

    def lloyd(name: str) -> Call:
        return lambda w: POINTS >> d.lloyd(**{**CLUSTERS, name: w})

    return {
        **{f"descend({name})": descend(name) for name in DESCENT},
        **{f"descend({name}) on blocks": by_blocks(name) for name in DESCENT if name != "gradient"},
        **{f"lloyd({name})": lloyd(name) for name in CLUSTERS},
        "a gradient": lambda w: descend("gradient")(lambda theta: w),
        "a gradient on blocks": lambda w: descend("gradient")(lambda theta, block: w),
        "descend on": lambda w: d.descend(**DESCENT)(w),
        "descend.round": lambda w: d.descend(**DESCENT).round(POINTS, w),
        "descend.round on": lambda w: d.descend(**DESCENT).round(w),
        "a centre": lambda w: lloyd("start")([w, [0, 0]]),
        "lloyd on": lambda w: d.lloyd(**CLUSTERS)(w),
        "lloyd.round": lambda w: d.lloyd(**CLUSTERS).round(POINTS, w),
        "lloyd.round on": lambda w: d.lloyd(**CLUSTERS).round(w),
    }


ANSWER = dp.value(dp.booleans(), dp.DiscreteDistance()) >> dp.randomized_response("3/4")
COUNT = dp.rows(dp.integers(0, 1)) >> dp.count() >> dp.laplace(1)


def of_beliefs() -> dict[str, Call]:
    return {
        **{f"{call} of an answer": f for call, f in of_posterior(ANSWER, {True: 1, False: 1}, True).items()},
        **{f"{call} of a count": f for call, f in of_posterior(COUNT, {(0, 1): "1/2", (1,): "1/2"}, 2).items()},
        "beliefs": lambda w: str(d.beliefs(w)),
        "risk": lambda w: d.beliefs(dp.pure(1)).risk(w),
        "risk with a delta": lambda w: d.beliefs(dp.approx(1, "1e-6")).risk(w),
    }


def of_posterior(m: Any, prior: dict[Any, Any], seen: object) -> dict[str, Call]:
    believed: Any = dp.posterior(m, prior, seen)
    return {
        "posterior(m)": lambda w: d.posterior(w, prior, seen),
        "posterior(prior)": lambda w: d.posterior(m, w, seen),
        "weights": lambda w: d.posterior(m, dict.fromkeys(prior, w), seen),
        "outcome": lambda w: d.posterior(m, prior, w),
        "erased": lambda w: d.posterior(m, prior, seen, w),
        "erased gives": lambda w: d.posterior(m, prior, seen, lambda _: w),
        "posterior[x]": lambda w: believed[w],
        "belief": lambda w: believed.belief(w),
        "belief gives": lambda w: believed.belief(lambda _: w),
    }


ROWS = [{"age": 1, "ill": 1}, {"age": "1*", "ill": 1}, {"age": range(3), "ill": 2}, {"age": {1, 2}, "ill": 1}]
HALF = [0.5, 0.5]


def of_attacks() -> dict[str, Call]:
    guess = a.reconstruct([1, 1], [[0], [1]], 2)
    possible = a.consistent([1, 1], [[0], [1]], 1, 2)
    tests = a.membership(ANSWER, True, False, n=100)
    return {
        "reconstruct(answers)": lambda w: a.reconstruct(w, [[0], [1]], 2),
        "reconstruct(an answer)": lambda w: a.reconstruct([w, w], [[0], [1]], 2),
        "reconstruct(queries)": lambda w: a.reconstruct([1, 1], w, 2),
        "reconstruct(a query)": lambda w: a.reconstruct([1, 1], [w, w], 2),
        "reconstruct(a person)": lambda w: a.reconstruct([1, 1], [[w], [w]], 2),
        "reconstruct(people)": lambda w: a.reconstruct([1, 1], [[0], [1]], w),
        "reconstruct(method)": lambda w: a.reconstruct([1, 1], [[0], [1]], 2, w),
        "reconstruct(answers) by a programme": lambda w: a.reconstruct(w, [[0], [1]], 2, "linear programme"),
        "right": guess.right,
        "consistent(answers)": lambda w: a.consistent(w, [[0], [1]], 1, 2),
        "consistent(queries)": lambda w: a.consistent([1, 1], w, 1, 2),
        "consistent(error)": lambda w: a.consistent([1, 1], [[0], [1]], w, 2),
        "consistent(people)": lambda w: a.consistent([1, 1], [[0], [1]], 1, w),
        "furthest": possible.furthest,
        "link(tables)": lambda w: a.link(w, {"age": 1}, "ill"),
        "link(a table)": lambda w: a.link([w, w], {"age": 1}, "ill"),
        "link(a row)": lambda w: a.link([[w]], {"age": 1}, "ill"),
        "link(a cell)": lambda w: a.link([[{"age": w, "ill": 1}]], {"age": 1}, "ill"),
        "link(a secret)": lambda w: a.link([[{"age": 1, "ill": w}]], {"age": 1}, "ill"),
        "link(known)": lambda w: a.link([ROWS], w, "ill"),
        "link(a known value)": lambda w: a.link([ROWS], {"age": w}, "ill"),
        "link(secret)": lambda w: a.link([ROWS], {"age": 1}, w),
        "anonymity(table)": lambda w: a.anonymity(w, "ill"),
        "anonymity(a row)": lambda w: a.anonymity([w], "ill"),
        "anonymity(a cell)": lambda w: a.anonymity([{"age": w, "ill": 1}], "ill"),
        "anonymity(secret)": lambda w: a.anonymity(ROWS, w),
        "membership(m)": lambda w: a.membership(w, True, False, n=100),
        "membership(x)": lambda w: a.membership(ANSWER, w, False, n=100),
        "membership(y)": lambda w: a.membership(COUNT, [0], w, n=100),
        "membership(n)": lambda w: a.membership(ANSWER, True, False, n=w),
        "membership(bits)": lambda w: a.membership(ANSWER, True, False, n=100, bits=w),
        "tpr": tests.tpr,
        "trace(averages)": lambda w: a.trace(w, HALF, [1, 0]),
        "trace(population)": lambda w: a.trace(HALF, w, [1, 0]),
        "trace(person)": lambda w: a.trace(HALF, HALF, w),
        "trace(fpr)": lambda w: a.trace(HALF, HALF, [1, 0], w),
    }


def by_its_name(name: Any) -> object:
    """All that is printed of a relation of the user's own."""
    whole = dp.rows(dp.integers(0, 1), d.granularity(name, lambda x, y: 0, 2)) >> d.count() >> d.laplace(1)
    return str(whole.map), repr(whole), dp.certify(whole, d_in=1).document


def of_texts() -> dict[str, Call]:
    return {
        "granularity(name)": by_its_name,
        "compare(releases)": lambda w: repr(d.compare(w, rows=[10])),
        "compare(a release)": lambda w: d.compare([w, COUNT], rows=[10]),
        "compare(names)": lambda w: d.compare(
            {w if isinstance(w, (str, int, float, type(None))) else 1: COUNT}, rows=[10]
        ),
        "compare(rows)": lambda w: d.compare([COUNT], rows=w),
        "compare(confidence)": lambda w: d.compare([COUNT], rows=[10], confidence=w),
    }


CALLS: dict[str, Call] = {**of_models(), **of_rounds(), **of_beliefs(), **of_attacks(), **of_texts()}


def stated(d: Any) -> Any:
    """As far as before."""
    return d


def unstated(d: Any) -> Any:
    return d


def of_nothing() -> Any:
    """Of nothing."""


@pytest.mark.parametrize(
    ("run", "name", "function", "message"),
    [
        (stated, None, None, "Expected functions for the map and for the run"),
        (None, None, stated, "Expected functions for the map and for the run"),
        (stated, 3, stated, "Expected a text for name"),
        (stated, "an odd rule", unstated, "does not say what it states"),
        (stated, "count_symmetric", stated, "two rules are named count_symmetric"),
        (stated, "an odd rule", of_nothing, "to take a distance"),
    ],
)
def test_a_rule_that_is_none_is_refused(run: Any, name: Any, function: Any, message: str) -> None:
    before = dict(RULES)
    with pytest.raises(dp.errors.InvalidParameter, match=message):
        rule(run, name)(function)
    assert before == RULES


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS)
def test_works_or_refuses(call: str) -> None:
    refusals: list[DPError] = []
    for odd in ODD:
        try:
            CALLS[call](odd)
        except DPError as refusal:
            refusals.append(refusal)
    assert all(str(each) for each in refusals)
    assert refusals or call in TAKE_ALL, "this call takes everything, so the battery says nothing of it"


TAKE_ALL = {
    # What is predicted is not looked at, or what cannot be compared is none of what is looked for.
    *("PCA.fit(y)", "KMeans.fit(y)", "link(a known value)", "link(a cell)"),
    # Parameters of the other method.
    *("objective(size)", "objective(rounds)", "objective(rate)", "LogisticRegression(step)"),
}

# ---- what estimators are given that is malformed ------------------------------------------------------------------------

SPARSE = type("Sparse", (), {"toarray": lambda self: np.zeros((3, 2)), "shape": (3, 2)})()

NO_ROWS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "Expected numbers for X but got none"),
    "text": ([["a", "secret"]] * 3, "Expected numbers for X"),
    "several lengths": ([[1], [1, 2], [1]], "Expected numbers for X, as many in each row"),
    "one dimension": ([1, 2, 3], "Expected a matrix, a row for each row, but got 1 dimensions"),
    "three dimensions": (np.zeros((3, 2, 2)), "but got 3 dimensions"),
    "NaN": ([[1, float("nan")]] * 3, "X contains NaN or inf"),
    "inf": ([[1, float("inf")]] * 3, "X contains NaN or inf"),
    "complex": (np.full((3, 2), 1j), "Complex data not supported"),
    "days": (np.full((3, 2), np.datetime64("2020-01-01")), "argument must be numbers"),
    "sparse": (SPARSE, "sparse input is not supported"),
    "things": ([[Odd(), 1]] * 3, "numbers"),
}


@pytest.mark.parametrize("rows", NO_ROWS)
@pytest.mark.parametrize("name", MODELS)
def test_rows_that_are_none_are_refused_before_and_after_fitting(name: str, rows: str) -> None:
    given, message = NO_ROWS[rows]
    model = MODELS[name]()
    with pytest.raises(DPError, match=message) as refused:
        model.fit(given, Y)
    assert isinstance(refused.value, (ValueError, TypeError))
    assert "secret" not in str(refused.value)
    with pytest.raises(DPError, match=message):
        getattr(model.fit(X, Y), "transform" if name == "PCA" else "predict")(given)


@pytest.mark.parametrize("name", ["LinearRegression", "LogisticRegression", "objective", "NaiveBayes"])
@pytest.mark.parametrize("y", [None, [0], [0, 1, 0, 1], [[0, 1, 0]], np.zeros((3, 1)), 1, [[0], [0, 1], [0]]], ids=str)
def test_as_many_values_to_predict_as_rows(name: str, y: Any) -> None:
    with pytest.raises(DPError, match=r"as many values to predict as there are rows|Expected (finite )?numbers"):
        MODELS[name]().fit(X, y)


@pytest.mark.parametrize("name", ["LogisticRegression", "objective"])
@pytest.mark.parametrize(
    "y", [[0, 1, 2], ["a", "b", "a"], [None] * 3, [float("nan")] * 3, [Odd()] * 3], ids=lambda y: str(type(y[0]))
)
def test_two_classes_and_no_third(name: str, y: Any) -> None:
    with pytest.raises(DPError, match="one of the two classes"):
        MODELS[name]().fit(X, y)


@pytest.mark.parametrize("name", MODELS)
def test_as_many_features_as_were_fitted(name: str) -> None:
    model = MODELS[name]().fit(X, Y)
    with pytest.raises(DPError, match=r"X has 3 features, but .* is expecting 2 features as input"):
        getattr(model, "transform" if name == "PCA" else "predict")(np.zeros((1, 3)))


def test_the_score_of_values_that_are_all_one() -> None:
    """There is no variance to explain, so all of it is explained, or none."""
    model = MODELS["LinearRegression"]().fit(X, Y)
    assert model.score(X, [1, 1, 1]) == 0.0
    assert model.score(X[:1], model.predict(X[:1])) == 1.0


def test_a_refusal_of_a_function_says_its_kind_alone() -> None:
    def secret(x: object) -> bool:
        raise ValueError("secret")

    believed: Any = dp.posterior(ANSWER, {True: 1, False: 1}, True)
    with pytest.raises(dp.errors.UserFunctionFailed, match="raised ValueError") as refused:
        believed.belief(secret)
    assert "secret" not in str(refused.value)
    with pytest.raises(dp.errors.UserFunctionFailed, match="raised ValueError") as refused:
        d.posterior(ANSWER, {True: 1, False: 1}, True, secret)
    assert "secret" not in str(refused.value)
