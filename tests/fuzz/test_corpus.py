"""What fuzzing begins with, and how it changes that: the two checkers judge both alike, and nothing else is raised."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs.coq.differential.json_trees import rules
from tests.certificates.tools import CHECKER, checker
from tests.fuzz.certificates import BYTES, mutator, seeds
from tests.fuzz.oracle import DPCHECK, NOT_DECIDED, NOT_PROVED, REJECTED, VERIFIED, Dpcheck, agree, by_python


@pytest.fixture
def dpcheck(tmp_path: Path) -> Iterator[Dpcheck]:
    if not os.access(DPCHECK, os.X_OK):
        pytest.skip("dpcheck is not built here: make proofs")
    process = Dpcheck(tmp_path)
    yield process
    process.close()


def test_the_corpus_is_small_and_has_nearly_every_rule() -> None:
    known = set(tomllib.loads((CHECKER.parent / "RULES.toml").read_text(encoding="utf-8")))
    used = set[str]().union(*(rules(json.loads(each)) for each in seeds()))
    assert used <= known
    assert len(known - used) <= len(known) // 10
    assert max(map(len, seeds())) < 4000


def test_the_corpus_is_verified() -> None:
    assert {by_python(checker, each) for each in seeds()} == {VERIFIED}


def test_the_corpus_is_verified_by_dpcheck(dpcheck: Dpcheck) -> None:
    assert {dpcheck.status(each) for each in seeds()} <= {VERIFIED, NOT_PROVED}


def test_changes_are_of_bytes_and_of_certificates(dpcheck: Dpcheck) -> None:
    """Some of what comes of them is verified, most is rejected, and the two checkers agree on all."""
    change = mutator(lambda data, size: data[::-1][:size])
    changed = [change(seed, BYTES, i) for i, seed in enumerate(seeds())]
    ours = [by_python(checker, each) for each in changed]
    assert {VERIFIED, REJECTED} <= set(ours)
    assert [each for each, status in zip(changed, ours, strict=True) if not agree(status, dpcheck.status(each))] == []


def test_only_who_has_decided_can_disagree() -> None:
    assert agree(VERIFIED, VERIFIED)
    assert not agree(VERIFIED, REJECTED)
    assert agree(NOT_DECIDED, VERIFIED)
    assert agree(REJECTED, NOT_PROVED)
