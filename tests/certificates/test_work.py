"""Certificates that ask for more time or memory than they are worth: the work is counted, and refused where too much.

The class of faults that can no longer happen: a certificate of some hundred kilobytes on which the checker works for
minutes, or takes gigabytes, because something is looked through again at each node, or is found under a hash that its
author chose. Nothing here is timed: what is counted is labour, or how often something is looked at.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.certificates.tools import CHECKER, checker, rejection

Data = dict[str, Any]
MORE_WORK = "more work than a certificate may ask for"
SYMMETRIC: Data = {"kind": "SymmetricDistance"}
TEXT: Data = {"kind": "text"}


def _node(rule: str, premises: list[Data] | None = None, **parameters: object) -> Data:
    return {"rule": rule, "parameters": parameters, "premises": premises or [], "witness": {}}


COUNT, LAPLACE = _node("count_symmetric"), _node("laplace", scale="1", step="1")


def _certificate(links: list[Data], measure: str, loss: Data, each: Data = TEXT) -> bytes:
    data = {
        "format": "dpcore-certificate/1",
        "dpcore": "",
        "code": "",
        "neighbours": "one row more or one row less",
        "space": {"domain": {"kind": "rows", "each": each, "size": None}, "metric": SYMMETRIC},
        "derivation": _node("chain", links),
        "claims": [{"d_in": "1", "measure": measure, "loss": loss}],
        "assumptions": [],
        "attention": [],
        "evidence": [],
    }
    return json.dumps(data).encode()


def _pure(links: list[Data], each: Data = TEXT) -> bytes:
    return _certificate([*links, COUNT, LAPLACE], "pure", {"epsilon": "1"}, each)


def _fields(n: int, each: Data) -> Data:
    return {"kind": "fields", "fields": {f"f{i}": each for i in range(n)}}


def _colliding(n: int, about: int = 0) -> list[str]:
    """Fractions of one hash: numerator times the inverse of the denominator, modulo 2^61 - 1, is 1 for all."""
    prime = sys.hash_info.modulus
    found = [Fraction(about * prime + 2 + i, prime + 2 + i) for i in range(n)]
    found = [x for x in found if x.denominator > prime]
    assert len(found) > n // 2
    assert len({hash(x) for x in found}) == 1
    return [str(x) for x in found]


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often one fraction was asked whether it equals another."""
    count, equals = [0], Fraction.__eq__

    def counted(x: Fraction, y: object) -> bool:
        count[0] += 1
        return equals(x, y)

    monkeypatch.setattr(Fraction, "__eq__", counted)
    return count


def _logarithms(n: int) -> bytes:
    """Each of these takes the logarithm of its own number."""
    gaussian = _node("gaussian", sigma_squared="1", step="1")
    parts = [_node("zcdp_to_approx", [gaussian], delta=delta) for delta in _colliding(n)]
    return _certificate([COUNT, _node("compose_approx", parts)], "approx", {"epsilon": "1", "delta": "1/2"})


def _answers(n: int) -> bytes:
    """Randomized response over categories that are numbers."""
    answers = [{"op": "number", "value": x} for x in _colliding(n)]
    n = len(answers)
    data = json.loads(_certificate([], "pure", {"epsilon": "0"}))
    data["space"] = {"domain": {"kind": "categories", "values": answers}, "metric": {"kind": "DiscreteDistance"}}
    data["neighbours"] = "another value"
    data["derivation"] = _node("randomized_response", answers=answers, k=str(n), p=str(Fraction(1, n)))
    data["attention"] = ["the loss is 0: what is released does not depend on what is protected"]
    return json.dumps(data).encode()


def _points(n: int) -> bytes:
    """A curve that is asked for at many points, each kept in its own cache."""
    curve = _node("group_profile", [_node("chain", [COUNT, _node("pure_to_profile", [LAPLACE])])])
    return _certificate([curve], "profile", {"points": [[x, "0"] for x in _colliding(n, 2)]})


def _losses(n: int) -> bytes:
    """Unequal losses, which are counted by how often each comes."""
    parts = [_node("laplace", scale=str(1 / Fraction(x)), step="1") for x in _colliding(n)]
    return _certificate([COUNT, _node("unequal_composition_pure", parts)], "profile", {"points": [["0", "1/2"]]})


@pytest.mark.parametrize("attack", [_logarithms, _answers, _points, _losses])
def test_numbers_of_one_hash_are_told_apart_without_comparing_each_with_all(
    comparisons: list[int], attack: Callable[[int], bytes]
) -> None:
    n = 400
    written = attack(n)
    comparisons[0] = 0
    rejection(written)
    assert comparisons[0] < 40 * n


def _coprime(n: int) -> list[Fraction]:
    """Numbers of many digits with nothing in common, so that what all of them divide has as many digits as all together."""
    return [Fraction(1, (1 << 3000) + 2 * i + 1) for i in range(n)]


def _numbers(n: int) -> list[Data]:
    return [{"op": "number", "value": str(x)} for x in _coprime(n)]


def _answered(n: int) -> bytes:
    return _pure([_node("linear_queries_symmetric", queries=_numbers(n), column="1")])


def _known(n: int) -> bytes:
    sums: Data = {"op": "add", "of": [{"op": "row"}, {"op": "number", "value": "0"}]}
    numbers: Data = {"kind": "numbers", "low": None, "high": None, "step": None}
    mapped = _node("row_map", to={"expression": sums}, domain=numbers)
    return _pure([mapped], {"kind": "categories", "values": _numbers(n)})


def _summed(n: int) -> bytes:
    parts = [_node("laplace", scale=str(1 / x), step="1") for x in _coprime(n)]
    return _certificate([COUNT, _node("unequal_composition_pure", parts)], "profile", {"points": [["1/2", "1/2"]]})


