"""The checker: the one file that auditors have. What it says when it is run by itself, and what it would refuse.

What it would refuse is not handed out: it reads each certificate before anybody else does. It shares no code with
dpcore. So a limit stands in one place, in the checker, and whoever certifies hears of it first, in its own words.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from dpcore.errors import NotCertifiable

NAME: Final = "check_certificate.py"

VERDICTS: Final = {0: "verified", 1: "rejected", 2: "not a certificate", 4: "not decided"}
"""By exit status, how what the checker says begins."""


class Said(NamedTuple):
    """What the checker printed, and its exit status."""

    status: int
    lines: list[str]


def checker_file() -> Path:
    """Beside this file in a wheel, in `proofs` of a checkout."""
    here = Path(__file__).with_name(NAME)
    return here if here.is_file() else Path(__file__).parents[2] / "proofs" / NAME


def ask_checker(path: str, folder: str | None = None) -> Said:
    """Run the checker on a file, in a process that cannot import dpcore.

    A status is a verdict only where what was said begins with it: a checker that was stopped, or failed, decided nothing.
    """
    command = [sys.executable, "-I", "-S", str(checker_file().resolve()), path]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    lines = (done.stdout + done.stderr).decode("utf-8", "replace").splitlines()
    verdict = VERDICTS.get(done.returncode)
    if verdict is None or not lines or not lines[0].startswith(verdict):
        return Said(4, [f"not decided: the checker ended with status {done.returncode} and no verdict"])
    return Said(done.returncode, lines)


LIMITS: Final[Mapping[str, str]] = {
    "exp of more than": "more noise, or fewer parts: an epsilon of thousands protects nothing",
    "exp of a number so close to 0": "less noise: a certificate cannot tell so small a loss from none",
    "a delta so close to 0 is not followed": "the curve at smaller epsilons, or the profile itself, not its trade-off curve",
    "a number too large or too small to follow": "parameters of fewer digits, and nearer to 1",
    "a number too small to follow": "a grid, or bounds, of fewer digits",
    "a number of more than": "parameters of fewer digits",
    "more noise than is summed here": "gaussian(sigma), counted in ZCDP, whose loss has a formula",
    "more work than a certificate may ask for": "a certificate for each of the parts; "
    "fewer points of a curve, smaller groups, or a conversion to ApproxDP before",
    "longer than a certificate may be": "a certificate for each of the parts",
    "nested more than": "parts that are not nested so deep",
    "expected at least one, and at most": "fewer points, keys or parts",
    "the Gaussian curve of the witness": "more noise: of so large an epsilon no certificate in GaussianDP can be checked",
    "the values do not lie on the grid of the noise": "for what a checker does not follow, such as when, "
    "select(name=...) first, then linear_queries(field(name))",
    "expected a guess on the grid of each entry": "for what a checker does not follow, such as abs, "
    "select(name=...) first, then linear_queries(field(name))",
    "values outside the domain declared for them": "a domain that is wider, or row_map(function, domain)",
    "other operands than numbers": "row_map(function, domain) for what a checker does not follow",
    "loss:": "parameters nearer to 1, or points at which the loss is neither next to nothing nor next to all",
}
"""How the checker's sentences begin that say where its limits are, each with the way out."""

OTHERWISE: Final = "other parameters; and tell the authors of dpcore, whose derivation and checker should not differ"

DEARER: Final = 100
"""So many units of labour a term of a sum of noise costs, where a certificate is made: the checker that was proved takes
about so much longer for it. Whoever verifies counts the labour of his own checker, so what was made before verifies."""

_reading: Final = Lock()


def figures_of_checker(written: bytes) -> list[list[Fraction]]:
    """Raises `NotCertifiable` with what the checker says; else the figures that it works out for each claim."""
    names = checker()
    refused, verify = names["Rejected"], names["verify"]
    assert isinstance(refused, type)
    assert issubclass(refused, Exception)
    assert callable(verify)
    try:
        with _reading:  # it notes what it relied on in one place
            _, figures = verify(written)
    except refused as rejected:
        why, place = str(rejected), "/".join(getattr(rejected, "place", ()))
    else:
        return [list(map(Fraction, each)) for each in figures]
    bridge = next((way for start, way in LIMITS.items() if why.startswith(start)), OTHERWISE)
    raise NotCertifiable(f"the checker of certificates would say, at /{place}: {why}", bridge=bridge)


@cache
def checker() -> dict[str, object]:
    """The names in the checker's file, which is run once."""
    spec = importlib.util.spec_from_file_location("_dpcore_checker", checker_file())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its types are looked up
    spec.loader.exec_module(module)
    vars(module)["ELSEWHERE"] = DEARER
    return vars(module)
