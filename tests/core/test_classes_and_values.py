"""Metrics and measures without parameters are given as classes or as values, and mean the same."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ForwardRef, TypeVar, cast

import pytest

import dpcore as dp
from dpcore.planning import inverse_advanced

ROWS = dp.rows(dp.integers(0, 1))
NOISY = ROWS >> dp.count() >> dp.laplace(scale=1)


def same_release(data: object) -> int:
    return 1


def claimed_loss(d: object) -> object:
    return d


UNTYPED = cast(Any, dp)
VECTORS = UNTYPED.rows(dp.vector(dp.integers(0, 9), 2))

TAKES: dict[tuple[str, str], tuple[Callable[[Any], object], Callable[[], Any]]] = {
    ("rows", "metric"): (lambda way: UNTYPED.rows(dp.text(), way), lambda: dp.ChangeOneDistance),
    ("value", "metric"): (lambda way: UNTYPED.value(dp.integers(), way), lambda: dp.AbsoluteDistance),
    ("to_metric", "metric"): (lambda way: UNTYPED.to_metric(way), lambda: dp.SymmetricDistance),
    ("PartDistance.__init__", "of"): (lambda way: UNTYPED.types.PartDistance(way), lambda: dp.ChangeOneDistance),
    ("vector", "norm"): (lambda norm: UNTYPED.vector(dp.integers(), 2, norm, 5), lambda: dp.L2Distance),
    ("sum", "norm"): (lambda norm: VECTORS >> UNTYPED.sum(norm=norm), lambda: dp.L1Distance),
    ("clip_norm", "norm"): (lambda norm: VECTORS >> UNTYPED.clip_norm(3, norm), lambda: dp.LInfDistance),
    ("histogram", "norm"): (lambda norm: ROWS >> UNTYPED.histogram(norm=norm), lambda: dp.RangeDistance),
    ("linear_queries", "norm"): (
        lambda norm: ROWS >> UNTYPED.linear_queries(dp.row() == 1, norm=norm),
        lambda: dp.LInfDistance,
    ),
    ("inverse_advanced", "parts"): (
        lambda of: cast(Any, inverse_advanced)(dp.approx(1, "1e-6"), 10, of),
        lambda: dp.ApproxDP,
    ),
    ("gaussian", "measure"): (lambda of: ROWS >> dp.count() >> UNTYPED.gaussian(1, measure=of), lambda: dp.Profile),
    ("exponential", "measure"): (lambda of: UNTYPED.exponential(1, measure=of), lambda: dp.PureDP),
    ("interactive", "measure"): (
        lambda of: UNTYPED.interactive(ROWS, dp.above_threshold(1, threshold_scale=1, query_scale=1), measure=of),
        lambda: dp.ZCDP,
    ),
    ("odometer", "measure"): (lambda of: UNTYPED.odometer(ROWS, of), lambda: dp.ZCDP),
    ("measurement", "measure"): (
        lambda of: UNTYPED.measurement(same_release, ROWS, of, claimed_loss),
        lambda: dp.PureDP,
    ),
    ("Measurement.to", "measure"): (lambda of: NOISY.to(of), lambda: dp.ZCDP),
}
"""Each parameter of a public function that is a metric or a measure: a call with it, and a class that it takes."""

KINDS = frozenset({"Metric", "RowMetric", "VectorMetric", "Measure", "Normed"})


def is_kind(written: str, module: object) -> bool:
    """Whether an annotation, or the bound of a type parameter, is a metric or a measure; with `type[...]` or without."""
    for part in written.split(" | "):
        name = part.removeprefix("type[").removesuffix("]")
        found: object = getattr(module, name, None)
        if isinstance(found, TypeVar):
            bounds = found.__constraints__ or (found.__bound__,)
            if any(
                issubclass(bound, (dp.types.Metric, dp.types.Measure)) for bound in bounds if isinstance(bound, type)
            ):
                return True
            if any(isinstance(bound, ForwardRef) and bound.__forward_arg__ in KINDS for bound in bounds):
                return True
        if name in KINDS:
            return True
    return False


BESIDE: dict[str, object] = {
    "inverse_advanced": inverse_advanced,
    "Measurement": dp.types.Measurement,
    "PartDistance": dp.types.PartDistance,
}
"""What takes such and is not on the front."""

NAMES: dict[str, object] = {name: getattr(dp, name) for name in dir(dp)} | BESIDE


def taking() -> Iterator[tuple[str, inspect.Parameter]]:
    """Each public function with a metric or a measure, and each method and constructor of a class on the front."""
    for given in NAMES.values():
        functions = [inspect.unwrap(given)] if inspect.isfunction(given) else []
        if isinstance(given, type):
            public = {k: f for k, f in vars(given).items() if k == "__init__" or not k.startswith("_")}
            functions = [f for f in public.values() if inspect.isfunction(f)]
        for function in functions:
            module = sys.modules[function.__module__]
            for parameter in inspect.signature(function).parameters.values():
                if is_kind(str(parameter.annotation), module):
                    yield function.__qualname__, parameter


def test_every_parameter_is_here_and_is_annotated_for_both() -> None:
    found = dict.fromkeys((name, parameter.name) for name, parameter in taking())
    found.pop(("Measurement.__init__", "measure"))  # arrows are made by steps
    assert set(found) == set(TAKES)
    for name, parameter in taking():
        assert "type[" in str(parameter.annotation) or name == "Measurement.__init__", name


@pytest.mark.parametrize("where", TAKES, ids="-".join)
def test_both_mean_the_same(where: tuple[str, str]) -> None:
    call, kind = TAKES[where]
    of_class, of_value = call(kind()), call(kind()())
    assert of_class == of_value
    assert repr(of_class) == repr(of_value)
    assert f"{kind().__name__}()" not in repr(of_class), "printed as it is written: the class"
    if where[0] != "measurement":  # whose function only the user has
        assert eval(repr(of_class), dict(NAMES)) == of_class
    with pytest.raises((dp.errors.DPError, TypeError)):
        call("L3")
    with pytest.raises(dp.errors.DPError):
        call(dp.PersonDistance)


def test_texts_for_norms_go() -> None:
    with pytest.warns(DeprecationWarning, match="norm='L2' is now norm=L2Distance"):
        assert dp.vector(dp.integers(), 2, "L2", 5) == dp.vector(dp.integers(), 2, dp.L2Distance, 5)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected L1Distance, L2Distance or LInfDistance"):
        dp.vector(dp.integers(), 2, dp.RangeDistance, 5)


WRITTEN = re.compile(
    r"\b(\w*Distance|PureDP|ApproxDP|ZCDP|RenyiDP|GaussianDP|TotalVariation|Profile|Tradeoff)\(\)[,)`]"
)
ROOT = Path(dp.__file__).parents[1]


def test_all_texts_write_the_class() -> None:
    """Documents, examples, and the texts within the library; a value that was met is printed as a value."""
    texts = {path: path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}
    for path in (ROOT / "dpcore").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts[path] = "\n".join(
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
    assert len(texts) > 100
    assert {str(path): WRITTEN.findall(text) for path, text in texts.items() if WRITTEN.search(text)} == {}


def test_what_was_met_is_written_as_it_is_asked_for() -> None:
    with pytest.raises(dp.errors.MetricMismatch) as refusal:
        UNTYPED.value(dp.text(), dp.L1Distance())
    assert "()" not in str(refusal.value).replace("text()", "")
    assert refusal.value.expected == dp.L1Distance()


@pytest.mark.parametrize(
    ("build", "part"),
    [
        (lambda: UNTYPED.rows(dp.text(), dp.PersonDistance), "PersonDistance(by)"),
        (lambda: UNTYPED.rows(dp.text(), dp.types.Metric), "Expected a metric on rows"),
        (lambda: UNTYPED.value(dp.integers(), int), "Expected a metric"),
        (lambda: UNTYPED.measurement(same_release, ROWS, dp.types.Measure, claimed_loss), "Expected a measure"),
        (lambda: UNTYPED.measurement(same_release, ROWS, 3, claimed_loss), "Expected a measure"),
        (lambda: NOISY.to(cast(Any, 3)), "Expected a measure"),
    ],
)
def test_what_is_neither_is_refused(build: Callable[[], object], part: str) -> None:
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        build()
    assert part in str(refusal.value)