@pytest.mark.parametrize("attack", [_answered, _known, _summed])
def test_no_number_grows_with_how_many_there_are(
    monkeypatch: pytest.MonkeyPatch, attack: Callable[[int], bytes]
) -> None:
    longest, made = [0], Fraction.__new__

    def noted(kind: type[Fraction], *given: Any, **options: Any) -> Fraction:
        found = made(kind, *given, **options)
        longest[0] = max(longest[0], found.denominator.bit_length())
        return found

    written = attack(60)
    monkeypatch.setattr(Fraction, "__new__", noted)
    rejection(written)
    assert 3000 < longest[0] < 60_000


def test_binomials_are_worked_out_one_from_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by itself takes a time that grows with how many parts there are."""
    asked, comb = [0], math.comb

    def counted(n: int, k: int) -> int:
        asked[0] += 1
        return comb(n, k)

    monkeypatch.setattr(math, "comb", counted)
    parts = _node("unequal_composition_pure", [LAPLACE] * 100)
    rejection(_certificate([COUNT, parts], "profile", {"points": [["0", "1/2"]]}))
    assert asked[0] < 10


class _Looked(dict[str, object]):
    """Fields that count how many of them were looked at by going through them."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.seen = 0

    def __iter__(self) -> Iterator[str]:
        for name in super().__iter__():
            self.seen += 1
            yield name

    def keys(self) -> Any:
        return [*self]


def test_a_field_is_found_without_going_through_the_others() -> None:
    n = 100
    fields = _Looked({f"f{i}": checker.TRUTH for i in range(n)})
    row = checker.TRUTH._replace(kind="fields", fields=fields)
    operations = [{"op": "field", "name": name} for name in dict.keys(fields)]
    assert checker.values({"op": "and", "of": operations}, row) == checker.TRUTH
    assert fields.seen == 0


@pytest.fixture
def _less_labour(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundredth of what is allowed, so that it is sooner spent."""
    monkeypatch.setattr(checker, "LABOUR", checker.LABOUR // 100)


def _drops(times: int, fields: int) -> bytes:
    drop = _node("drop_nulls_symmetric", names=["f0"])
    return _pure([drop] * times, _fields(fields, {"kind": "optional", "each": {"kind": "booleans"}}))


def _tradeoffs(points: int, depth: int) -> bytes:
    curve = _node("pure_to_tradeoff", [LAPLACE])
    for _ in range(depth):
        curve = _node("compose_tradeoff", [curve])
    return _certificate([COUNT, curve], "tradeoff", {"points": [["1", "0"]] * points})


def _composed(claims: int, depth: int) -> bytes:
    node = LAPLACE
    for _ in range(depth):
        node = _node("compose_pure", [node])
    data = json.loads(_certificate([COUNT, node], "pure", {"epsilon": "1"}))
    data["claims"] *= claims
    return json.dumps(data).encode()


def _resized(times: int, known: int) -> bytes:
    """Filled up with one of many values, again and again."""
    values = [{"op": "text", "value": str(i)} for i in range(known)]
    fill = _node("resize_symmetric", size="5", fill={"expression": values[0]})
    links = [fill, _node("change_one_to_symmetric")] * times
    each = {"kind": "categories", "values": values}
    return _certificate([*links, COUNT, LAPLACE], "pure", {"epsilon": str(2**times)}, each)


@pytest.mark.usefixtures("_less_labour")
@pytest.mark.parametrize(
    ("few", "many"),
    [
        (_drops(5, 100), _drops(300, 400)),
        (_tradeoffs(20, 50), _tradeoffs(400, 80)),
        (_composed(2, 50), _composed(200, 80)),
        (_resized(5, 100), _resized(100, 1000)),
    ],
    ids=["drop_nulls", "compose_tradeoff", "compose_pure", "resize"],
)
def test_what_is_done_again_at_each_node_is_counted(few: bytes, many: bytes) -> None:
    assert rejection(few) is None
    found = rejection(many)
    assert found is not None
    assert found[1] == MORE_WORK


def test_each_figure_that_is_worked_out_is_counted() -> None:
    """Every link is gone through for every claim, and what it does with a distance costs more than that it stands there."""
    links, spent = 150, []
    for claims in (1, 2):
        data = json.loads(_drops(links, 1))
        data["claims"] *= claims
        assert rejection(json.dumps(data).encode()) is None
        spent.append(checker.SPENT[0])
    assert spent[1] - spent[0] > 5 * links


@pytest.mark.parametrize("value", [b"[]", b'{"":0}', b'{"a":[null]}'])
def test_values_are_counted_before_they_are_in_memory(monkeypatch: pytest.MonkeyPatch, value: bytes) -> None:
    def read(*given: object, **options: object) -> None:
        raise AssertionError("it was read")

    monkeypatch.setattr(checker.json, "loads", read)
    found = rejection(b"[" + b",".join([value] * 3_000_000) + b"]")
    assert found is not None
    assert found[1] == MORE_WORK


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="memory is limited with prlimit")
@pytest.mark.parametrize(("written", "status", "says"), [
    (b"[" + b"[],[]," * 10_000_000 + b"[]]", 1, MORE_WORK),
    (b'["' + b"x" * 60_000_000 + "\U0001f600".encode() + b'"]', 4, "not decided: more memory than there is"),
    (b"[" + b'"",' * 20_000_000 + b'""]', 1, MORE_WORK),
])  # fmt: skip
def test_sixty_megabytes_where_memory_is_short(tmp_path: Path, written: bytes, status: int, says: str) -> None:
    (tmp_path / "x.json").write_bytes(written)
    command = ["prlimit", f"--as={400 << 20}", sys.executable, "-I", "-S", str(CHECKER), str(tmp_path / "x.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    assert says in done.stdout
