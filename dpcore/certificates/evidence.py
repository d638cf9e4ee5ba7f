"""What attacks on an arrow have shown, as lines of a certificate. Evidence, never proof: the checker only repeats it.

Called by `certify`. What an attack has shown says its own line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from dpcore.errors import InvalidParameter, is_a


@runtime_checkable
class Evidence(Protocol):
    """What `falsify(...)` and `exhaust(...)` return."""

    @property
    def arrow(self) -> str: ...
    def evidence(self) -> str: ...


def lines(evidence: Sequence[Evidence], arrow: object) -> tuple[str, ...]:
    """One line for each result, about the arrow that is certified or a part of it. What speaks against it is refused."""
    if not is_a(evidence, Sequence):
        raise InvalidParameter(f"Expected a list of results for evidence but got a {type(evidence).__name__}")
    printed = repr(arrow) if evidence else ""  # of a long pipeline that takes a while
    return tuple(sorted({_line(result, printed) for result in evidence}))


def _line(result: object, arrow: str) -> str:
    if not isinstance(result, Evidence):
        raise InvalidParameter(
            f"Expected what falsify(...) or exhaust(...) returned as evidence but got a {type(result).__name__}"
        )
    if result.arrow not in arrow:
        raise InvalidParameter("the evidence is about another arrow", produced=result.arrow, expected=arrow)
    return result.evidence()
