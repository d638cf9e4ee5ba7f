"""What attacks on an arrow have shown, as lines of a certificate. Evidence, never proof: the checker only repeats it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dpcore.assurance import Exhaustion, Falsification
from dpcore.errors import InvalidParameter, NotCertifiable, is_a

Evidence: TypeAlias = Falsification | Exhaustion


def lines(evidence: Sequence[Evidence], arrow: object) -> tuple[str, ...]:
    """One line for each result, about the arrow that is certified or a part of it. What speaks against it is refused."""
    if not is_a(evidence, Sequence):
        raise InvalidParameter(f"Expected a list of results for evidence but got a {type(evidence).__name__}")
    printed = repr(arrow) if evidence else ""  # of a long pipeline that takes a while
    return tuple(sorted({_line(found, printed) for found in evidence}))


def _line(found: Evidence, arrow: str) -> str:
    if not is_a(found, Falsification) and not is_a(found, Exhaustion):
        raise InvalidParameter(
            f"Expected what falsify(...) or exhaust(...) returned as evidence but got a {type(found).__name__}"
        )
    if found.arrow not in arrow:
        raise InvalidParameter("the evidence is about another arrow", produced=found.arrow, expected=arrow)
    if isinstance(found, Falsification):
        if found.found:
            raise NotCertifiable("the evidence is against the claim", produced=found.findings[0])
        looked_at = f"nothing found in {found.tried} pairs of data sets, seed {found.seed}"
        not_looked_at = f"; not looked at: {found.not_looked_at}" if found.not_looked_at else ""
        return f"falsify: {looked_at}{not_looked_at}: {found.arrow}"
    if not found.sound:
        raise NotCertifiable("the evidence is against the claim", produced=found.verdict)
    rows = "" if found.rows is None else f" of at most {found.rows} rows"
    return f"exhaust: {found.verdict}, {found.members} data sets{rows}: {found.arrow}"
