"""Balls: how many bits they are computed with, and how a bound becomes one.

A ball contains the true value whatever the precision, which decides only how wide it is. The precision of flint is one
number for the whole process; should another thread change it in mid-computation, a ball may come out wider, not wrong.
"""

from __future__ import annotations

from flint import arb


def working_precision(prec: int, largest: int) -> int:
    """Bits for exp(-x) to have prec good ones where floor(x) <= largest: those in front of the point come on top."""
    if prec < 2:
        raise ValueError(f"Expected a precision of at least 2 bits but got prec={prec}")
    return prec + 32 + largest.bit_length()


def from_zero_to(bound: arb) -> arb:
    """A ball that contains [0, bound]."""
    return arb(0).union(bound)
