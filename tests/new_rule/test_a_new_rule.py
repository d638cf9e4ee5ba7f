"""Whoever follows CONTRIBUTING to the letter has a rule that the laws try and the checker verifies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.new_rule.copies import copied, run
from tests.new_rule.steps import GENERATED, MODULE, NAME, RULE, STEPS, Step
from tests.source.syntax import ROOT

pytestmark = pytest.mark.long

TRIED = (
    "tests/laws/test_catalogue.py",
    "tests/laws/test_claimed_and_true.py",
    "tests/facade/test_facade.py",
    "tests/certificates/test_rules.py",
    "tests/certificates/test_schema.py::test_the_published_schema_is_current",
    "--deselect=tests/facade/test_facade.py::test_few_names",  # the toy may be one name too many
)
LAWS = ("tests/laws", f"--laws-of={MODULE}")

CERTIFIED = f"""
import dpcore as dp
twice = dp.rows(dp.integers()) >> dp.{NAME}() >> dp.laplace(scale=2)
assert twice.loss(d_in=1) == dp.pure(1)
dp.certify(twice, d_in=1).save("twice.cert.json")
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree, with the toy rule in it."""
    root = copied(tmp_path_factory.mktemp("tree"))
    for step in STEPS:
        step.take(root)
    for arguments in GENERATED:
        assert run(root, arguments) == "passed"
    return root


def test_the_laws_hold_of_it(copy: Path) -> None:
    assert run(copy, ["-m", "pytest", "-q", "-n", "0", *LAWS]) == "passed"


def test_nothing_is_missing(copy: Path) -> None:
    assert run(copy, ["-m", "pytest", "-q", "-n", "0", *TRIED]) == "passed"


def test_its_certificate_is_verified(copy: Path) -> None:
    assert run(copy, ["-c", CERTIFIED]) == "passed"
    assert RULE in (copy / "twice.cert.json").read_text(encoding="ascii")
    assert run(copy, ["-I", "-S", "proofs/check_certificate.py", "twice.cert.json"]) == "passed"


def test_a_wrong_one_would_be_found(copy: Path, tmp_path: Path) -> None:
    """A map of d for what moves by 2 d is refused by the laws."""
    wrong = tmp_path / "tree"
    shutil.copytree(copy, wrong)
    path = wrong / "dpcore/transformations/count_twice.py"
    path.write_text(path.read_text(encoding="utf-8").replace("return 2 * d\n", "return d\n"), encoding="utf-8")
    said = run(wrong, ["-m", "pytest", "-q", "-n", "0", *LAWS])
    assert f"test_stable_and_tight[{NAME}]" in said


def test_contributing_names_every_place() -> None:
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A new rule")[2].partition("\n## ")[0]
    assert [step.file for step in STEPS if step.anchor is not None and step.file not in told] == []


def test_a_step_is_refused_where_it_does_not_belong(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text("first\nsecond\n", encoding="utf-8")
    Step("some.py", "between\n", "second").take(tmp_path)
    assert (tmp_path / "some.py").read_text(encoding="utf-8") == "first\nbetween\nsecond\n"
    with pytest.raises(StopIteration):
        Step("some.py", "x", "third").take(tmp_path)
