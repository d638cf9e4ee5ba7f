"""What each checker says of many certificates: "verified", "rejected", "not a certificate", "not decided"."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import cast

COQ = Path(__file__).resolve().parents[1]
CHECKER = COQ.parent / "check_certificate.py"
BATCH = 500
SILENT = "no answer"
SECONDS = 10
"""Of work on one file, after which dpcheck says that it has not decided."""

UNDECIDED = "not decided"
VERDICTS = ("verified", "rejected", "not a certificate", UNDECIDED)
"""A line of dpcheck begins with its verdict, or with a word for what is said beside."""


def loaded(source: str, name: str) -> ModuleType:
    """A Python checker from its text."""
    spec = importlib.util.spec_from_loader(name, loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(source, name, "exec"), module.__dict__)  # the checker's own text, or that with a fault in it
    return module


def by_python(module: ModuleType, data: bytes) -> str:
    verify = cast("Callable[[bytes], object]", module.verify)
    try:
        verify(data)
    except cast("type[Exception]", module.Rejected):
        return "rejected"
    except (ValueError, OSError):
        return "not a certificate"
    return "verified"


def by_dpcheck(files: Sequence[Path], batch: int = BATCH) -> list[str]:
    """So many files at a time, on all processors; one by one where it did not answer for each, to find the one."""
    batches = [files[i : i + batch] for i in range(0, len(files), batch)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [verdict for verdicts in pool.map(_of_a_batch, batches) for verdict in verdicts]


def _of_a_batch(files: Sequence[Path]) -> list[str]:
    command = [str(COQ / "extract" / "dpcheck"), "--seconds", str(SECONDS), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [word for word in (line.partition(":")[0] for line in done.stdout.splitlines()) if word in VERDICTS]
    if len(said) == len(files):
        return said
    return [verdict for file in files for verdict in _of_a_batch([file])] if len(files) > 1 else [SILENT]


def followed() -> list[str]:
    """The rules for which the extracted checker has a theorem."""
    done = subprocess.run([str(COQ / "extract" / "dpcheck"), "--rules"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def by_coq(files: Sequence[Path], folder: Path) -> list[str]:
    """Coq's own evaluation, in one run for all."""
    sys.path.insert(0, str(COQ))
    export = importlib.import_module("export")
    sys.path.pop(0)
    names = {"Accepted": "verified", "Rejected": "rejected"}
    head = cast(str, export.HEAD).encode()
    modules, unreadable = [head], set[int]()
    for i, file in enumerate(files):
        try:
            written = cast(bytes, export.exported(file.read_bytes()))
        except ValueError:
            unreadable.add(i)
            continue
        body = written.partition(head)[2].rpartition(b"\nTheorem accepted")[0]
        modules.append(b"Module M%d.\n%s\nEval vm_compute in verdict_on certificate.\nEnd M%d." % (i, body, i))
    path = folder / "Sample.v"
    path.write_bytes(b"\n".join(modules))
    libraries = ["-Q", str(COQ / "theory"), "DPcore", "-Q", str(COQ / "checker"), "DPchecker"]
    done = subprocess.run(["coqc", "-w", "none", *libraries, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    said = iter(names[line.split()[1]] for line in done.stdout.splitlines() if line.strip().startswith("= "))
    return ["not a certificate" if i in unreadable else next(said) for i in range(len(files))]
