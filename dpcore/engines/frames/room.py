"""How much of rows that are elsewhere is held together, where they are to be had apart."""

from __future__ import annotations

from typing import Final

MOST_OCTETS: Final = 1 << 28


def shares_for(octets: int) -> int:
    """In how many shares rows come that take so many octets."""
    return 1 + max(octets - 1, 0) // MOST_OCTETS
