"""What the tools of assurance accept and refuse, for two type checkers."""

from __future__ import annotations

from typing import assert_type

import dpcore as dp

ages = dp.rows(dp.integers(0, 120))
counted = ages >> dp.count()
noisy = counted >> dp.laplace(1)


def tools() -> None:
    assert_type(dp.assurance.falsify(counted), dp.assurance.Falsification)
    assert_type(dp.assurance.falsify(noisy, seed=1), dp.assurance.Falsification)
    assert_type(dp.assurance.exhaust(noisy, [0, 1], rows=2), dp.assurance.Exhaustion)
    assert_type(dp.assurance.audit(noisy, [1], [2], n=1000), dp.assurance.Audit)
    assert_type(dp.assurance.audit(str.upper, "a", "b", claimed=dp.pure(1)), dp.assurance.Audit)
    assert_type(noisy.distribution([1]), dp.types.Distribution)
    assert_type(noisy.distribution([1]).probability(0), dp.types.Bound)


def refused() -> None:
    dp.assurance.falsify(3)  # type: ignore[arg-type]
    dp.assurance.exhaust(ages)  # type: ignore[arg-type]
    dp.assurance.exhaust(dp.count())  # type: ignore[arg-type]
    dp.assurance.audit(noisy, [1])  # type: ignore[call-arg]
    noisy.distribution("ab")  # type: ignore[arg-type]
