"""A certificate checked by Coq's own kernel: written as a Coq file, proved, checked again, with the axioms it rests on.

What is trusted then: Coq's kernel, the axioms printed, and the statements (`proofs/coq/checker`: what a certificate means,
and what is promised). Neither dpcore nor the Python checker is.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from dpcore.certificates.encoding import Json

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

STATUS: Final = {"Accepted": 0, "Rejected": 1, "NotProved": 3}


class Stopped(Exception):
    """One of Coq's programs asked for more than it may take."""


def verify_by_kernel(path: str) -> int:
    """Whether Coq accepts the certificate: 0 accepted, 1 rejected, 2 not a certificate, 3 Coq cannot say, 4 not decided.

    It cannot where it is not installed, or where the certificate uses a rule that has no theorem yet. It is not decided
    where that takes more time or memory than it may."""
    missing = _missing()
    if missing:
        print(missing)
        return 3
    try:
        return _verify(path)
    except Stopped as stopped:
        print(f"not decided: {stopped}: {path!a}")
        return 4


def _verify(path: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        file, copy = Path(folder) / "Certificate.v", Path(folder) / "certificate.json"
        try:
            copy.write_bytes(Path(path).read_bytes())
        except OSError as error:
            print(f"not a certificate: {path!a}: {error.strerror}")
            return 2
        written = _run([sys.executable, "-I", "-S", str(COQ / "export.py"), str(copy)])
        if written.returncode:
            print(f"not a certificate: {path!a}")
            return 2
        file.write_bytes(written.stdout)  # as they are: a text may hold any character, also ends of lines
        done = _run(["coqc", "-w", "none", *LIBRARIES, str(file)])
        if done.returncode:
            return _refused(path, file, _text(done.stderr))
        return _accepted(path, copy, _text(done.stdout))


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


def _accepted(path: str, copy: Path, printed: str) -> int:
    """What Coq proved, and that its independent checker agrees."""
    _, _, after = printed.partition("Axioms:\n")
    axioms = {line.split(" :")[0].strip() for line in after.splitlines() if line and not line.startswith(" ")}
    print("coqc accepts it; coqchk checks again, more slowly", file=sys.stderr, flush=True)
    again = _run(["coqchk", "-silent", "-norec", "Certificate", "-R", str(copy.parent), "", *LIBRARIES])
    if again.returncode or axioms - AXIOMS:
        print(f"rejected: {path!a}: {_text(again.stderr).strip() or f'an axiom too many: {sorted(axioms - AXIOMS)}'}")
        return 1
    print(f"verified by Coq's kernel, and again by coqchk: {path!a}")
    _say(json.loads(copy.read_bytes()))
    for axiom in sorted(axioms):
        print(f"axiom: {axiom}")
    return 0


def _say(found: dict[str, Json]) -> None:
    """What was accepted, and on whose word: a certificate that is accepted lists all that its author promises."""
    for claim in cast("list[Json]", found["claims"]):
        print(f"claim: {json.dumps(claim)}")
    print(f"1 apart is: {json.dumps(found['neighbours'])}")
    for name in ("assumptions", "attention"):
        for each in cast("list[Json]", found[name]):
            print(f"{name.removesuffix('s')}: {json.dumps(each)}")


def _refused(path: str, file: Path, error: str) -> int:
    """The verdict that stands instead; or that Coq failed."""
    head, _, _ = file.read_bytes().rpartition(b"\nTheorem accepted")
    file.write_bytes(head + b"\nEval vm_compute in verdict_on certificate.\n")
    found = _text(_run(["coqc", "-w", "none", *LIBRARIES, str(file)]).stdout)
    verdict = next((name for name in STATUS if f"= {name}" in found), "")
    if not verdict or verdict == "Accepted":
        print(f"Coq failed: {error.strip()[-300:]}")
        return 3
    rule = found.partition('"')[2].partition('"')[0]
    print(f"not proved: {rule}" if rule else f"rejected: {path!a}")
    return STATUS[verdict]
