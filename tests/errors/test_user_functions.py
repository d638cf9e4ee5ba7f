"""A user's function that raises, or returns what it did not declare: a clear error, no release, and no value of the data.

Every row holds a secret. It may show neither in the message nor anywhere in the chain of exceptions, as a handler that
logs tracebacks would publish it.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn, cast

import pytest

import dpcore as dp

SECRET = "s3cret" + "-of-one-person"

texts = dp.rows(dp.text())
number = dp.value(dp.integers(0), dp.AbsoluteDistance())
noise = dp.laplace(1)


class Untouchable:
    """A value that fails to be looked at."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError(SECRET)

    def __repr__(self) -> str:
        raise ValueError(SECRET)


def raises_value(row: Any) -> NoReturn:
    raise ValueError(row)


def raises_key(row: Any) -> object:
    return {}[row]


def raises_in_a_chain(row: Any) -> NoReturn:
    try:
        raise KeyError(row)
    except KeyError as error:
        raise RuntimeError(f"no entry for {row}") from error


def stops(row: Any) -> NoReturn:
    raise StopIteration(row)


RAISE: list[Callable[[Any], object]] = [raises_value, raises_key, raises_in_a_chain, stops]


def first(rows: Any) -> object:
    return rows[0] if isinstance(rows, list) else rows


def places(f: Callable[[Any], object]) -> dict[str, Callable[[], object]]:
    """Every place a user's function can take, with a release that runs it on the secret."""
    counted = texts >> dp.count() >> noise
    last = dp.measurement(first, texts, dp.PureDP(), lambda d: d)
    return {
        "row_map": lambda: (texts >> dp.row_map(f, dp.integers(0, 1)) >> dp.sum() >> noise).release([SECRET]),
        "flat_map": lambda: (texts >> dp.flat_map(f, dp.integers(0, 1), 1) >> dp.count() >> noise).release([SECRET]),
        "filter": lambda: (texts >> dp.filter(f) >> dp.count() >> noise).release([SECRET]),  # type: ignore[arg-type]
        "histogram": lambda: (texts >> dp.histogram(f, bins=["a"]) >> noise).release([SECRET]),
        "partition": lambda: (texts >> dp.partition(["a"], f) >> dp.parallel(counted)).release([SECRET]),
        "threshold_release": lambda: (texts >> dp.threshold_release(f, scale=1, threshold=3)).release([SECRET]),
        "then": lambda: last.then(f).release([SECRET]),
        "transformation": lambda: (
            dp.transformation(lambda rows: f(rows[0]), texts, number, lambda d: d) >> noise
        ).release([SECRET]),
        "measurement": lambda: dp.measurement(lambda rows: f(rows[0]), texts, dp.PureDP(), lambda d: d).release(
            [SECRET]
        ),
        "in a composition": lambda: (counted & last.then(f)).release([SECRET]),
        "before a chain": lambda: (
            texts >> dp.filter(lambda row: True) >> dp.row_map(f, dp.integers(0, 1)) >> dp.count() >> noise
        ).release([SECRET]),
        "adaptive": lambda: dp.adaptive(texts, [(dp.pure(1), lambda seen: last.then(f))]).release([SECRET]),
        "granularity": lambda: dp.granularity("mine", lambda x, y: f(x)).distance(SECRET, ""),  # type: ignore[arg-type,return-value]
    }


def everything_said(error: BaseException) -> str:
    """The message, and the formatted traceback of the error and of all that it carries along, suppressed or not."""
    said, pending, seen = [], [error], set()
    while pending:
        current = pending.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        said += [str(current), "".join(traceback.format_exception(current)), repr(vars(current))]
        pending += [e for e in (current.__cause__, current.__context__) if e is not None]
    return "\n".join(said)


