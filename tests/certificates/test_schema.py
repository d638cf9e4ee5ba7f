"""The published schema is current, takes every certificate that dpcore writes, and takes nothing of another shape."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

import dpcore as dp
from dpcore.calculus import RULES
from dpcore.calculus.parameters import POSITIVE, NumberKind, Parameter
from dpcore.certificates import schema
from dpcore.certificates.certificate import certify
from dpcore.certificates.rules import load_rules
from dpcore.errors import NotCertifiable
from dpcore.written.domains import DOMAINS
from dpcore.written.metrics import METRICS
from tests.certificates.tools import ROOT, certified, checker, measurements, of_example
from tests.laws.arrows import AnyMeasurement
from tests.laws.catalogue import SYMBOLIC

HERE = Path(__file__).parent
ACCEPTED = sorted((HERE / "accept").glob("*.json"))
SMALL = [path for path in ACCEPTED if path.stem in ("total", "median", "words", "survey", "public_size")]


@cache
def _validator(name: str) -> Any:
    made = json.loads((ROOT / "proofs" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


def _fits(data: object, name: str = "certificate.schema.json") -> bool:
    return bool(_validator(name).is_valid(data))


@pytest.mark.parametrize("name", schema.FILES)
def test_the_published_schema_is_current(name: str) -> None:
    written = (ROOT / "proofs" / name).read_text(encoding="utf-8")
    assert written == schema.rendered(schema.FILES[name]()), "python -m dpcore.certificates.schema"


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_it_takes_what_was_accepted(path: Path) -> None:
    _validator("certificate.schema.json").validate(json.loads(path.read_bytes()))


def test_it_takes_every_certificate_of_the_catalogue() -> None:
    rules: set[str] = set()
    for name, m in measurements().items():
        for d_in in (1, 2):
            try:
                found = of_example(name, d_in)
            except (dp.errors.Vacuous, dp.errors.InvalidDistance, NotCertifiable, dp.errors.InvalidParameter):
                continue
            _validator("certificate.schema.json").validate(found.data)
            rules |= m.derivation.rules()
            break
    assert len(rules) > 90


@pytest.mark.parametrize("example", SYMBOLIC, ids=lambda example: example.name)
def test_with_symbols_it_is_another_document(example: Any) -> None:
    built = example.build()
    if isinstance(built, dp.types.Transformation):
        return
    found = certified(cast(AnyMeasurement, built))
    _validator("symbolic.schema.json").validate(found.data)
    assert not _fits(found.data)
    assert not _fits(found.bind(**example.values).data, "symbolic.schema.json")
    assert _fits(found.bind(**example.values).data)


# ---- what is of another shape ------------------------------------------------------------------------------------------


def _places(x: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    yield path
    if isinstance(x, dict):
        for key, value in x.items():
            yield from _places(value, (*path, key))
    if isinstance(x, list):
        for i, value in enumerate(x):
            yield from _places(value, (*path, i))


def _kinds_of_places(data: object) -> list[tuple[object, ...]]:
    """One place of those that differ in nothing but which entry of a list they are in."""
    found = {tuple("" if isinstance(key, int) else key for key in place): place for place in _places(data)}
    return [*found.values()]


def _changed(data: object, path: tuple[object, ...], change: Any) -> object:
    found = copy.deepcopy(data)
    if not path:
        return change(found)
    at: Any = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = change(at[path[-1]])
    return found


def _at(data: object, path: tuple[object, ...]) -> object:
    for key in path:
        data = cast(Any, data)[key]
    return data


OPEN = ("fields", "record")
"""Objects whose keys are names that users gave."""


@pytest.mark.spread(5)
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_field_more_or_less_is_refused(path: Path) -> None:
    data = json.loads(path.read_bytes())
    tried = 0
    for place in _kinds_of_places(data):
        found = _at(data, place)
        if not isinstance(found, dict) or (place and place[-1] in OPEN):
            continue
        assert not _fits(_changed(data, place, lambda x: {**x, "unknown": "1"})), place
        for name in found:
            if name == "type":
                continue  # of a field may be left out
            without = _changed(data, place, lambda x, name=name: {k: v for k, v in x.items() if k != name})
            assert not _fits(without), (place, name)
            tried += 1
    assert tried > 15


NULLABLE = ("low", "high", "size", "norm", "bound", "step", "at_most", "first", "last", "rows")


@pytest.mark.spread(5)
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_another_type_is_refused(path: Path) -> None:
    data = json.loads(path.read_bytes())
    others: list[object] = [3, 1.5, True, None, "no", ["no"], {"no": "no"}, {"symbol": "b"}]
    for place in _kinds_of_places(data):
        found = _at(data, place)
        for other in others:
            if type(other) is type(found) or (other is None and place and place[-1] in NULLABLE):
                continue
            assert not _fits(_changed(data, place, lambda x, other=other: other)), (place, other)


@pytest.mark.spread(5)
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_number_that_is_none_is_refused(path: Path) -> None:
    data = json.loads(path.read_bytes())
    tried = 0
    for place in _kinds_of_places(data):
        if place and place[-1] in NUMBERS and isinstance(_at(data, place), str):
            for other in ("", "1.5", "NaN", "1/0", "01", "-0"):
                assert not _fits(_changed(data, place, lambda x, other=other: other)), (place, other)
                tried += 1
    assert tried


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_another_rule_is_refused(path: Path) -> None:
    data = json.loads(path.read_bytes())
    nodes = [place for place in _places(data) if place and place[-1] == "rule"]
    for place in nodes:
        assert not _fits(_changed(data, place, lambda x: "laplace_2"))
        assert not _fits(_changed(data, place, lambda x: "name_and_shame"))


@pytest.mark.parametrize("change", [
    {"format": "dpcore-certificate/2"}, {"claims": []}, {"code": "abc"}, {"derivation": []}, {"assumptions": [1]},
])  # fmt: skip
def test_other_documents_are_refused(change: dict[str, object]) -> None:
    data = certify(dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=1)).data
    assert _fits(data)
    assert not _fits({**data, **change})


# ---- what the rules say, and what the checker has in tables of its own ------------------------------------------------


def test_every_kind_has_its_definition() -> None:
    defined = {kind.name: kind.definition() for kind in schema.KINDS}
    assert len(defined) == len(schema.KINDS)
    for each in _parameters():
        assert defined[each.kind.name] == each.kind.definition(), each.name


def test_the_tables_are_those_of_the_checker() -> None:
    there = cast(Any, checker)
    assert {of.kind: " ".join(each.name for each in of.fields) for of in DOMAINS} == there.DOMAINS
    assert {
        of.kind: " ".join(each.name + "?" * each.nullable for each in of.fields) for of in METRICS if of.fields
    } == {kind: fields.strip() + "?" * kind.endswith("Granularity") for kind, fields in there.MORE.items()}
    assert {of.kind for of in METRICS} == set(there.METRICS)
    witnesses = {rule: witness for rule, (_, _, witness, _) in there.CONVERSIONS.items() if witness}
    claimed = dict.fromkeys(("claimed_transformation", "claimed_measurement"), "promised")
    assert {**witnesses, **claimed} == {
        rule.name: rule.witness.parameter.name for rule in RULES.values() if rule.witness is not None
    }


def _parameters() -> Iterator[Parameter]:
    """All that rules write, and all fields of domains and metrics."""
    load_rules()
    for rule in RULES.values():
        yield from rule.writes or ()
        if rule.witness is not None:
            yield rule.witness.parameter
    for of in DOMAINS:
        yield from of.fields
    for of_metric in METRICS:
        yield from of_metric.fields


NUMBERS: dict[str, NumberKind] = {
    "d_in": POSITIVE,
    **{each.name: each.kind for each in _parameters() if isinstance(each.kind, NumberKind)},
}


def test_a_name_means_the_same_numbers_wherever_it_stands() -> None:
    """The checker, and whoever reads the schema, goes by names."""
    for each in _parameters():
        if isinstance(each.kind, NumberKind) and each.name in NUMBERS:
            assert each.kind == NUMBERS[each.name], each.name


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("text", ["0", "1", "2", "-1", "1/2", "3/2", "-1/2", "5", "10"])
def test_the_kinds_of_numbers_are_those_of_the_checker(name: str, text: str) -> None:
    """The pattern never refuses what the checker reads; the kind holds exactly what it reads."""
    kind = NUMBERS[name]
    try:
        cast(Any, checker).READ[name](text)
        read = True
    except checker.Rejected:
        read = False
    assert kind.holds(Fraction(text)) == read
    assert re.search(kind.pattern, text) or not read
