"""What is done to a release afterwards. It costs nothing more.

Affine functions of a released number are written as expressions: `row() / 10`, `2 * row() + 3`, `row().round(5)`.

What such a function does to noise is known: `|f(x + z) - f(x)| = |slope| |z|`, and rounding adds at most half its step. Of a
vector it is a function of each entry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

from dpcore.calculus import Premises, Raw, Reading, Release, Run, rule
from dpcore.errors import InvalidExpression
from dpcore.expressions import Expression
from dpcore.expressions.node import Apply, Literal, Node, Row
from dpcore.functions import UserFunction, known_as
from dpcore.maps import Number
from dpcore.written.shared import Function


def _then(data: object, release: Run, *, function: Callable[[object], object]) -> object:
    released = release(data)
    return function.of_release(released) if isinstance(function, UserFunction) else function(released)


@rule(run=_then, writes=(Function,), release=Release.THEN, premises=Premises.AT_D)
def post_process(d: Number, loss: Reading) -> Raw:
    """A function of the release alone, deterministic or with coins of its own, loses nothing more."""
    return loss(d)


# ---- affine functions --------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class Affine:
    """`f(x) = slope * x + shift`, up to an error of at most `slack` (none, where nothing is rounded)."""

    slope: Fraction
    shift: Fraction = Fraction(0)
    slack: Fraction = Fraction(0)

    def times(self, c: Fraction) -> Affine:
        return Affine(self.slope * c, self.shift * c, self.slack * abs(c))

    def plus(self, other: Affine) -> Affine:
        return Affine(self.slope + other.slope, self.shift + other.shift, self.slack + other.slack)

    @property
    def constant(self) -> Fraction | None:
        """The value, where the argument does not matter."""
        return None if self.slope or self.slack else self.shift


@final
@dataclass(frozen=True, slots=True)
class OfRelease:
    """The expression as a function of what is released: a number, or the entries of a vector."""

    expression: Expression
    affine: Affine

    def __call__(self, released: object) -> object:
        held = released.tolist() if hasattr(released, "tolist") else released
        if isinstance(held, (list, tuple)):
            return [self.expression.on_row(entry) for entry in held]
        return self.expression.on_row(held)


@lru_cache(maxsize=1 << 10)
def function_of_release(expression: Expression) -> UserFunction:
    """The expression as post-processing. Refuses what is no affine function of the released number."""
    found = _read(expression.node)
    if found is None or not found.slope:  # where the noise cancels only the slack is left, and may be reached often
        raise InvalidExpression(
            f"Expected +, - and * with constants, / by one, or round(step), of the released row(), but got {expression!r}",
            produced=expression,
            bridge="a function, .then(lambda x: ...), which has no accuracy",
        )
    written = json.dumps(expression.data(), sort_keys=True).encode()
    return known_as(OfRelease(expression, found), repr(expression), hashlib.sha256(written).hexdigest())


def affine_of(function: object) -> Affine | None:
    """What is known of a function that post-processes: nothing, if it is one of the user's own."""
    inner = function.function if isinstance(function, UserFunction) else None
    return inner.affine if isinstance(inner, OfRelease) else None


def _read(node: Node) -> Affine | None:
    if isinstance(node, Row):
        return Affine(Fraction(1))
    if isinstance(node, Literal):
        number = node.value
        return Affine(Fraction(0), Fraction(number)) if type(number) is int or isinstance(number, Fraction) else None
    if not isinstance(node, Apply):
        return None
    operands = [_read(operand) for operand in node.operands]
    known = [operand for operand in operands if operand is not None]
    return _applied(node.name, known) if len(known) == len(operands) else None


def _applied(name: str, operands: Sequence[Affine]) -> Affine | None:
    first, *others = operands
    last = operands[-1].constant
    if name == "negate":
        return first.times(Fraction(-1))
    if name == "add":
        return first.plus(others[0])
    if name == "subtract":
        return first.plus(others[0].times(Fraction(-1)))
    if name == "multiply" and first.constant is not None:
        return others[0].times(first.constant)
    if last is None or name not in ("multiply", "divide", "round"):
        return None
    if name == "multiply":
        return first.times(last)
    if name == "divide":
        return first.times(1 / last) if last else None
    return Affine(first.slope, first.shift, first.slack + last / 2)