@pytest.mark.parametrize("place", places(str))
@pytest.mark.parametrize("f", RAISE)
def test_a_function_that_raises(place: str, f: Callable[[Any], object]) -> None:
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        places(f)[place]()
    assert SECRET not in everything_said(refusal.value)
    kind = {"raises_value": "ValueError", "raises_key": "KeyError", "stops": "StopIteration"}.get(
        f.__name__, "RuntimeError"
    )
    assert f"raised {kind}" in str(refusal.value)
    if place not in ("transformation", "measurement", "granularity"):  # where it is wrapped in a lambda
        assert f"the function {f.__name__}" in str(refusal.value)


def test_the_search_for_secrets_finds_them() -> None:
    with pytest.raises(RuntimeError) as refusal:
        raises_in_a_chain(SECRET)
    assert SECRET in everything_said(refusal.value)
    wrapped = dp.errors.DPError("said nothing")
    wrapped.__context__ = refusal.value
    wrapped.__suppress_context__ = True
    assert SECRET in everything_said(wrapped)


# Where a domain was declared: what is returned outside it, and the type that the message names.
WRONG: dict[str, list[tuple[Callable[[Any], object], str]]] = {
    "row_map": [
        (lambda row: row, "str"),
        (lambda row: 2, "int"),
        (lambda row: True, "bool"),
        (lambda row: 0.5, "float"),
        (lambda row: float("nan"), "float"),
        (lambda row: None, "NoneType"),
        (lambda row: [row], "list"),
        (lambda row: Untouchable(), "object"),
    ],
    "flat_map": [
        (lambda row: [row], "str"),
        (lambda row: row, "str"),
        (lambda row: 1, "int"),
        (lambda row: None, "NoneType"),
        (lambda row: [Untouchable()], "object"),
    ],
    "filter": [
        (lambda row: row, "str"),
        (lambda row: 1, "int"),
        (lambda row: None, "NoneType"),
        (lambda row: Untouchable(), "object"),
    ],
    "transformation": [
        (lambda row: row, "str"),
        (lambda row: -1, "int"),
        (lambda row: 1.5, "float"),
        (lambda row: None, "NoneType"),
        (lambda row: Untouchable(), "object"),
    ],
    "histogram": [(lambda row: row.encode(), "bytes"), (lambda row: Untouchable(), "object")],
    "partition": [(lambda row: row.encode(), "bytes"), (lambda row: Untouchable(), "object")],
    "threshold_release": [(lambda row: row.encode(), "bytes"), (lambda row: Untouchable(), "object")],
}


@pytest.mark.parametrize(("place", "index"), [(place, i) for place, cases in WRONG.items() for i in range(len(cases))])
def test_a_function_that_returns_what_it_did_not_declare(place: str, index: int) -> None:
    f, kind = WRONG[place][index]
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        places(f)[place]()
    message = str(refusal.value)
    assert f" {kind}" in message, message
    assert "<lambda>" in message
    assert SECRET not in everything_said(refusal.value)


def test_the_declared_domain_is_told() -> None:
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        places(lambda row: row)["row_map"]()
    assert refusal.value.expected == dp.integers(0, 1)
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        places(lambda row: row)["transformation"]()
    assert refusal.value.expected == dp.integers(0)
    assert refusal.value.left is not None


def test_nothing_is_released_before_a_failure() -> None:
    """A composition fails as a whole, also where its first part has run."""
    released: list[object] = []

    def seen(release: int) -> int:
        released.append(release)
        return release

    both = (texts >> dp.count() >> noise).then(seen) & (texts >> dp.count() >> noise).then(raises_value)
    result = None
    with pytest.raises(dp.errors.UserFunctionFailed):
        result = both.release([SECRET])
    assert released
    assert result is None


