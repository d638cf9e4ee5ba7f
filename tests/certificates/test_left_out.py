"""A certificate from which anything is left out is judged: no key is so deep that its lack ends the checker otherwise."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

import dpcore as dp
from tests.certificates.tools import checker
from tests.fuzz.certificates import seeds

ROWS = dp.rows(dp.integers(0, 3))
TOLD = ROWS >> dp.linear_queries((dp.row() + 1) >= 3, dp.row() < 2) >> dp.laplace(1)
"""Queries that are told in words, since together they move less than their number says."""


def objects(x: Any) -> Iterator[dict[str, Any]]:
    if isinstance(x, dict):
        yield x
    for y in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
        yield from objects(y)


def left_out(whole: Any) -> Iterator[bytes]:
    """The same without one key of one object, for each of them."""
    for i, each in enumerate(objects(whole)):
        for key in each:
            changed = copy.deepcopy(whole)
            del [*objects(changed)][i][key]
            yield json.dumps(changed).encode()


def judged(data: bytes) -> None:
    try:
        checker.verify(data)
    except (checker.Rejected, ValueError):  # the second is said of what is no certificate
        return


def test_of_queries_that_are_told_nothing_can_be_left_out() -> None:
    for data in left_out(json.loads(dp.certify(TOLD, 1).text())):
        with pytest.raises((checker.Rejected, ValueError)):
            checker.verify(data)


@pytest.mark.long
def test_whatever_is_left_out_of_the_corpus() -> None:
    for each in seeds():
        for data in left_out(json.loads(each)):
            judged(data)
