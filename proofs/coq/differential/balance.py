"""How often each rule stands in certificates that are verified, and in such as are rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from proofs.coq.differential.json_trees import Json, rules

LEAST: Final = 20
"""Of each verdict, for each rule, among `ENOUGH` certificates."""

ENOUGH: Final = 10_000


@final
@dataclass(frozen=True, slots=True)
class Balance:
    """Certificates by rule and verdict."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, certificates: Iterable[Json], verdicts: Iterable[str]) -> Balance:
        found = cls()
        for certificate, verdict in zip(certificates, verdicts, strict=True):
            for rule in rules(certificate):
                found.counts.setdefault(rule, Counter())[verdict] += 1
        return found

    def too_few(self, known: Iterable[str]) -> list[str]:
        """The rules of which one verdict is not there often enough."""
        counts = [(rule, self.counts.get(rule, Counter[str]())) for rule in known]
        return [rule for rule, each in counts if min(each["verified"], each["rejected"]) < LEAST]

    def lines(self, known: Sequence[str], across: int = 3) -> Iterable[str]:
        """A table: the rule, how many were verified, how many rejected."""
        width = max(map(len, known), default=0)
        cells = [
            f"{rule:{width}} {each['verified']:5} {each['rejected']:5}"
            for rule in known
            for each in [self.counts.get(rule, Counter[str]())]
        ]
        down = -(-len(cells) // across)
        return ["   ".join(cells[i::down]) for i in range(down)]
