"""The parts of a comparison. Each prints what it found, and returns how much is wrong."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Final, final

from proofs.coq.differential import claims, near_misses, verdicts
from proofs.coq.differential.balance import ENOUGH, LEAST, Balance
from proofs.coq.differential.faults import FAULTS
from proofs.coq.differential.json_trees import Json, rules
from proofs.coq.differential.mutations import Mutations
from proofs.coq.differential.near_misses import NearMisses
from proofs.coq.differential.pipelines.every import certificates

SAMPLE: Final = 60
SHORT: Final = 50_000
"""Bytes of a certificate that Coq's machine is given: reading is slow there."""

NOTICED: Final = 3
"""A fault that so many certificates notice needs no more."""

SLOW: Final = Fraction(1, 500)
"""Such a part of all certificates may take dpcheck longer than it is given."""


@final
@dataclass(frozen=True, slots=True)
class Run:
    """Where files are written, the Python checker and its text, the rules that dpcheck follows."""

    folder: Path
    source: str
    python: ModuleType
    known: Sequence[str]

    # ---- certificates --------------------------------------------------------------------------------------------------

    def honest_and_changed(self, many: int, dice: Random) -> tuple[list[Json], list[Json]]:
        """A third whose claims are what was worked out, and the rest with something changed."""
        began = time.perf_counter()
        whole = certificates(dice, many // 3, self.python, set(self.known))
        between = time.perf_counter()
        mutations = Mutations(dice, whole, claims.lenient(self.source))
        changed = [mutations.one() for _ in range(many - len(whole))]
        times = f"{between - began:.1f} s, and {time.perf_counter() - between:.1f} s"
        print(f"{len(whole)} certificates were written and {len(changed)} changed in {times}")
        return whole, changed

    def written(self, some: Sequence[Json], name: str) -> list[Path]:
        files = [self.folder / f"{name}_{i}.json" for i in range(len(some))]
        for file, certificate in zip(files, some, strict=True):
            file.write_text(json.dumps(certificate), encoding="utf-8")
        return files

    # ---- what is compared ----------------------------------------------------------------------------------------------

    def compared(self, some: Sequence[Json], ours: Sequence[str], theirs: Sequence[str], what: str) -> int:
        """How often they differ, of those that are decided."""
        differ = [(x, a, b) for x, a, b in zip(some, ours, theirs, strict=True) if b != verdicts.UNDECIDED and a != b]
        undecided = sum(b == verdicts.UNDECIDED for b in theirs)
        slow = undecided if undecided > len(some) * SLOW else 0
        print(
            f"{what}: {dict(Counter(zip(ours, theirs, strict=True)))}; {len(differ)} differ; {undecided} take too long"
        )
        for certificate, a, b in differ[:5]:
            print(f"  {a} / {b}: {self._reason(certificate)}: {' '.join(sorted(rules(certificate)))}")
            print(f"    {json.dumps(certificate)[:2000]}")
        return len(differ) + slow

    def refused(self, whole: Sequence[Json], ours: Sequence[str]) -> None:
        """What dpcore wrote and the Python checker does not take: too large for it, or a mistake in one of the two."""
        found = [x for x, verdict in zip(whole, ours, strict=False) if verdict != "verified"]
        print(f"of {len(whole)} certificates as they were written python refuses {len(found)}")
        for reason, many in Counter(map(self._reason, found)).most_common():
            print(f"  {many}: {reason}")

    def balanced(self, some: Sequence[Json], ours: Sequence[str]) -> int:
        """Whether both verdicts occur for each rule."""
        balance = Balance.of(some, ours)
        print("for each rule, how many were verified and how many rejected:")
        print("\n".join(f"  {line}" for line in balance.lines(self.known)))
        few = balance.too_few(self.known)
        if few:
            print(f"fewer than {LEAST} of a verdict: {' '.join(few)}")
        return len(few) if len(some) >= ENOUGH else 0

    def missed(self, verified: Sequence[Json]) -> int:
        """For each rule one certificate that all accept, and near misses that all refuse, Python for what was broken."""
        cases = near_misses.chosen(verified, self.known)
        absent = [rule for rule in self.known if rule not in cases]
        print(
            f"near misses: {len(cases)} of {len(self.known)} rules; not among the certificates: {' '.join(absent) or 'none'}"
        )
        named = [pair for rule, each in cases.items() for pair in _named(rule, each).items()]
        some = [certificate for _, certificate in named]
        expected = ["verified" if name.endswith(" accepted") else "rejected" for name, _ in named]
        files = self.written(some, "near_miss")
        said = {
            "python": [verdicts.by_python(self.python, file.read_bytes()) for file in files],
            "dpcheck": verdicts.by_dpcheck(files),
            "Coq": verdicts.by_coq(files, self.folder),
        }
        wrong = len(absent)
        for checker, found in said.items():
            for (name, certificate), a, b in zip(named, found, expected, strict=True):
                if a != b:
                    print(f"  {checker}: {name}: {a}, expected {b}: {json.dumps(certificate)[:2000]}")
                    wrong += 1
        for name, certificate in named:
            if " broken" in name and "worked out" in self._reason(certificate):
                print(f"  {name}: refused for its claim alone")
                wrong += 1
        return wrong

    def _reason(self, certificate: Json) -> str:
        try:
            self.python.verify(json.dumps(certificate).encode())
        except self.python.Rejected as rejected:
            return str(rejected)
        return ""

    def sampled(self, some: Sequence[Json], files: Sequence[Path], theirs: Sequence[str], dice: Random) -> int:
        """Coq's own evaluation of a few."""
        short = [i for i, file in enumerate(files) if file.stat().st_size < SHORT]
        picked = dice.sample(short, min(SAMPLE, len(short)))
        began = time.perf_counter()
        found = verdicts.by_coq([files[i] for i in picked], self.folder)
        print(f"Coq: {len(picked)} certificates in {time.perf_counter() - began:.1f} s")
        return self.compared([some[i] for i in picked], [theirs[i] for i in picked], found, "dpcheck / Coq")

    def faulty(self, data: Sequence[bytes], ours: Sequence[str], theirs: Sequence[str]) -> int:
        """Faults in the Python checker, by whether its verdict on some certificate is no longer that of the proved one."""
        unnoticed = 0
        proved = [(x, b) for x, a, b in zip(data, ours, theirs, strict=True) if a == b]
        for i, fault in enumerate(FAULTS):
            assert self.source.count(fault.text) == 1, f"the checker has changed: {fault.text}"
            if not {*self.known}.issuperset(fault.rules.split()):
                print(f"fault: {fault.what}: not every rule of {fault.rules} is followed yet")
                continue
            checker = verdicts.loaded(self.source.replace(fault.text, fault.instead), f"faulty_{i}")
            differ = (i for i, (x, b) in enumerate(proved, 1) if verdicts.by_python(checker, x) != b)
            seen = list(islice(differ, NOTICED))
            among = f"the first {seen[-1]}" if len(seen) == NOTICED else "all"
            print(f"fault: {fault.what}: noticed by {len(seen)} of {among}")
            unnoticed += not seen
        return unnoticed


def _named(rule: str, each: NearMisses) -> Mapping[str, Json]:
    broken = {f"{rule} broken {i}": certificate for i, certificate in enumerate(each.broken)}
    return {f"{rule} accepted": each.accepted, f"{rule} small": each.small, **broken}
