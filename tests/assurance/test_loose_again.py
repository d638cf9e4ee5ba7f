"""Rules that are sound and were loose, put back where a better one is proved: `exhaust` says how much more noise they ask.

The class of faults: a pipeline that meets the condition of a better bound, and does not get it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dpcore as dp
from dpcore.assurance import exhaust
from dpcore.core import chaining, known_size
from dpcore.transformations import histogram

d: Any = dp
Fault = Callable[[pytest.MonkeyPatch], None]

SIZED = d.rows(d.integers(0, 2), size=3)
REPLACED = d.rows(d.integers(0, 2), d.ChangeOneDistance())


def forgets_the_size(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(known_size, "_come_and_go_alike", lambda space: False)


def knows_no_single_bin(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(histogram, "ONE_BIN", {})


def forgets_what_was_filtered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(chaining, "FILTERED", {})


LOOSE: dict[str, tuple[Callable[[], Any], Fault]] = {
    "a sum of known size": (lambda: SIZED >> d.sum(), forgets_the_size),
    "scores of known size": (lambda: SIZED >> d.quantile_scores([1, 2], "1/10"), forgets_the_size),
    "a count of known size": (lambda: SIZED >> d.count(), forgets_the_size),
    "one bin": (lambda: REPLACED >> d.histogram(bins=[1]), knows_no_single_bin),
    "a count of a filter": (lambda: REPLACED >> d.filter(d.row() >= 1) >> d.count(), forgets_what_was_filtered),
    "one bin of a filter": (
        lambda: REPLACED >> d.filter(d.row() >= 1) >> d.histogram(bins=[1]),
        forgets_what_was_filtered,
    ),
}


@pytest.mark.parametrize("name", LOOSE)
def test_what_was_loose_is_found_when_it_is_put_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    build, fault = LOOSE[name]
    assert exhaust(build(), [0, 1, 2], rows=3).verdict == "sound and tight"
    fault(monkeypatch)
    assert exhaust(build(), [0, 1, 2], rows=3).verdict.startswith("sound, looser by")
