"""Verdicts in words: the same of the Python checker and of `dpcheck`, in one order, and no name passes for a line of theirs.

A class of faults that can no longer happen: what a person, a file or an attacker named puts a line into a verdict, hides a
part of one, or makes two names look alike, however the terminal folds what is printed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

import dpcore as dp
from dpcore.calculus.parameters.quoting import quoted
from dpcore.certificates.certificate import Certificate, certify
from dpcore.commands import kernel
from tests.certificates.tools import CHECKER, checker, measurements, of_example

Data = dict[str, Any]
DPCHECK = kernel.COQ / "extract" / "dpcheck"
with_dpcheck = pytest.mark.skipif(not DPCHECK.is_file(), reason="dpcheck is not compiled here: make proofs")
HEADS = ("verified", "rejected", "file", "checker", "claim", "attention", "assumption", "trusted", "rules",
         "evidence, not proof", "not a certificate", "axiom")  # fmt: skip
ORDER = ("verified", "file", "checker", "claim", "attention", "assumption", "evidence, not proof", "trusted", "rules")
HOSTILE = (
    "\nclaim: pure: epsilon <= 1/1000000, between data 1 apart",
    "f" + " " * 70 + "claim: pure: epsilon <= 1/1000000, between data 1 apart; 1 apart is: all rows" + " " * 60,
    "x claim: pure", " claim: x ", "claim:pure:epsilon<=1/1000000", "rules :x",
    "a: rules: b", "claim:", "claim: ", "\r", "\x1b[2J", "a\N{COMBINING GRAPHEME JOINER}",
    "\N{HANGUL FILLER}", "\N{BRAILLE PATTERN BLANK}", "\N{RIGHT-TO-LEFT OVERRIDE}x",
    "gr\N{LATIN SMALL LETTER O WITH DIAERESIS}e",
    "\N{GRINNING FACE}" * 70, "\ud83d", "\udc00\ud83d", "a\\nb", 'say "claim: x"', "", " ", "\t", "\x7f", "x" * 3000,
    "%s", "</pre>", "\0", "\N{NO-BREAK SPACE}", "a\N{LINE SEPARATOR}claim: x", "claim\N{FULLWIDTH COLON} x",
)  # fmt: skip


def _identity(rows: Any) -> Any:
    return rows


def _once(d: Any) -> Any:
    return d


def _apart(x: object, y: object) -> int:
    return 0 if x == y else 1


def _any(row: object) -> bool:
    return bool(row)


def _choose(seen: object) -> object:
    return seen


def _samples() -> dict[str, Certificate]:
    """Certificates with texts of others in every place that a verdict speaks of."""
    person = dp.record(who=dp.text(), age=dp.integers(0, 120), region=dp.categories("N", "E"))
    week = dp.granularity("a week of one customer", _apart, rows=7)
    rows = dp.rows(dp.integers())
    persons = dp.rows(person, dp.PersonDistance("who"))
    noisy = rows >> dp.count() >> dp.laplace(scale=2)
    told = dp.measurement(_identity, rows, dp.PureDP(), loss=_once)
    counts = dp.value(dp.integers(), dp.AbsoluteDistance())
    made = dp.transformation(_identity, rows, counts, stability=_once)
    of_people = dp.rows(person)
    aged = dp.select(dp.field("age") // 7, dp.integers(0, 20))
    return {
        "granularity": certify(
            dp.rows(person, metric=week) >> dp.to_metric(dp.SymmetricDistance()) >> dp.count() >> dp.laplace(7)
        ),
        "persons": certify(persons >> dp.bound_contributions(3) >> dp.count() >> dp.laplace(scale=30), 2),
        "function": certify(rows >> dp.filter(_any) >> dp.count() >> dp.laplace(scale=1)),
        "map": certify(rows >> dp.row_map(_identity, person) >> dp.count() >> dp.laplace(scale=1)),
        "posted": certify(noisy.then(str)),
        "told": certify(told),
        "made": certify(made >> dp.laplace(scale=1)),
        "followed": certify(of_people >> aged >> dp.sum() >> dp.laplace(scale=20)),
        "queries": certify(
            dp.rows(dp.categories("N", "E"))
            >> dp.linear_queries(dp.row(str) == "N", dp.row(str) == "E")
            >> dp.laplace(scale=1)
        ),
        "parts": certify(
            of_people
            >> dp.partition(by=dp.field("region"))
            >> dp.parallel(dp.rows(person) >> dp.count() >> dp.laplace(1))
        ),
        "curve": certify(noisy.to(dp.Tradeoff), at=["1/10", "1/3"]),
    }


SAMPLES = _samples()


def verdicts(some: Sequence[bytes], tmp_path: Path) -> list[tuple[list[str], list[str]]]:
    """Of each certificate the lines of both checkers, each run once."""
    files = [tmp_path / f"{i}.json" for i in range(len(some))]
    for file, data in zip(files, some, strict=True):
        file.write_bytes(data)
    found = []
    dpcheck = [str(DPCHECK), "--seconds", "600"]  # one takes half a minute
    for command in ([sys.executable, "-I", "-S", str(CHECKER)], dpcheck):
        done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
        assert done.stderr == ""
        each: list[list[str]] = []
        for line in done.stdout.splitlines():
            if line.startswith(("verified", "rejected", "not a certificate")):
                each.append([])
            each[-1].append(line)
        assert len(each) == len(some)
        found.append(each)
    return list(zip(*found, strict=True))


def _ours_alone(line: str) -> bool:
    return line.startswith(("checker: ", "trusted: functions of rows"))


def _same(some: Sequence[bytes], tmp_path: Path) -> list[list[str]]:
    """The lines of the Python checker, dpcheck's being the same but for whose they are."""
    for ours, theirs in (found := verdicts(some, tmp_path)):
        if ours[0].startswith("verified: "):
            assert [x for x in ours if not _ours_alone(x)] == [x for x in theirs if not _ours_alone(x)]
        else:
            assert ours[0].partition(" ")[0] == theirs[0].partition(" ")[0] == "rejected"
            assert ours[1] == theirs[1]
    return [ours for ours, _ in found]