@pytest.mark.parametrize(
    ("claimed", "error", "words"),
    [
        (lambda d: 1 / 0, dp.errors.UserFunctionFailed, "raised ZeroDivisionError"),
        (lambda d: [][1], dp.errors.UserFunctionFailed, "raised IndexError"),
        (lambda d: -d, dp.errors.InvalidParameter, "at least 0"),
        (lambda d: None, dp.errors.InvalidParameter, "NoneType"),
        (lambda d: "half", dp.errors.InvalidParameter, "finite number"),
        (lambda d: float("nan"), dp.errors.InvalidParameter, "finite number"),
        (lambda d: float("inf"), dp.errors.InvalidParameter, "finite number"),
        (lambda d: True, dp.errors.InvalidParameter, "truth value"),
        (lambda d: (d, d), dp.errors.InvalidParameter, "tuple"),
        (lambda d: dp.symbol("b"), dp.errors.InvalidParameter, "formula"),
    ],
)
def test_claimed_maps(claimed: Callable[[object], Any], error: type[dp.errors.DPError], words: str) -> None:
    with pytest.raises(error, match=words):
        dp.transformation(len, texts, number, claimed).stability(1)
    with pytest.raises(error, match=words):
        dp.measurement(len, texts, dp.PureDP(), claimed).loss(1)
    pair = dp.measurement(len, texts, dp.ApproxDP(), lambda d: (d, claimed(d)))
    with pytest.raises(error, match=words):
        pair.loss(1)
    curve = dp.measurement(len, texts, dp.RenyiDP(), lambda d: lambda alpha: claimed(d))
    with pytest.raises(error, match=words):
        curve.loss(1).epsilon(2)


@pytest.mark.parametrize("shape", [1, (1, 2, 3), [1, 2], None])
def test_a_claimed_pair_is_a_pair(shape: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=r"a pair \(epsilon, delta\)"):
        dp.measurement(len, texts, dp.ApproxDP(), lambda d: shape).loss(1)


# ---- data that are no members ----------------------------------------------------------------------------------------


def released(space: dp.types.Space[Any, Any], data: object) -> object:
    return (space >> dp.count() >> noise).release(data)


OUTSIDE: list[tuple[str, Callable[[], object], str]] = [
    ("a row", lambda: released(dp.rows(dp.integers()), [1, SECRET]), "row 1, expected a whole number but got a str"),
    ("a bound", lambda: released(dp.rows(dp.integers(0, 1)), [0, 1, 4711]), "row 2, out of bounds"),
    ("a category", lambda: released(dp.rows(dp.categories("a")), [SECRET]), "row 0, none of the categories"),
    ("a type of the user", lambda: released(dp.rows(dp.categories("a")), [Untouchable()]), "row 0, none of the"),
    ("a field", lambda: released(dp.rows(dp.record(a=dp.integers())), [{"a": SECRET}]), "row 0, field 'a', expected"),
    ("a name", lambda: released(dp.rows(dp.record(a=dp.integers())), [{"a": 1, SECRET: 1}]), "fields that were not"),
    ("no field", lambda: released(dp.rows(dp.record(a=dp.integers())), [{SECRET: 1}]), "field 'a' is missing"),
    ("a column", lambda: released(dp.rows(dp.record(a=dp.integers())), {SECRET: 1}), "field 'a' is missing"),
    ("a text for rows", lambda: released(dp.rows(dp.text()), SECRET), "expected a sequence of rows but got a str"),
    ("a dict for rows", lambda: released(dp.rows(dp.text()), {SECRET: 1}), "columns by name"),
    ("the size", lambda: released(dp.rows(dp.text(), dp.ChangeOneDistance(), 2), [SECRET]), "another number of rows"),
    (
        "a coordinate",
        lambda: (dp.value(dp.vector(dp.integers(), 2), dp.L1Distance()) >> noise).release([1, SECRET]),  # type: ignore[list-item]
        "coordinate 1, expected a whole number",
    ),
    (
        "a vector too long",
        lambda: released(dp.rows(dp.vector(dp.integers(), 2, dp.L1Distance, 5)), [[4711, 1]]),
        "row 0, a vector longer than the bound of its L1 norm",
    ),
    (
        "an edge",
        lambda: dp.transformation(len, dp.value(dp.graphs(3), dp.EdgeDistance()), number, lambda d: d)([(0, 4711)]),
        "edge 0 does not join two different nodes",
    ),
    (
        "an unhashable node",
        lambda: dp.transformation(len, dp.value(dp.graphs(3), dp.EdgeDistance()), number, lambda d: d)([([], 1)]),  # type: ignore[list-item]
        "edge 0 does not join two different nodes",
    ),
    ("no number", lambda: released(dp.rows(dp.numbers()), [float("nan")]), "row 0, expected a number but got null"),
    ("an infinity", lambda: released(dp.rows(dp.numbers()), [float("inf")]), "row 0, expected a finite number"),
    (
        "a truth value",
        lambda: released(dp.rows(dp.integers()), [True]),
        "row 0, expected a whole number but got a bool",
    ),
    ("a number off the grid", lambda: released(dp.rows(dp.numbers(0, 1, "0.5")), [0.4711]), "row 0, off the grid"),
]


