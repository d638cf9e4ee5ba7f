"""What the design and the glossary name is there; what the design says is not built yet is not."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatchcase

import dpcore as dp
from tests.source.syntax import ROOT

DESIGN = (ROOT / "docs/design.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
RULES = sorted(tomllib.loads((ROOT / "proofs/RULES.toml").read_text(encoding="utf-8")))

TOP = ("dpcore", "proofs", "tests", "benchmarks", "docs")


def section(number: int) -> str:
    found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", DESIGN, flags=re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def first_cells(text: str) -> list[str]:
    """The first cell of each row of a table, without the head."""
    return [line.split("|")[1] for line in text.splitlines() if line.startswith("| ") and "`" in line.split("|")[1]]


def paths(text: str) -> set[str]:
    quoted = re.findall(r"`([\w./]+)`", text)
    return {each for each in quoted if each.split("/")[0] in TOP and "." not in each.split("/")[0]}


def words(text: str) -> list[str]:
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")]
    return rows[1:]  # without the head


def test_every_name_of_the_library_exists() -> None:
    named = set(re.findall(r"\bdp\.([a-zA-Z]\w*)", DESIGN))
    assert len(named) > 8
    assert named <= set(dir(dp))


def test_every_rule_of_the_calculus_exists() -> None:
    patterns = [each for cell in first_cells(section(5)) for each in re.findall(r"`([\w*]+)`", cell)]
    assert [each for each in patterns if not any(fnmatchcase(rule, each) for rule in RULES)] == []
    assert len(patterns) > 60


def test_every_path_exists() -> None:
    named = paths(DESIGN) | paths(GLOSSARY)
    assert len(named) > 40
    assert [each for each in sorted(named) if not (ROOT / each).exists()] == []


def test_the_checker_is_as_short_as_is_said() -> None:
    limit = re.search(r"at most ([\d,]+) lines", section(6))
    assert limit is not None
    lines = (ROOT / "proofs/check_certificate.py").read_text(encoding="utf-8").count("\n")
    assert lines <= int(limit[1].replace(",", ""))


def test_what_is_not_built_yet_is_not() -> None:
    names = set(re.findall(r"`(\w+)`", section(10)))
    assert {"subsample", "convolve"} <= names
    assert names & set(dir(dp)) == set()


def test_every_bug_that_others_had_is_numbered() -> None:
    assert re.findall(r"^(\d+)\.", section(7), flags=re.MULTILINE) == [str(number) for number in range(1, 25)]


def test_the_glossary_is_in_order_and_says_where_each_word_lives() -> None:
    assert words(GLOSSARY) == sorted(set(words(GLOSSARY)))
    rows = [line for line in GLOSSARY.splitlines() if line.startswith("| ")][1:]
    assert [row for row in rows if not paths(row.split("|")[3])] == []


def test_what_is_read_from_a_page() -> None:
    assert paths("`dpcore/maps` and `core.py`, `proofs`, `dp.rows`") == {"dpcore/maps", "proofs"}
    assert first_cells("| rules | states |\n|---|---|\n| `a_*` `b` | `d` |") == [" `a_*` `b` "]
