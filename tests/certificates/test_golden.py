"""Certificates that were made once: those in `accept` verify for ever, those in `reject` never do, for the reason given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpcore.certificates.document import canonical
from tests.certificates.golden import accepted
from tests.certificates.tools import checker, rejection

HERE = Path(__file__).parent
REJECTED = json.loads((HERE / "reject" / "reasons.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted((HERE / "accept").glob("*.json")), ids=lambda path: path.stem)
def test_what_was_accepted_is_accepted(path: Path) -> None:
    lines, _ = checker.verify(path.read_bytes())
    assert lines[0].startswith("claim: ")


@pytest.mark.parametrize("name", sorted(REJECTED))
def test_what_was_rejected_is_rejected(name: str) -> None:
    place, why = REJECTED[name]
    assert rejection((HERE / "reject" / f"{name}.json").read_bytes()) == (place, why)


def test_every_file_is_tested() -> None:
    assert {path.stem for path in (HERE / "reject").glob("*.json")} == {*REJECTED, "reasons"}
    assert len(list((HERE / "accept").glob("*.json"))) >= len(accepted())


@pytest.mark.parametrize("name", sorted(accepted()))
def test_the_same_pipeline_still_gives_the_same_certificate(name: str) -> None:
    """But for the version and the digest of the code."""
    golden = (HERE / "accept" / f"{name}.json").read_text(encoding="ascii")
    by = json.loads(golden)
    again = {**accepted()[name].data, "code": by["code"], "dpcore": by["dpcore"]}
    assert canonical(again) == golden