@pytest.mark.parametrize(("what", "release", "place"), OUTSIDE, ids=[what for what, _, _ in OUTSIDE])
def test_data_outside_the_domain(what: str, release: Callable[[], object], place: str) -> None:
    with pytest.raises(dp.errors.InvalidData) as refusal:
        release()
    said = everything_said(refusal.value)
    assert place in str(refusal.value)
    assert refusal.value.expected is not None
    assert SECRET not in said
    assert "4711" not in str(refusal.value)


def test_a_part_is_named_by_its_place() -> None:
    space = dp.types.Space(dp.types.Parts(dp.integers(), ("N", "S")), dp.types.PartDistance(dp.SymmetricDistance()))
    each = space >> dp.parallel(dp.rows(dp.integers()) >> dp.count() >> noise)
    with pytest.raises(dp.errors.InvalidData, match="part 1, row 0, expected a whole number but got a str") as refusal:
        each.release({"N": [1], "S": [SECRET]})  # type: ignore[list-item]
    assert SECRET not in everything_said(refusal.value)
    with pytest.raises(dp.errors.InvalidData, match="other keys than the declared ones") as refusal:
        each.release({"N": [1], SECRET: [1]})
    assert SECRET not in everything_said(refusal.value)


COUNTS = dp.value(dp.integers(0), dp.AbsoluteDistance())


@pytest.mark.parametrize("stability", [
    lambda d: Fraction(1, 2) * d, lambda d: d * Fraction(1, 2), lambda d: d / 2,
])  # fmt: skip
def test_a_claimed_map_computes_with_plain_fractions(stability: Callable[[object], object]) -> None:
    half = dp.transformation(len, dp.rows(dp.text()), COUNTS, stability=cast(Any, stability))
    assert (half >> dp.laplace(scale=1)).loss(3) == dp.pure("3/2")


def test_a_claimed_map_that_computes_with_floats_is_refused_by_name() -> None:
    third = dp.transformation(len, dp.rows(dp.text()), COUNTS, stability=cast(Any, lambda d: 0.3 * d))
    with pytest.raises(dp.errors.InvalidParameter, match="computes with floats"):
        (third >> dp.laplace(scale=1)).loss(1)


d: Any = dp  # mypy refuses these too


@pytest.mark.parametrize(
    "make",
    [
        lambda: d.filter(dp.field("age").is_null),
        lambda: d.row_map(dp.field("age").year, dp.integers()),
        lambda: d.flat_map(dp.field("age").year, dp.integers(), limit=1),
        lambda: d.histogram(dp.field("age").year, bins=[1]),
    ],
)
def test_a_method_that_was_not_called_is_no_function(make: Callable[[], object]) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match=r"field\('age'\)\.\w+ was not called\n  use    field"):
        make()
