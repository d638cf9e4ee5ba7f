"""The checker, loaded from its file as an auditor has it, and a certificate for every example of the catalogue."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.domains import Integers, Numbers, Parts, Rows, Vector
from dpcore.maps import Numeric
from tests.laws.arrows import AnyMeasurement, AnyTransformation
from tests.laws.catalogue import EXAMPLES, LARGE

ROOT = Path(__file__).resolve().parents[2]
CHECKER = ROOT / "proofs" / "check_certificate.py"


class Domain(Protocol):
    """What data can be, as the checker has it."""

    def _replace(self, **changed: object) -> Domain: ...


class Checker(Protocol):
    """The module `check_certificate`, as far as tests use it."""

    Rejected: type[Exception]
    DEPTH: int
    ASSUMED: dict[str, str]
    LABOUR: int
    SPENT: list[int]
    NOTES: set[tuple[str, str]]
    TRUTH: Domain
    json: ModuleType

    def verify(self, data: bytes) -> tuple[list[str], list[list[Fraction]]]: ...
    def main(self, paths: list[str]) -> int: ...
    def judge(self, path: str) -> tuple[int, list[str]]: ...
    def quoted(self, x: str) -> str: ...
    def digits(self, x: Fraction, down: bool = False) -> str: ...
    def metric(self, x: object) -> tuple[object, ...]: ...
    def words(self, way: tuple[object, ...]) -> str: ...
    def exp(self, x: Fraction) -> tuple[Fraction, Fraction]: ...
    def log(self, x: Fraction) -> Fraction: ...
    def root(self, x: Fraction) -> Fraction: ...
    def values(self, e: object, row: Domain) -> Domain: ...
    def power(self, x: Fraction, k: int) -> Fraction: ...
    def normal(self, x: Fraction) -> tuple[Fraction, Fraction]: ...
    def discrete(self, m: int, v: Fraction) -> tuple[Fraction, Fraction]: ...
    def short(self, x: Fraction) -> Fraction: ...
    def total(self, xs: list[Fraction]) -> Fraction: ...


def _load() -> Checker:
    spec = importlib.util.spec_from_file_location("check_certificate", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_certificate"] = module  # where its type hints are looked up
    spec.loader.exec_module(module)
    return cast(Checker, module)


checker = _load()

POINTS: dict[str, tuple[Numeric, ...]] = {"renyi": (2, "7/2"), "profile": (0, "1/2"), "tradeoff": ("1/10", "1/2")}


def certified(measurement: AnyMeasurement, d_in: int = 1) -> Certificate:
    """A certificate, of a curve at a few points."""
    return certify(measurement, d_in, at=POINTS.get(measurement.measure.name))


def rejection(data: bytes) -> tuple[str, str] | None:
    """Where and why the checker rejects, or None."""
    try:
        checker.verify(data)
    except checker.Rejected as rejected:
        return "/".join(cast("tuple[str, ...]", rejected.place)), str(rejected)  # type: ignore[attr-defined]
    return None


@cache
def measurements() -> dict[str, AnyMeasurement]:
    """Every example of the catalogue, by its name; a transformation with a measurement after it."""
    return {example.name: _measurement(example.build()) for example in (*EXAMPLES, *LARGE)}


def _measurement(built: object) -> AnyMeasurement:
    return (
        measured(cast(AnyTransformation, built))
        if isinstance(built, dp.types.Transformation)
        else cast(AnyMeasurement, built)
    )


@cache
def of_example(name: str, d_in: int = 1) -> Certificate:
    """The certificate of an example, made once for all tests."""
    return certified(measurements()[name], d_in)


def everything(row: object) -> bool:
    return True


def as_far(d: object) -> object:
    return d


def measured(t: AnyTransformation) -> AnyMeasurement:
    """The transformation, then something that measures what it gives."""
    domain, metric = t.output.domain, t.output.metric
    end: object
    if isinstance(domain, Rows):
        end = t
        for step in _of_rows(domain, metric):
            end = cast(AnyTransformation, end) >> step
        return measured(cast(AnyTransformation, end))
    if isinstance(domain, Parts):
        of_one = dp.rows(domain.of) >> dp.count() >> dp.laplace(scale=3)
        return cast(AnyMeasurement, t >> dp.parallel(of_one))
    steps: dict[type[dp.types.Metric], object] = {
        dp.AbsoluteDistance: dp.laplace(scale=3),
        dp.L1Distance: dp.laplace(scale=3),
        dp.L2Distance: dp.gaussian(sigma=3),
        dp.LInfDistance: dp.permute_and_flip(scale=3),
        dp.RangeDistance: dp.exponential(scale=3),
    }
    step = steps.get(type(metric))
    if step is None:
        space = cast("dp.types.Space[dp.types.Domain, dp.types.Metric]", t.output)
        step = dp.measurement(everything, space, dp.PureDP(), loss=cast("Callable[[object], object]", as_far))
    return cast(AnyMeasurement, t >> step)


def _of_rows(domain: Rows[dp.types.Domain], metric: dp.types.Metric) -> list[object]:
    of = domain.of
    if isinstance(metric, dp.PersonDistance):
        return [dp.bound_contributions(2), dp.count()]
    whole = isinstance(of, Integers) or (isinstance(of, Numbers) and of.step is not None)
    if whole and isinstance(of, (Integers, Numbers)) and of.low is not None and of.high is not None:
        return [dp.sum()]
    if isinstance(of, Vector) and of.norm is not None:
        norms = {"L1": dp.L1Distance, "L2": dp.L2Distance, "LInf": dp.LInfDistance}
        return [dp.sum(norm=norms[of.norm])]
    if isinstance(metric, dp.ChangeOneDistance):
        return [dp.filter(everything), dp.count()]
    return [dp.count()]
