"""How an expression is printed: Python that rebuilds it, with the fewest parentheses that do.

Each operation owns one printer, a function from its printed operands to its own print. A constant has two prints: as an
expression, `literal(5)`, and plain, `5`, for the places where Python hands a plain constant on to us.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

# Python's own precedences: comparisons bind more weakly than `|`.
COMPARISON: Final = 1
EITHER: Final = 2
XOR: Final = 3
BOTH: Final = 4
SUM: Final = 5
PRODUCT: Final = 6
UNARY: Final = 7
ATOM: Final = 8


@final
@dataclass(frozen=True, slots=True)
class Printed:
    """A text, how strongly its outermost operator binds, and for a constant the plain text of it."""

    text: str
    strength: int = ATOM
    plain: str | None = None
    is_number: bool = False
    is_null: bool = False

    def within(self, strength: int) -> str:
        return self.text if self.strength >= strength else f"({self.text})"

    def argument(self, *, null: bool = False) -> str:
        """As an argument that is lifted. A plain None is lifted by `then` and `otherwise` only."""
        return self.text if self.plain is None or (self.is_null and not null) else self.plain


Printer: TypeAlias = Callable[[Sequence[Printed]], Printed]


def arithmetic(symbol: str, strength: int) -> Printer:
    """`x + 1`, and `1 + x` by the reflected operator: one side at least must be an expression."""

    def printer(operands: Sequence[Printed]) -> Printed:
        left, right = operands
        first = (
            left.plain if left.is_number and left.plain is not None and right.plain is None else left.within(strength)
        )
        second = right.within(strength + 1) if right.plain is None else right.argument()
        return Printed(f"{first} {symbol} {second}", strength)

    return printer


def comparison(symbol: str) -> Printer:
    """`x < 1`. Python would turn `1 < x` into `x > 1`, so a constant on the left is printed as an expression."""

    def printer(operands: Sequence[Printed]) -> Printed:
        left, right = operands
        second = right.within(COMPARISON + 1) if right.plain is None else right.argument()
        return Printed(f"{left.within(COMPARISON + 1)} {symbol} {second}", COMPARISON)

    return printer


def logic(symbol: str, strength: int) -> Printer:
    """`x & y`, where no plain truth value is taken on either side."""

    def printer(operands: Sequence[Printed]) -> Printed:
        left, right = operands
        return Printed(f"{left.within(strength)} {symbol} {right.within(strength + 1)}", strength)

    return printer


def prefix(symbol: str) -> Printer:
    """`-x`."""

    def printer(operands: Sequence[Printed]) -> Printed:
        return Printed(f"{symbol}{operands[0].within(UNARY)}", UNARY)

    return printer


def method(name: str) -> Printer:
    """`x.isin(1)`."""

    def printer(operands: Sequence[Printed]) -> Printed:
        arguments = ", ".join(operand.argument() for operand in operands[1:])
        return Printed(f"{operands[0].within(ATOM)}.{name}({arguments})")

    return printer


def item(operands: Sequence[Printed]) -> Printed:
    """`x[0]`."""
    vector, place = operands
    return Printed(f"{vector.within(ATOM)}[{place.argument()}]")


def listing(operands: Sequence[Printed]) -> Printed:
    """`[x, 1]`, as `select` takes it."""
    return Printed(f"[{', '.join(operand.argument() for operand in operands)}]")


def function(name: str) -> Printer:
    """`minimum(x, 1)`, where every argument is lifted."""

    def printer(operands: Sequence[Printed]) -> Printed:
        return Printed(f"{name}({', '.join(operand.argument() for operand in operands)})")

    return printer


def builtin(name: str) -> Printer:
    """`abs(x)`, where Python would compute with a plain constant by itself."""

    def printer(operands: Sequence[Printed]) -> Printed:
        return Printed(f"{name}({', '.join(operand.text for operand in operands)})")

    return printer


def choice(operands: Sequence[Printed]) -> Printed:
    """`when(c).then(a).otherwise(b)`."""
    condition, then, otherwise = operands
    return Printed(
        f"when({condition.text}).then({then.argument(null=True)}).otherwise({otherwise.argument(null=True)})"
    )
