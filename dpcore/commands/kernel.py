"""A certificate checked by Coq's own kernel: written as a Coq file, proved, checked again, with the axioms it rests on.

What is trusted then: Coq's kernel, the axioms printed, and the statements (`proofs/coq/checker`: what a certificate means,
and what is promised). Neither dpcore nor the Python checker is.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dpcore.commands.files import named, read_file

COQ: Final = Path(__file__).parents[2] / "proofs" / "coq"
PACKAGES: Final = "coq libcoq-stdlib libcoq-coquelicot ocaml-nox"
LIBRARIES: Final = ("-Q", str(COQ / "theory"), "DPcore", "-Q", str(COQ / "checker"), "DPchecker")
AXIOMS: Final = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""Excluded middle, functional extensionality, and the two on which the real numbers of Coq's library rest."""

SECONDS: Final = 600
"""Of the processor, for each of Coq's programs. A busy machine decides nothing."""

KIBIBYTES: Final = 8 << 20
"""Of memory, for each of Coq's programs."""

SLOWER: Final = 100
"""coqchk, which computes without a virtual machine, takes at most about so many times as long as dpcheck, which is the same
function compiled: 60 to 95 times as measured."""

STATUS: Final = {"Accepted": 0, "Rejected": 1}


class Stopped(Exception):
    """One of Coq's programs asked for more than it may take."""


def verify_by_kernel(path: str) -> int:
    """Whether Coq accepts the certificate: 0 accepted, 1 rejected, 2 not a certificate, 3 Coq cannot say, 4 not decided.

    It cannot where it is not installed, or not compiled, or fails. It is not decided where that takes more time or memory
    than it may."""
    missing = _missing()
    if missing:
        print(missing)
        return 3
    try:
        return _verify(path)
    except Stopped as stopped:
        print(f"not decided: {stopped}: {named(path)}")
        return 4


def _verify(path: str) -> int:
    try:
        data = read_file(path)
    except OSError as error:
        print(f"not a certificate: {named(path)}: {error.strerror}")
        return 2
    which = f"file: sha256 {hashlib.sha256(data).hexdigest()}"
    with tempfile.TemporaryDirectory() as folder:
        file, copy = Path(folder) / "Certificate.v", Path(folder) / "certificate.json"
        copy.write_bytes(data)
        _refuse_what_takes_too_long(copy)
        written = _run([sys.executable, "-I", "-S", str(COQ / "export.py"), str(copy)])
        if written.returncode:
            print(f"not a certificate: {named(path)}\n{which}")
            return 2
        file.write_bytes(written.stdout)  # as they are: a text may hold any character, also ends of lines
        done = _run(["coqc", "-w", "none", *LIBRARIES, str(file)])
        status, lines = _refused(file, _text(done.stderr)) if done.returncode else _accepted(copy, _text(done.stdout))
    first, which = (f"verified: {named(path)}", which) if status == 0 else (lines.pop(0), f"{which}, {named(path)}")
    print("\n".join([first, which, _myself(), *lines]))
    return status


def _refuse_what_takes_too_long(copy: Path) -> None:
    """Said before it is begun: dpcheck is no part of what is trusted, for all that it can do here is to keep Coq from it."""
    dpcheck, few = COQ / "extract" / "dpcheck", SECONDS / SLOWER
    if dpcheck.is_file() and _run([str(dpcheck), "--seconds", str(few), str(copy)]).returncode == 4:
        raise Stopped(
            f"not begun: coqchk may take {SECONDS} seconds of the processor, and about {SLOWER} times as long as dpcheck, "
            f"which did not decide in {few:g}; dpcheck by itself may, and a certificate for each of the parts, "
            "of fewer points of a curve or of smaller groups takes less"
        )


