"""A user's module is attacked as a whole: from Python, from the command line's function and from a pytest fixture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.assurance.checking import arrows_of, check, check_module, module_at
from dpcore.commands.cli import main

MODULE = """
import dpcore as dp

T = dp.types
rows = dp.rows(dp.integers(0, 10))
count = rows >> dp.count()
noisy = {"two": [count >> dp.laplace(scale=2)]}
_hidden = count

def doubled(xs):
    return 2 * len(xs)

wrong = dp.transformation(doubled, rows, dp.value(dp.integers(0), dp.AbsoluteDistance()), stability=lambda d: d)

def made() -> "T.Transformation[T.Rows[T.Integers], dp.SymmetricDistance, T.Integers, dp.AbsoluteDistance]":
    return rows >> dp.sum()

def not_called():
    raise SystemExit
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "my_arrows.py"
    found.write_text(MODULE)
    return found


def test_every_exported_arrow_is_found(path: Path) -> None:
    assert list(arrows_of(module_at(path))) == ["count", "noisy['two'][0]", "wrong", "made()"]


def test_all_says_what_is_exported(path: Path) -> None:
    path.write_text(MODULE + "\n__all__ = ['_hidden']\n")
    assert list(arrows_of(module_at(path))) == ["_hidden"]


def test_the_wrong_one_is_found_and_the_others_are_not(path: Path) -> None:
    results = {result.name: result for result in check_module(module_at(path), examples=50)}
    assert [name for name, result in results.items() if not result.sound] == ["wrong"]
    assert "UNSOUND: unstable" in results["wrong"].summary
    assert "y = [0]" in str(results["wrong"])
    assert results["made()"].summary == "made(): sound and tight; nothing found in 50 pairs"


def test_what_has_no_written_out_distribution_says_so() -> None:
    wide = dp.rows(dp.text()) >> dp.count() >> dp.laplace(scale=10**9)
    found = check(wide, examples=20)
    assert found.sound
    assert "not exhausted: " in found.summary


@pytest.mark.parametrize("content", ["1/0", "raise KeyError('x')", "import no_such_module", "def"])
def test_a_module_that_fails_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "m.py").write_text(content)
    with pytest.raises(dp.errors.InvalidParameter, match="cannot be imported"):
        module_at(tmp_path / "m.py")
    assert "m" not in sys.modules


@pytest.mark.parametrize("name", ["absent.py", "folder", "data.csv"])
def test_what_is_no_python_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "data.csv").write_text("")
    with pytest.raises(dp.errors.InvalidParameter, match="Expected a Python file"):
        module_at(tmp_path / name)


def test_the_fixture_fails_with_the_counterexample(path: Path) -> None:
    (path.parent / "test_mine.py").write_text(
        "import my_arrows\n"
        "def test_all(attack): attack(my_arrows, examples=20)\n"
        "def test_one(attack): attack(my_arrows.count, examples=20)\n"
        "def test_none(attack):\n    import sys\n    attack(sys)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "y = [0]" in done.stdout
    assert "the module sys exports no arrow" in done.stdout


def test_the_command_attacks_a_module(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--examples", "20"]) == 1
    said = capsys.readouterr().out
    assert "count: sound and tight; nothing found in 20 pairs" in said
    assert "y = [0]" in said
    assert said.endswith("4 arrows: a claim is wrong\n")
    path.write_text("import dpcore as dp\ncount = dp.rows(dp.text()) >> dp.count()\n")
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.endswith("1 arrow: nothing found\n")


@pytest.mark.parametrize("content", ["", "x = 1", "1/0"])
def test_the_command_says_when_there_is_nothing_to_attack(
    path: Path, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(content)
    assert main(["check", str(path)]) == 2
    found = capsys.readouterr()
    assert not found.out
    assert found.err.startswith("dpcore: ")


CHANCE = """
import random
import dpcore as dp

rows = dp.rows(dp.integers(0, 10))

def noisy(xs):
    return len(xs) + random.choice([-1, 0, 1])

wrong = dp.measurement(noisy, rows, dp.PureDP(), loss=lambda d: d)
right = dp.measurement(lambda xs: random.random(), rows, dp.PureDP(), loss=lambda d: d)
"""


def test_what_draws_coins_of_its_own_is_audited(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(CHANCE)
    assert main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert "EXCEEDED" in said
    assert "wrong: " in said
    assert "right: nothing found in" in said
    assert "4 audits below the claim; not exhausted: the same choices gave two outcomes" in said


@pytest.mark.parametrize(("content", "says"), [
    ("import sys; sys.exit(0)", "cannot be imported: SystemExit"),
    ("__all__ = ['nothing']", "names 'nothing', which is not there"),
    ("import dpcore as dp\ndef made() -> 'dp.types.Transformation[0]': raise KeyError('x')", "raised KeyError"),
])  # fmt: skip
def test_a_module_that_would_pass_for_sound_is_refused(
    path: Path, content: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(content)
    assert main(["check", str(path)]) == 2
    assert says in capsys.readouterr().err


def test_what_holds_itself_is_looked_at_once(path: Path) -> None:
    path.write_text(MODULE + "\nloop = {}\nloop['loop'] = loop\n")
    assert list(arrows_of(module_at(path))) == ["count", "noisy['two'][0]", "wrong", "made()"]