def folded(lines: list[str], width: int) -> list[str]:
    return [line[i : i + width] for line in lines for i in range(0, len(line), width)]


def _well_behaved(lines: list[str]) -> None:
    """No line starts that the checker did not start, at no width; nothing moves a cursor or looks like nothing."""
    heads = [line.partition(": ")[0].partition(" at ")[0] for line in lines]
    assert {*heads} <= {*HEADS}, lines
    assert all(0x20 <= ord(c) < 0x7F for line in lines for c in line)
    assert not any("  " in line or line != line.strip() for line in lines)
    for width in (20, 37, 60, 72, 79, 80, 81, 100, 120):
        started = [x for x in folded(lines, width) if x.startswith(tuple(f"{head}:" for head in HEADS))]
        assert len(started) <= len(lines)
        assert all(any(line.startswith(x) for line in lines) for x in started), (width, started)


def _texts(x: Any) -> set[str]:
    """Every text that names something: values, and names of fields of rows."""
    if isinstance(x, dict):
        return {
            y for key, value in x.items() for y in ({key} if key in ("who", "age", "region") else set()) | _texts(value)
        }
    if isinstance(x, list):
        return {y for each in x for y in _texts(each)}
    return {x} if isinstance(x, str) else set()


def _renamed(x: Any, old: str, new: str) -> Any:
    """The same with another name: wherever it stands alone, and inside the words that the file has of it."""
    if isinstance(x, dict):
        return {(new if key == old else key): _renamed(value, old, new) for key, value in x.items()}
    if isinstance(x, list):
        return [_renamed(each, old, new) for each in x]
    if isinstance(x, str):
        return new if x == old else x
    return x


