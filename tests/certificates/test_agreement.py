"""What certifies is verified: by the Python checker always, by dpcheck too where it is compiled.

Each pipeline here once had a certificate that one of them refused, or none though it has a loss. What can no longer happen:
a certificate of the library that its own checker refuses (see `test_every_chain`), and one on which the checkers differ,
which the comparison draws from the same chains.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate
from dpcore.commands import kernel
from dpcore.maps import exp, numeral
from tests.certificates.tools import rejection

DPCHECK = kernel.COQ / "extract" / "dpcheck"
with_dpcheck = pytest.mark.skipif(not DPCHECK.is_file(), reason="dpcheck is not compiled here: make proofs")


def nothing(data: object) -> object:
    return None


def fifth(d: Any) -> Any:
    return d / 5


def thrice(d: Any) -> Any:
    return 3 * d


def half(d: Any) -> Any:
    return Fraction(1, 2) * d


def half_as_well(d: Any) -> Any:
    return d * Fraction(1, 2)


def squared_and_more(d: Any) -> Any:
    return Fraction(1, 3) - (-(d**2) / Fraction(3, 2)) + abs(d - Fraction(1, 7)) + Fraction(1, 9) / (Fraction(2) + d)


def scores(metric: dp.types.Metric) -> Any:
    rows: Any = dp.rows(dp.integers(0, 10), metric)
    return rows >> dp.quantile_scores([0, 1, 2], "1/2")


def quantile(metric: dp.types.Metric, norm: dp.types.Metric, end: Any) -> Certificate:
    return dp.certify(scores(metric) >> dp.to_metric(norm) >> end)


def keys_of_a_group(d: int) -> Certificate:
    m: Any = dp.rows(dp.text()) >> dp.threshold_release(scale="1/3", threshold=60)
    return dp.certify(dp.group_privacy(m & m), d)


def claims_of_a_group(d: int) -> Certificate:
    m: Any = dp.measurement(nothing, dp.rows(dp.integers()), dp.ApproxDP(), a_pair)
    return dp.certify(dp.group_privacy(dp.compose([m, m])), d)


def a_pair(d: Any) -> Any:
    return 3 * d, d / 10**30


def a_group(measure: Any, loss: Callable[[Any], Any], d: int, *at: Any) -> Certificate:
    return dp.certify(dp.group_privacy(dp.measurement(nothing, dp.rows(dp.integers()), measure, loss)), d, at=at)


def irrational_curve(d: Any) -> Any:
    return lambda alpha: (1 - alpha) * exp(numeral(Fraction(-1, 3)))


def quadratic_curve(d: Any) -> Any:
    return lambda alpha: alpha * alpha


def told() -> Any:
    return dp.measurement(nothing, dp.rows(dp.integers()), dp.PureDP(), fifth)


def cleaned(change: str, *values: str) -> Certificate:
    rows: Any = dp.rows(dp.categories(*values)) >> dp.select(getattr(dp.row(), change)())
    return dp.certify(rows >> dp.histogram() >> dp.laplace(1))


def irrational(*maps: Callable[[Any], Any]) -> Certificate:
    vectors: Any = dp.vector(dp.integers(), 5)
    found: Any = dp.value(vectors, dp.L2Distance()) >> dp.to_metric(dp.L1Distance())
    space: Any = dp.value(vectors, dp.L1Distance())
    for each in maps:
        found = found >> dp.transformation(nothing, space, space, stability=each)
    return dp.certify(found >> dp.laplace(1))


def a_day() -> Certificate:
    day: Any = dp.day("2020-01-01")
    rows: Any = dp.rows(dp.integers()) >> dp.select(day)
    return dp.certify(rows >> dp.count() >> dp.laplace(1))


FOUND: dict[str, Callable[[], Certificate]] = {
    "scores in L2": lambda: quantile(dp.SymmetricDistance(), dp.L2Distance(), dp.gaussian(3)),
    "scores in L1": lambda: quantile(dp.SymmetricDistance(), dp.L1Distance(), dp.laplace(3)),
    "scores in L2, rows replaced": lambda: quantile(dp.ChangeOneDistance(), dp.L2Distance(), dp.gaussian(3)),
    "scores in L1, rows replaced": lambda: quantile(dp.ChangeOneDistance(), dp.L1Distance(), dp.laplace(3)),
    "a group of two deltas far below their sum": lambda: keys_of_a_group(10),
    "a large group": lambda: keys_of_a_group(30),
    "a group of two claims": lambda: claims_of_a_group(10),
    "a group of a trade-off curve whose values are cut off": lambda: a_group(dp.Tradeoff(), irrational_curve, 7, "1/3"),
    "a large group of a Renyi curve": lambda: a_group(dp.RenyiDP(), quadratic_curve, 100, "3/2", 2),
    "a claim below a profile and a delta": lambda: dp.certify(
        dp.compose_optimal([told()] * 10).to(dp.ApproxDP, delta="1e-6")
    ),
    "a claim turned into a profile": lambda: dp.certify(told().to(dp.Profile).to(dp.ApproxDP, delta="1e-6")),
    "known texts in small letters": lambda: cleaned("lower", "North", "south"),
    "known texts in capitals": lambda: cleaned("upper", "a", "b{"),
    "known texts without blanks": lambda: cleaned("strip", " a\t", "b \x1f", "   "),
    "known texts beyond ASCII": lambda: cleaned("lower", "S\u00dcD", "NORD"),
    "a day that stands there": a_day,
    "two claims after a distance that is no rational": lambda: irrational(thrice, thrice),
    "three claims after it": lambda: irrational(thrice, half, thrice),
    "a fraction times a distance": lambda: irrational(half),
    "a distance times a fraction": lambda: irrational(half_as_well),
    "a distance in every operation": lambda: irrational(squared_and_more),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_certifies_is_verified(name: str) -> None:
    assert rejection(FOUND[name]().text()) is None


@with_dpcheck
@pytest.mark.parametrize("name", FOUND)
def test_and_by_dpcheck(name: str, tmp_path: Path) -> None:
    FOUND[name]().save(tmp_path / "x.json")
    done = subprocess.run([DPCHECK, tmp_path / "x.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.partition(":")[0]) == (0, "verified")


def test_what_is_not_followed_is_said() -> None:
    """Case and blanks of ASCII are followed; of other texts it is printed that their values stay in the domain declared."""
    assumptions = [json.loads(cleaned("lower", *some).text())["assumptions"] for some in (("A",), ("\u00c4", "B"))]
    assert [len(each) for each in assumptions] == [0, 1]
    assert "stay in the domain declared" in assumptions[1][0]


def test_a_domain_that_is_too_small_is_refused() -> None:
    """Of known texts, and of days."""
    for certificate, before, after in (
        (cleaned("lower", "A", "b"), '"value": "a"', '"value": "c"'),
        (a_day(), '"last": "2020-01-01"', '"last": "2019-12-31"'),
        (a_day(), '"first": "2020-01-01"', '"first": "2020-01-02"'),
    ):
        written = certificate.text().decode()
        assert before in written
        found = rejection(written.replace(before, after, 1).encode())
        assert found is not None
        assert "outside the domain" in found[1]


@with_dpcheck
def test_dpcheck_reads_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [DPCHECK, "/dev/stdin"], input=a_day().text(), capture_output=True, check=False
    )  # its length cannot be asked for
    assert (done.returncode, done.stdout.partition(b":")[0]) == (0, b"verified")


@with_dpcheck
@pytest.mark.parametrize(
    ("text", "status"), [(b"x" + b"[" * 300, 1), (b'x"' + b"[" * 300 + b'"', 2), (b"x" + b"[]" * 300, 2), (b"\xff", 2)]
)
def test_both_give_one_status(text: bytes, status: int, tmp_path: Path) -> None:
    """A nesting too deep is that before it is no JSON."""
    (tmp_path / "x.json").write_bytes(text)
    checker = kernel.COQ.parent / "check_certificate.py"
    commands: list[list[object]] = [[DPCHECK], ["python3", "-I", "-S", checker]]
    for command in commands:
        done = subprocess.run([*map(str, command), str(tmp_path / "x.json")], capture_output=True, check=False)
        assert done.returncode == status