def _myself() -> str:
    """The version of Coq, and the digest of what it compiled: theory and checker, in the order of the files' names."""
    version = _text(_run(["coqc", "--print-version"]).stdout).partition(" ")[0].strip()
    sources = [source.read_bytes() for folder in ("theory", "checker") for source in sorted((COQ / folder).glob("*.v"))]
    return (
        f"checker: Coq's kernel {version}, and coqchk; sources sha256 {hashlib.sha256(b''.join(sources)).hexdigest()}"
    )


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    limits = f'ulimit -S -t {SECONDS} && ulimit -S -v {KIBIBYTES} && exec "$0" "$@"'
    done = subprocess.run(["/bin/sh", "-c", limits, *command], capture_output=True, check=False)
    program = Path(command[0]).name
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Stopped(f"{program} took more than {SECONDS} seconds of the processor, or was killed")
    if done.returncode and any(said in done.stderr.lower() for said in (b"out of memory", b"not enough memory")):
        raise Stopped(f"{program} took more than {KIBIBYTES >> 20} GiB of memory")
    return done


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", errors="replace")


def _missing() -> str:
    if not (COQ / "checker").is_dir():
        return "the Coq sources are not here: run this from a checkout of dpcore"
    if shutil.which("coqc") is None or shutil.which("coqchk") is None:
        return f"Coq is missing: apt-get install {PACKAGES}"
    if not (COQ / "checker" / "Verdict.vo").is_file():
        return "the checker is not compiled: make proofs"
    stale = [
        source for folder in ("theory", "checker") for source in sorted((COQ / folder).glob("*.v")) if _is_stale(source)
    ]
    return f"{stale[0].name} was changed after it was compiled, or is not: make proofs" if stale else ""


def _is_stale(source: Path) -> bool:
    compiled = source.with_suffix(".vo")
    return not compiled.is_file() or compiled.stat().st_mtime < source.stat().st_mtime


TRUSTED: Final = (
    "trusted: the library runs what the derivation says, on data of the input space, with exactly the noise named",
    "trusted: functions of rows are pure and total; Coq's kernel, the axioms below, and export.py; "
    "how long a release takes is not covered",
)


def _accepted(copy: Path, printed: str) -> tuple[int, list[str]]:
    """What Coq proved and says, and that its independent checker agrees."""
    before, _, after = printed.partition("Axioms:\n")
    axioms = {line.split(" :")[0].strip() for line in after.splitlines() if line and not line.startswith(" ")}
    print("coqc accepts it; coqchk checks again, more slowly", file=sys.stderr, flush=True)
    try:
        again = _run(["coqchk", "-silent", "-norec", "Certificate", "-R", str(copy.parent), "", *LIBRARIES])
    except Stopped as stopped:
        raise Stopped(f"coqc accepts it, but {stopped}") from None
    if again.returncode or axioms - AXIOMS:
        why = _text(again.stderr).strip() or f"an axiom too many: {sorted(axioms - AXIOMS)}"
        return 1, [f"rejected: {ascii(why)[1:-1]}"]
    told = before.partition("     = (")[2].partition("\n     : ")[0]
    lines = [line.replace('""', '"') for line in re.findall('"((?:[^"]|"")*)"', told)]
    rules = lines.pop()  # the last of what `told_of` says
    return 0, [*lines, *TRUSTED, *(f"axiom: {axiom}" for axiom in sorted(axioms)), rules]


def _refused(file: Path, error: str) -> tuple[int, list[str]]:
    """The verdict that stands instead; or that Coq failed."""
    head, _, _ = file.read_bytes().rpartition(b"\nTheorem accepted")
    file.write_bytes(head + b"\nEval vm_compute in verdict_on certificate.\n")
    found = _text(_run(["coqc", "-w", "none", *LIBRARIES, str(file)]).stdout)
    verdict = next((name for name in STATUS if f"= {name}" in found), "")
    if not verdict or verdict == "Accepted":
        return 3, [f"Coq failed: {ascii(error.strip()[-300:])[1:-1]}"]
    return STATUS[verdict], ["rejected"]
