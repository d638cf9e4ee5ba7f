"""Forged or very long certificates on which a checker worked out of all proportion: found by `doubling.py`, and kept here.

The class of faults that can no longer happen: keys are compared each with all others, a number is written out in unary, a
text is copied once for each of its letters, or every one of a hundred thousand claims is worked out by itself. Nothing is
timed: what is asked is the verdict, which `dpcheck` does not give where it has worked for a minute.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import dpcore as dp
from tests.certificates.test_agreement import DPCHECK, with_dpcheck
from tests.certificates.test_work import COUNT, LAPLACE, _certificate, _node, _pure
from tests.certificates.tools import rejection


def _keys(n: int) -> bytes:
    """So many texts as keys, in no order."""
    keys = [{"op": "text", "value": f"key {i * 7919 % n}"} for i in range(n)]
    by = {"expression": {"op": "row"}}
    each = _node("parallel_alike_symmetric_pure", [_node("chain", [COUNT, LAPLACE])])
    return _certificate([_node("partition_symmetric", by=by, keys=keys), each], "pure", {"epsilon": "1"})


def _degree(n: int) -> bytes:
    m = dp.value(dp.graphs(10), dp.EdgeDistance()) >> dp.degree_histogram(3) >> dp.laplace(scale=4)
    return dp.certify(m, 1).text().replace(b'"degree": "3"', b'"degree": "%d"' % n)


def _claims(n: int) -> bytes:
    data = json.loads(_pure([]))
    data["claims"] *= n
    return json.dumps(data).encode()


def _number(digits: int) -> bytes:
    condition = {"expression": {"op": "number", "value": "1" * digits}}
    return _pure([_node("filter_symmetric", condition=condition)])


def _unknown() -> bytes:
    return _pure([_node("unheard_of")])


FILES: dict[str, tuple[bytes, str | None]] = {
    "keys": (_keys(100_000), None),
    "keys, one twice": (
        _keys(20_000).replace(b'"key 19999"', b'"key 7"'),
        "expected different ones, but one is there twice",
    ),
    "degree": (_degree(2**64), None),
    "claims": (_claims(1000), None),
    "claims, one more": (_claims(1001), "expected at least one, and at most 1000"),
    "digits": (_number(400_000), "a number of more than 1000 digits"),
    "a rule nobody knows": (_unknown(), 'unknown rule "unheard_of"'),
}


@pytest.mark.parametrize("name", FILES)
def test_the_python_checker_decides(name: str) -> None:
    written, why = FILES[name]
    found = rejection(written)
    assert (found and found[1]) == why


@with_dpcheck
@pytest.mark.parametrize("name", FILES)
def test_dpcheck_decides_alike(name: str, tmp_path: Path) -> None:
    written, why = FILES[name]
    (tmp_path / "x.json").write_bytes(written)
    done = subprocess.run([DPCHECK, tmp_path / "x.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[0].partition(":")[0]) == (
        (1, "rejected") if why else (0, "verified")
    )
