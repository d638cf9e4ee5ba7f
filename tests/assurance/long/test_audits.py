"""A million releases on each side, or `--releases`: what runs stays below what is claimed, and nears it where it is tight.

A bound is wrong with probability 1e-9; bits come from seeds. The pair of data sets is the worst of the universe of the
example, as `exhaust` finds it, unless the event that shows it is too rare there, or shows the delta and not the epsilon.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import cast

import pytest

import dpcore as dp
from dpcore.assurance import Audit, audit
from dpcore.calculus import RULES, Release, Rule
from dpcore.certificates.rules import load_rules
from dpcore.core.origins import Arrow
from dpcore.interaction.filters import begin
from dpcore.noise.bits import BitSource, SeededBits
from tests.assurance.arrows import AB, COIN, d
from tests.assurance.copies import with_fault
from tests.laws import checks
from tests.laws.arrows import measurement
from tests.laws.catalogue import MEASUREMENTS, Example

pytestmark = pytest.mark.long

SURE = "0.999999999"
NEARED = 0.8
SEEN = 6
"""Beyond this epsilon, what is likely on one side happens on the other too rarely to be counted among a million."""

PAIRS: Mapping[str, tuple[object, object]] = {
    "threshold_release": (["a"] * 5, ["a"] * 4),
    "threshold_release by a field": ([{"who": 0, "n": 0}] * 5, [{"who": 0, "n": 0}] * 4),
    "permute_and_flip": ([8, 10, 0], [9, 9, 0]),
    "gaussian": (0, 1),
    "gaussian profile": (0, 1),
    "gaussian of a vector": ([0, 0], [0, 1]),
    "gaussian of a histogram, change one": (["a", "a"], ["a", "b"]),
}

load_rules()
BASIC = frozenset(
    name
    for name, r in RULES.items()
    if "bits" in r.run_names and r.release in (Release.BY_RUN, Release.NOISED) and r.run is not begin
) - {"shuffled_pure"}
"""The rules that draw. What begins an interaction does not: it hands the bits on to what is asked. And what is shuffled runs
as `locally` does, which is audited: only its claim is another, about more reports than can be audited."""

ONE_OF_EACH = (
    "compose pure", "post-processing", "parallel pure", "parallel, change one pure", "adaptive pure", "adaptive approx",
    "filter pure", "above_threshold asked, 1", "compose_jointly pure", "compose_jointly, unequal", "compose_advanced",
    "compose_advanced approx", "compose_optimal", "group_privacy pure", "group_privacy approx",
)  # fmt: skip
"""Measurements made of them."""


def rule(example: Example) -> Rule:
    derivation = measurement(example.build()).derivation
    return (derivation.premises[-1] if derivation.rule.name == "chain" else derivation).rule


def audited() -> list[Example]:
    """All whose noise is drawn at once, and the first example of each rule whose releases are made one by one."""
    found = {rule(e).name: e for e in reversed(MEASUREMENTS) if rule(e).name in BASIC}
    return [
        e for e in MEASUREMENTS if rule(e).release is Release.NOISED or e in found.values() or e.name in ONE_OF_EACH
    ]


AUDITED: Sequence[Example] = audited()


@pytest.fixture
def n(request: pytest.FixtureRequest) -> int:
    releases: int = request.config.getoption("--releases")
    return releases


@pytest.mark.parametrize("example", AUDITED, ids=lambda e: e.name)
def test_what_runs_stays_below_what_is_claimed(example: Example, n: int) -> None:
    m = measurement(example.build())
    line = checks.nearest(example, checks.tried(example))
    x, y = PAIRS.get(example.name, (line.x, line.y))
    if rule(example).release is Release.IN_STAGES or any(part.rule.run is begin for part in m.derivation.parts()):
        n //= 20  # each release makes its later stages anew, or is asked for one by one
    found = audit(m, x, y, n=n, confidence=SURE, bits=SeededBits(7))
    assert found.claimed is not None
    assert not found.exceeded, str(found)
    converted = isinstance(m.measure, (dp.ZCDP, dp.GaussianDP, dp.RenyiDP))
    if not example.slack and not converted and float(found.claimed) <= SEEN:
        assert found.bound.lower >= NEARED * float(found.claimed), str(found)


def test_every_rule_that_draws_is_audited() -> None:
    assert {rule(example).name for example in AUDITED} >= BASIC


# ---- injected faults ---------------------------------------------------------------------------------------------------


def exceeded(found: Audit) -> bool:
    print(found)
    return found.exceeded


def test_an_answer_without_noise(n: int) -> None:
    def truthful(value: object, *, answers: tuple[object, ...], p: Fraction, bits: BitSource) -> object:
        return value if value == answers[-1] or bits.below(4) else answers[-1]

    copy = with_fault(COIN >> dp.randomized_response("3/4"), "randomized_response", run=truthful)
    assert exceeded(audit(copy, False, True, n=n, confidence=SURE, bits=SeededBits(1)))


def test_half_the_scale(n: int) -> None:
    noisy = AB >> dp.count() >> dp.laplace(scale=1)
    run = noisy.derivation.premises[-1].rule.run

    def half(data: object, *, scale: Fraction, step: Fraction, bits: BitSource) -> object:
        return run(data, scale=Fraction(scale) / 2, step=step, bits=bits)

    assert exceeded(audit(with_fault(noisy, "laplace", run=half), ["a"], [], n=n, confidence=SURE, bits=SeededBits(1)))


def test_noise_that_is_used_twice(n: int) -> None:
    bits = SeededBits(1)
    noise = dp.value(dp.integers(), dp.AbsoluteDistance()) >> dp.laplace(scale=10)

    def counts(rows: Sequence[str]) -> tuple[int, int]:
        same = noise.release(0, bits=bits)
        return rows.count("a") + same, rows.count("b") + same

    m = cast(Arrow, d.measurement(counts, AB, d.PureDP(), lambda x: x / 10))
    assert exceeded(audit(m, ["a"], [], n=n // 4, confidence=SURE))
