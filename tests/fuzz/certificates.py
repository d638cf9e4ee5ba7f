"""Coverage-guided fuzzing of the checker: how it reads certificates, its side conditions, and its enclosures.

    make fuzz SECONDS=30
    python -m tests.fuzz.certificates -max_total_time=30        # any option of libFuzzer
    python -m tests.fuzz.certificates build/fuzz/crash-...      # what was found, again

Inputs that reach new branches of `check_certificate.py` are kept and changed further. A change is one of bytes, or one of
those of the comparison (`proofs/coq/differential`), which claims anew what the changed derivation costs: then it is the
figures that two checkers must enclose alike. A fault is an exception other than the checker's own, a certificate on which
dpcheck decides otherwise, and whatever takes too long or too much memory. Without dpcheck (`make proofs`) none is compared.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, cast

from proofs.coq.differential.json_trees import Json, rules
from proofs.coq.differential.mutations import Mutations
from proofs.coq.differential.verdicts import loaded
from tests.certificates.tools import CHECKER, Checker
from tests.fuzz.oracle import DPCHECK, SECONDS, Disagreement, Dpcheck, agree, by_python

CORPUS: Final = Path(__file__).with_name("corpus.jsonl")
"""A certificate on each line: together they have nearly every rule, and each is about as short as its rules allow."""

FOUND: Final = Path("build/fuzz")
BYTES: Final = 20_000
LABOUR: Final = 10**6
"""A second, about; three while it is watched."""

MEBIBYTES: Final = 1024


class TooMuch(AssertionError):
    """A certificate on which the checker works longer than its limit of labour lets it."""


class Atheris(Protocol):
    """The one door to atheris, which has no types."""

    def instrument_imports(self) -> AbstractContextManager[None]: ...
    def Mutate(self, data: bytes, size: int) -> bytes: ...
    def Setup(
        self, options: list[str], one: Callable[[bytes], None], *, custom_mutator: Callable[[bytes, int, int], bytes]
    ) -> None: ...
    def Fuzz(self) -> None: ...


def seeds() -> list[bytes]:
    """The kept corpus."""
    return CORPUS.read_bytes().splitlines()


def bookkeeper() -> ModuleType:
    """The checker that says what a changed derivation costs; not the one that is watched. It ends, as that one does."""
    checker = loaded(CHECKER.read_text(encoding="utf-8"), "bookkeeper")
    vars(checker)["LABOUR"] = LABOUR
    return checker


def _read(data: bytes) -> tuple[Json, list[str]]:
    """The certificate and its rules; none of what is no certificate."""
    try:
        found = cast(Json, json.loads(data))
        return found, sorted(rules(found))
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None, []


def mutator(mutate: Callable[[bytes, int], bytes]) -> Callable[[bytes, int, int], bytes]:
    """Changes of bytes by `mutate`, and of certificates as the comparison changes them."""
    whole: list[Json] = [json.loads(each) for each in seeds()]
    mutations = Mutations(random.Random(0), whole, bookkeeper())

    def changed(data: bytes, size: int, seed: int) -> bytes:
        mutations.dice.seed(seed)
        if mutations.dice.random() < 0.2:
            return mutate(data, size)
        found, named = _read(data)
        known = [rule for rule in named if rule in mutations.by_rule]
        certificate = mutations.changed(found, mutations.dice.choice(known)) if known else mutations.one()
        return json.dumps(certificate).encode()[:size]

    return changed


def main(options: Sequence[str]) -> None:
    """Without end, where no option says otherwise."""
    atheris = cast(Atheris, import_module("atheris"))
    sys.path.insert(0, str(CHECKER.parent))
    sys.modules.pop("check_certificate", None)  # another copy of it, which is watched
    with atheris.instrument_imports():
        checker = cast(Checker, import_module("check_certificate"))
    checker.LABOUR = LABOUR
    with tempfile.TemporaryDirectory() as folder:
        dpcheck = Dpcheck(Path(folder)) if os.access(DPCHECK, os.X_OK) else None
        if dpcheck is None:
            print("dpcheck is not built (make proofs): only faults and limits are looked for, and nothing is compared")

        def mutate(data: bytes, size: int) -> bytes:
            return atheris.Mutate(data, size)  # another function once `Fuzz` runs

        def one(data: bytes) -> None:
            began = time.process_time()  # of this process alone: a busy machine decides nothing
            ours = by_python(checker, data)
            if time.process_time() - began > SECONDS:
                raise TooMuch(f"more than {SECONDS} seconds")
            theirs = dpcheck.status(data) if dpcheck else ours
            if not agree(ours, theirs):
                raise Disagreement(f"check_certificate.py says {ours}, dpcheck {theirs}")

        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for i, seed in enumerate(seeds()):
            (corpus / str(i)).write_bytes(seed)
        FOUND.mkdir(parents=True, exist_ok=True)
        limits = [
            f"-timeout={3 * SECONDS}",
            f"-rss_limit_mb={MEBIBYTES}",
            f"-max_len={BYTES}",
            f"-artifact_prefix={FOUND}/",
        ]
        again = [option for option in options if not option.startswith("-")]
        places = [] if again else [str(corpus)]
        atheris.Setup([sys.argv[0], *limits, *options, *places], one, custom_mutator=mutator(mutate))
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
