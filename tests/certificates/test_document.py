"""What stands in a certificate is read once, and comes back the same; what is written otherwise is refused by one error."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest

import dpcore as dp
from dpcore.calculus.parameters import Malformed
from dpcore.certificates.certificate import Certificate, certify, reformatted
from dpcore.certificates.document import Document, canonical
from dpcore.certificates.explaining import explained
from dpcore.certificates.rules import rule_named
from dpcore.errors import NotCertifiable
from dpcore.written import DOMAIN, METRIC
from tests.certificates.tools import ROOT, certified, measurements, of_example
from tests.laws.catalogue import SYMBOLIC

ACCEPTED = sorted((ROOT / "tests" / "certificates" / "accept").glob("*.json"))


def _certificates() -> Iterator[Certificate]:
    for path in ACCEPTED:
        yield reformatted(path.read_bytes())
    for name in measurements():
        try:
            yield of_example(name)
        except (NotCertifiable, dp.errors.Vacuous, dp.errors.InvalidDistance):
            continue


CERTIFICATES = list(_certificates())


def test_there_are_many() -> None:
    assert len(CERTIFICATES) > 150


def test_a_document_is_written_as_it_was_read() -> None:
    for certificate in CERTIFICATES:
        assert canonical(Document.read(json.loads(certificate.written)).written()) == certificate.written


def test_a_document_with_symbols_is_written_as_it_was_read() -> None:
    for example in SYMBOLIC:
        built = example.build()
        if not isinstance(built, dp.types.Transformation):
            certificate = certified(cast(Any, built))
            assert certificate.document.symbols
            assert canonical(certificate.document.written()) == certificate.written


def test_every_value_is_written_as_it_was_read() -> None:
    """Parameters, witnesses, domains and metrics, each by its kind."""
    seen = set[str]()
    for certificate in CERTIFICATES:
        space = certificate.document.space
        assert DOMAIN.encode(DOMAIN.decode(space.domain)) == space.domain
        assert METRIC.encode(METRIC.decode(space.metric)) == space.metric
        for node in certificate.document.derivation.all():
            rule = rule_named(node.rule)
            assert rule is not None
            written = {**node.parameters, **node.witness}
            for each in (*(rule.writes or ()), *([rule.witness.parameter] if rule.witness else [])):
                value = written.pop(each.name)
                assert each.encode(each.decode(value)) == value, (node.rule, each.name)
                seen.add(each.name)
            assert not written, node.rule
    assert len(seen) > 40


# ---- what is written otherwise -----------------------------------------------------------------------------------------


def _places(x: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield path
    inner = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    for key, value in inner:
        yield from _places(value, (*path, key))


def _changed(data: object, place: tuple[object, ...], value: object) -> Any:
    changed: Any = copy.deepcopy(data)
    at = changed
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return changed


@pytest.mark.parametrize("other", [None, "no", "1/0", ["no"], {"kind": "no"}, {"symbol": "b"}, 3])
@pytest.mark.parametrize("name", ["survey", "median", "persons"])
def test_whatever_is_changed_it_is_read_or_refused(name: str, other: object) -> None:
    """By one error, whoever reads it: it says what was expected, and never how the reader failed."""
    path = ROOT / "tests" / "certificates" / "accept" / f"{name}.json"
    data = json.loads(path.read_bytes())
    refused = 0
    for place in _places(data):
        if place and place != ("format",):
            certificate = Certificate(canonical(_changed(data, place, other)))
            try:
                explained(certificate)
            except dp.errors.InvalidParameter:
                refused += 1
    assert refused > 5


@pytest.mark.parametrize("name", ["dpcore", "neighbours", "space", "derivation", "claims", "assumptions", "attention"])
def test_what_is_missing_is_named(name: str) -> None:
    data = certify(dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=1)).data
    certificate = Certificate(canonical({key: value for key, value in data.items() if key != name}))
    with pytest.raises(Malformed, match=f"a field '{name}'"):
        _ = certificate.document


def test_what_is_nested_too_deep_is_refused() -> None:
    data = certify(dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=1)).data
    node: Any = {"rule": "chain", "parameters": {}, "premises": [], "witness": {}}
    for _ in range(sys.getrecursionlimit()):
        node = {"rule": "chain", "parameters": {}, "premises": [node], "witness": {}}
    with pytest.raises(Malformed, match="nested too deep"):
        Document.read({**data, "derivation": node})


def test_a_curve_without_a_formula_is_told_by_what_its_rule_states() -> None:
    """And not by where it lies in memory, which is another place each time."""
    curve = dp.rows(dp.text()) >> dp.count() >> dp.gaussian(2, measure=dp.Profile)
    (line,) = [each for each in explained(certify(curve, at=["1/2"])) if "gaussian_profile" in each]
    assert "`delta(eps) = " in line
    assert " at 0x" not in line
