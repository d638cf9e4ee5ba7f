"""The gate of the proofs: what Coq compiles, and is no proof, is refused.

The class of faults that can no longer happen: a theory or checker file that Coq was told not to check (its recursions, its
universes, its inductive types), or that leaves something unproved, and that passes `make -C proofs/coq check`.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

COQ = Path(__file__).parents[2] / "proofs" / "coq"
compiled = shutil.which("coqc") is not None and (COQ / "checker" / "Verdict.vo").is_file()
pytestmark = pytest.mark.skipif(not compiled, reason="the theory is not compiled here: make proofs")

GUARD = """From Coq Require Import Reals.
Unset Guard Checking.
Fixpoint loop (n : nat) : False := loop n.
Set Guard Checking.
Theorem anything : (0 = 1)%R.
Proof. destruct (loop 0). Qed.
"""
PROVED = "Theorem anything : 0 = 0.\nProof. reflexivity. Qed.\n"
ALONE = GUARD.replace("From Coq Require Import Reals.\n", "").replace("%R", "")
UNPROVED = {
    "a recursion that does not end": (ALONE, "loop"),
    "admitted": ("Theorem anything : 0 = 1.\nAdmitted.\n", "anything"),
    "an axiom": ("Axiom anything : 0 = 1.\n", "anything"),
    "an axiom under another word": ("Hypothesis anything : 0 = 1.\n", "anything"),
    "type in type": ("Unset Universe Checking.\nDefinition all : Set := Set.\nSet Universe Checking.\n", "all"),
    "an inductive type that is none": (
        "Unset Positivity Checking.\nInductive knot : Set := Tie : (knot -> False) -> knot.\nSet Positivity Checking.\n"
        "Definition no (k : knot) : False := match k with Tie f => f k end.\n"
        "Theorem anything : 0 = 1.\nProof. destruct (no (Tie no)). Qed.\n",
        "knot",
    ),
}
UNPROVED_THEOREMS = [name for name, (text, _) in UNPROVED.items() if "anything :" in text]


def _compiled(folder: Path, text: str) -> Path:
    (folder / "Bad.v").write_text(text, encoding="utf-8")
    subprocess.run(["coqc", "-w", "none", "-Q", str(folder), "DPcore", str(folder / "Bad.v")], check=True)
    return folder


def _gate(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the gate says of the file in the folder, and of nothing else."""
    command = ["sh", str(COQ / "gate.sh"), "files", "-Q", str(folder), "DPcore", "DPcore.Bad"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_is_proved_passes(tmp_path: Path) -> None:
    done = _gate(_compiled(tmp_path, PROVED))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", UNPROVED)
def test_what_is_not_proved_is_refused(tmp_path: Path, name: str) -> None:
    text, culprit = UNPROVED[name]
    done = _gate(_compiled(tmp_path, text))
    assert done.returncode == 1
    assert f"DPcore.Bad.{culprit}" in done.stderr


@pytest.mark.parametrize("name", UNPROVED_THEOREMS)
def test_a_theorem_that_rests_on_it_is_refused_when_coq_is_asked(name: str) -> None:
    text, culprit = UNPROVED[name]
    asked = f"{text}\nDefinition all := (tt, anything).\nPrint Assumptions all.\n"
    command = ["sh", str(COQ / "gate.sh"), "theorems"]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert culprit in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("makefile", "folder", "bad", "only"),
    [
        ("Makefile", "theory", GUARD, ()),
        ("Makefile.checker", "checker", ALONE, ("MODULES=DPchecker.Bad",)),  # the rest takes a minute
    ],
)
def test_a_file_among_the_others_that_proves_that_0_is_1(
    tmp_path: Path, makefile: str, folder: str, bad: str, only: tuple[str, ...]
) -> None:
    """In a copy of the whole tree, by the commands that `make proofs` runs."""
    tree = tmp_path / "proofs" / "coq"
    shutil.copytree(COQ, tree)  # with the times of files, so that nothing else is compiled again
    shutil.copy(COQ.parent / "RULES.toml", tree.parent)
    (tree / folder / "Bad.v").write_text(bad, encoding="utf-8")
    command = ["make", "-C", str(tree), "-f", makefile, "files", *only]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (tree / folder / "Bad.vo").is_file(), done.stderr
    assert done.returncode == 2
    assert "unsafe (co)fixpoints" in done.stderr
    assert ".Bad.loop" in done.stderr