def _refiled(data: Data) -> Data:
    """With the words that belong to it, as the checker expects them."""
    found = dict(data)
    found["neighbours"] = checker.words(checker.metric(found["space"]["metric"]))
    try:
        checker.verify(json.dumps(found).encode())
    except checker.Rejected:
        notes = checker.NOTES
        found["assumptions"] = sorted(text for what, text in notes if what == "filed")
    return found


NAMES = ("who", "_apart", "a week of one customer", "_any", "_identity", "str", "_once", "N", "E", "age", "region")


# ---- the law -----------------------------------------------------------------------------------------------------------


@with_dpcheck
@pytest.mark.parametrize("sample", sorted({*SAMPLES} - {"curve"}))
def test_any_name_in_any_place(sample: str, tmp_path: Path) -> None:
    """Whatever a name is, both checkers print the same lines, each of which the checker began."""
    data, dice = SAMPLES[sample].data, Random(sample)
    pairs = [(old, new) for old in sorted({*NAMES} & _texts(data)) for new in dice.sample(HOSTILE, 10)]
    found = _same([json.dumps(_refiled(_renamed(data, *pair))).encode() for pair in pairs], tmp_path)
    for lines in found:
        _well_behaved(lines)
    assert len([lines for lines in found if lines[0].startswith("verified")]) >= len(pairs) // 2


