"""docs/a_new_rule.md shows what is in the files it names, names all files, and each fault that it tells of is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.new_rule.copies import copied, run
from tests.source.syntax import ROOT

TUTORIAL = (ROOT / "docs" / "a_new_rule.md").read_text(encoding="utf-8")
EXCERPTS = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
TOUCHED = dict(re.findall(r"^\| `(\S+)` \| ([^|]+) \| [^|]+ \|$", TUTORIAL, re.MULTILINE))
FAULTS = re.findall(r"^\| `(\S+)` \| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$", TUTORIAL, re.MULTILINE)
TRIED = [fault for fault in FAULTS if fault[3].startswith("tests/")]

NAMES = re.compile("uniform_noise|UniformNoise")
BUILT_ON_IT = re.compile(
    "random_?rounding|new_rule|test_framed|test_parts_at_once|test_locally|examples/functions", re.IGNORECASE
)
"""Files that name it and are not touched for it: what uses it."""

WRITTEN = {".py", ".pyi", ".v", ".toml", ".json", ".txt", ".md"}
"""Files that are not compiled from others."""


def text_of(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def test_all_parts_of_the_page_are_read() -> None:
    assert len(EXCERPTS) == TUTORIAL.count("```") / 2
    assert len(TOUCHED) + len(FAULTS) == len(re.findall(r"^\| `", TUTORIAL, re.MULTILINE))
    assert len(TRIED) == len(FAULTS) - 1


@pytest.mark.parametrize(("file", "excerpt"), EXCERPTS, ids=[f"{i} {file}" for i, (file, _) in enumerate(EXCERPTS)])
def test_an_excerpt_stands_in_its_file(file: str, excerpt: str) -> None:
    assert excerpt in text_of(file)


def test_the_table_names_every_file_that_names_the_rule() -> None:
    found = [
        path for top in ("dpcore", "proofs", "tests") for path in (ROOT / top).rglob("*") if path.suffix in WRITTEN
    ]
    places = [str(path.relative_to(ROOT)) for path in [*found, *ROOT.glob("docs/claimed*.md")]]
    assert {each for each in places if not BUILT_ON_IT.search(each) and NAMES.search(text_of(each))} == {*TOUCHED}


@pytest.mark.parametrize(("file", "text"), [fault[:2] for fault in FAULTS])
def test_a_fault_can_be_put_where_the_page_says(file: str, text: str) -> None:
    assert text in text_of(file)


@pytest.mark.long
@pytest.mark.parametrize(("file", "text", "instead", "test"), TRIED)
def test_a_fault_is_found_by_what_the_page_names(tmp_path: Path, file: str, text: str, instead: str, test: str) -> None:
    tree = copied(tmp_path / "tree")
    arguments = ["-m", "pytest", "-q", "-n", "0", "-x", test]
    assert run(tree, arguments) == "passed"
    path = tree / file
    path.write_text(path.read_text(encoding="utf-8").replace(text, instead), encoding="utf-8")
    assert test.partition("[")[0].rpartition("::")[2] in run(tree, arguments)
