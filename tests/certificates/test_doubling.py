"""Forged or very long certificates on which a checker worked out of all proportion: found by `doubling.py`, and kept here.

The class of faults that can no longer happen: keys are compared each with all others, a number is written out in unary, a
text is copied once for each of its letters, or every one of a hundred thousand claims is worked out by itself; or a stack
grows with the letters of a text. Nothing is timed: what is asked is the verdict, which `dpcheck` does not give where it has
worked for a minute, or where its stack is full.
"""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
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


def _record(n: int) -> bytes:
    """A record of so many fields, each of which a new record copies."""
    names = [f"field {i * 7919 % n}" for i in range(n)]
    each = {"kind": "fields", "fields": {name: {"kind": "booleans"} for name in names}}
    to = {"record": {name: {"op": "field", "name": name} for name in names}}
    return _pure([_node("row_map", to=to, domain=each)], each)


def _nulls(n: int) -> bytes:
    """A record of so many fields, each of which is dropped where it is missing."""
    names = [f"field {i * 7919 % n}" for i in range(n)]
    each = {"kind": "fields", "fields": {name: {"kind": "optional", "each": {"kind": "booleans"}} for name in names}}
    return _pure([_node("drop_nulls_symmetric", names=names)], each)


def _losses(n: int) -> bytes:
    """Unequal losses, no two the same, of more in all than is followed."""
    parts = [_node("laplace", scale=str(Fraction(n, n + i)), step="1") for i in range(n)]
    return _certificate([COUNT, _node("unequal_composition_pure", parts)], "profile", {"points": [["0", "1/2"]]})


def _together(n: int) -> bytes:
    """Advanced composition of so many equal losses, of each of which an exponential is worked out."""
    parts = _node("advanced_or_plain_pure", [_node("laplace", scale="1000", step="1")] * n, slack="1/1000")
    return _certificate([COUNT, parts], "approx", {"epsilon": "1", "delta": "1/2"})


def _function(letters: int) -> bytes:
    """The name of a function stands in an assumption, and is said in the verdict."""
    condition = {"function": {"name": "n" * letters, "digest": "0" * 64}}
    data = json.loads(_pure([_node("filter_symmetric", condition=condition)]))
    data["assumptions"] = [f"filter_symmetric: {'n' * letters} ({'0' * 16})"]
    return json.dumps(data).encode()


def _small_letters(letters: int) -> bytes:
    """A text of which each letter is made a small one."""
    before, after = ({"kind": "categories", "values": [{"op": "text", "value": x * letters}]} for x in "Aa")
    to = {"expression": {"op": "lower", "of": [{"op": "row"}]}}
    return _pure([_node("row_map", to=to, domain=after)], before)


def _written_out(letters: int) -> bytes:
    """An expression that is not followed stands in an assumption, all of it."""
    told = {"op": "divide", "of": [{"op": "row"}, {"op": "text", "value": "\u00e9" * letters}]}
    data = json.loads(_pure([_node("row_map", to={"expression": told}, domain={"kind": "booleans"})]))
    data["assumptions"] = ["its values stay in the domain declared for them: " + json.dumps(told, sort_keys=True)]
    return json.dumps(data).encode()


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
    "a record": (_record(32_000), None),
    "missing fields": (_nulls(100_000), None),
    "losses": (_losses(16_000), "exp of more than 8000 is not followed"),
    "equal losses": (_together(80_000), "loss: epsilon is not what was worked out, about 1.09130435061805"),
    "the name of a function": (_function(1_000_000), None),
    "small letters": (_small_letters(1_000_000), None),
    "an expression written out": (_written_out(1_000_000), None),
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