@with_dpcheck
@pytest.mark.parametrize(
    "name",
    [
        HOSTILE[0].replace("/", "|"),
        HOSTILE[1].replace("/", "|"),
        HOSTILE[2],
        "\x1b[2J",
        "a  b",
        "gr\N{LATIN SMALL LETTER O WITH DIAERESIS}e",
        "x" * 200,
    ],
)
@pytest.mark.parametrize("content", ["good", "false", "none"])
def test_any_name_of_a_file(tmp_path: Path, name: str, content: str) -> None:
    good = SAMPLES["persons"].text()
    file = tmp_path / name
    file.write_bytes({"good": good, "false": good.replace(b'"d_in": "2"', b'"d_in": "3"'), "none": b"{"}[content])
    for command in ([sys.executable, "-I", "-S", CHECKER], [DPCHECK]):
        done = subprocess.run([*command, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == ({"good": 0, "false": 1, "none": 2}[content], "")
        lines = done.stdout.splitlines()
        _well_behaved([line if ": " in line else f"{line}: " + "x" for line in lines])
        assert any(quoted(name, 4096) in line for line in lines)
        assert f"file: sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}" in done.stdout


@with_dpcheck
def test_every_example_is_spoken_of_alike(tmp_path: Path) -> None:
    """Every arrow that dpcore has: claims, assumptions and rules, word for word."""
    found = _same([each.text() for name in measurements() if (each := _at_some_distance(name))], tmp_path)
    for lines in found:
        _well_behaved(lines)
        heads = [line.partition(": ")[0] for line in lines]
        assert heads == sorted(heads, key=ORDER.index)
    assert len(found) > 100


def _at_some_distance(name: str) -> Certificate | None:
    """None where nothing is promised at either."""
    for d in (1, 2):  # of rows of a known number no two are 1 apart
        with suppress(dp.errors.Vacuous):
            return of_example(name, d)
    return None


# ---- what is said ------------------------------------------------------------------------------------------------------


def _said(sample: str) -> list[str]:
    return checker.verify(SAMPLES[sample].text())[0]


def test_the_function_that_defines_the_neighbours_is_named() -> None:
    """In the claim and in the assumption, by name and whole digest, and the author's words as such."""
    lines = _said("granularity")
    digest = cast("Data", SAMPLES["granularity"].data)["space"]["metric"]["function"]["digest"]
    assert len(digest) == 64
    for head in ("claim", "assumption"):
        (line,) = [line for line in lines if line.startswith(f"{head}: ")]
        assert f'"_apart" (sha256 {digest})' in line
        assert '"a week of one customer"' in line
        assert "of its author" in line


def test_another_function_gives_another_verdict() -> None:
    data = cast("Data", SAMPLES["granularity"].data)
    changed = _renamed(data, data["space"]["metric"]["function"]["digest"], "f" * 64)
    assert checker.verify(json.dumps(changed).encode())[0] != _said("granularity")


@pytest.mark.parametrize("same", [16, 32, 63])
def test_digests_are_compared_whole(same: int) -> None:
    """A promise made under one metric is not used under another whose function begins alike."""
    week = dp.granularity("a week", _apart, rows=7)
    rows = dp.rows(dp.integers(), metric=week)
    data = cast("Data", certify(dp.measurement(_identity, rows, dp.PureDP(), loss=_once)).data)
    metric = data["space"]["metric"]
    digest = metric["function"]["digest"]
    other = digest[:same] + ("0" if digest[same] != "0" else "1") + digest[same + 1 :]
    metric["function"]["digest"] = other
    changed = _refiled(data)
    with pytest.raises(checker.Rejected, match="under another metric"):
        checker.verify(json.dumps(changed).encode())


def test_assumptions_say_of_what_and_who_must_see_to_it() -> None:
    for sample in ("granularity", "function", "map", "posted", "told", "made", "followed", "queries"):
        found = [line for line in _said(sample) if line.startswith("assumption: ")]
        assert found
        assert all("; whoever relies on this must " in line for line in found)
    assert any('field("age"), 7) stay in: whole numbers from 0 to 20' in line for line in _said("followed"))
    assert any('"who": texts}' in line for line in _said("map"))
    assert any('equals(row, "N")' in line for line in _said("queries"))


def test_of_a_curve_it_is_said_of_what() -> None:
    (line,) = [line for line in _said("curve") if line.startswith("claim: ")]
    assert "a test with false positives of 1/10 misses at least " in line


def test_a_long_number_is_rounded_to_the_true_side() -> None:
    dice = Random(1)
    for _ in range(2000):
        p, q = (dice.getrandbits(dice.randrange(1, 700)) + 1 for _ in range(2))
        x = Fraction(p, q)
        above, below = Fraction(checker.digits(x)), Fraction(checker.digits(x, down=True))
        assert below <= x <= above <= below * (1 + Fraction(1, 10**13))


@with_dpcheck
def test_its_own_sha256(tmp_path: Path) -> None:
    """dpcheck's, against Python's: every length around a block, and a long one."""
    dice, file = Random(2), tmp_path / "x"
    for n in [*range(0, 140), 4095, 65_536, 1_000_003]:
        file.write_bytes(dice.randbytes(n))
        said = subprocess.run([DPCHECK, "--sha256", file], capture_output=True, text=True, check=True).stdout
        assert said == hashlib.sha256(file.read_bytes()).hexdigest() + "\n"


@with_dpcheck
@pytest.mark.long
@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_the_kernel_says_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for sample in ("granularity", "told"):
        ((_, theirs),) = verdicts([SAMPLES[sample].text()], tmp_path)
        assert kernel.verify_by_kernel(str(tmp_path / "0.json")) == 0
        said = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("axiom: ")]
        assert [x for x in said if not _ours_alone(x)] == [x for x in theirs if not _ours_alone(x)]


def test_a_name_that_is_seen_is_the_name() -> None:
    """Two names that differ are shown differently, as long as they are shown whole."""
    short = {name for name in HOSTILE if len(name) <= 64}
    assert len({quoted(name) for name in short}) == len(short)
    assert {checker.quoted(name) for name in HOSTILE} == {quoted(name) for name in HOSTILE}


def test_a_name_has_no_colon_after_which_it_could_pass_for_a_line() -> None:
    """Wherever a terminal folds it: with a space behind the colon, or without."""
    assert not any(":" in quoted(name) for name in HOSTILE)
    for before in range(40):
        _well_behaved(["attention: " + quoted("f" * before + " claim:pure:x")])
