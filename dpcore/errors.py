"""Every error dpcore raises: what was met, what was expected, the two pieces, and the bridge when one exists.

All of them are `DPError`s and carry `.left`, `.right`, `.produced`, `.expected` and `.bridge` (None where it does not
apply). No message ever contains a value of the data: rows are named by their index and field only.
"""

from __future__ import annotations


class DPError(Exception):
    """The base of all errors of dpcore."""

    def __init__(
        self,
        headline: str,
        *,
        left: object = None,
        right: object = None,
        produced: object = None,
        expected: object = None,
        bridge: str | None = None,
    ) -> None:
        super().__init__(headline)
        self.headline = headline
        self.left, self.right = left, right
        self.produced, self.expected = produced, expected
        self.bridge = bridge

    def add(self, remark: str) -> None:
        """Say something more, that was not known where the error was made."""
        self.headline = f"{self.headline}; {remark}"
        self.args = (self.headline,)

    def __str__(self) -> str:
        lines = [self.headline]
        pieces = (("left", self.left, "produces", self.produced), ("right", self.right, "expects", self.expected))
        for name, piece, verb, what in pieces:
            if piece is not None:
                met = "" if what is None else f"{verb:<9} {what!r}"
                lines.append(f"  {name:<6} {_ending(repr(piece)):<36} {met}".rstrip())
        if self.bridge is not None:
            lines.append(f"  use    {self.bridge}")
        return "\n".join(lines)


class Mismatch(DPError, TypeError):
    """Two pieces do not meet."""


class DomainMismatch(Mismatch):
    """The data that the left piece produces are not all accepted by the right one."""


class MetricMismatch(Mismatch):
    """The left piece measures distances in another way than the right one."""


class MeasureMismatch(Mismatch):
    """Two measurements count their losses in different measures."""


class InvalidParameter(DPError, ValueError):
    """A parameter that no mechanism can be built from."""


class InvalidExpression(InvalidParameter):
    """A row expression that does not fit the rows it is to read."""


class InvalidDistance(InvalidParameter):
    """A `d_in` that the input metric cannot take."""


class InvalidData(DPError, ValueError):
    """Data that are no member of the input domain: nothing was computed from them and nothing was released."""


class UserFunctionFailed(DPError, RuntimeError):
    """A function given by the user raised, or returned a value outside the domain it declared. No release was returned.

    What a function that chooses has been shown before counts as released; the message says so.
    """


class NoConversion(DPError, TypeError):
    """No rule leads from the one measure or metric to the other, for a reason that the message gives."""


class NoFiniteLoss(DPError, ValueError):
    """No finite loss can be promised, so none is stated."""


class Vacuous(DPError, ValueError):
    """A statement that would hold of anything: no two data sets are neighbours at that distance."""


class Undecided(DPError, ArithmeticError):
    """Two numbers were not told apart within the limit of precision; the safe answer is a refusal."""


class FreeSymbols(DPError, ValueError):
    """A symbol stands where a number is needed: bind it first."""


class NoDistribution(DPError, ValueError):
    """The distribution of a release cannot be written out: it is too wide, or a function draws coins of its own."""


class MissingExtra(DPError, ImportError):
    """A package that this part of dpcore needs is not installed. The bridge is the command that installs it."""


class BudgetExceeded(DPError, ValueError):
    """A measurement would cost more than the loss that was fixed beforehand. It was not run."""


class NotCertifiable(DPError, ValueError):
    """The measurement is sound as far as dpcore knows, but no certificate can say so."""


LONGEST = 100
"""How much of one step is printed."""


def _ending(text: str, width: int = 36) -> str:
    """The end of a long pipeline, which is where it fails to chain."""
    steps = text.split(" >> ")
    while len(steps) > 1 and len(" >> ".join(["...", *steps])) > width:
        steps = steps[1:]
    shown = " >> ".join(steps)
    if len(shown) > LONGEST:
        shown = f"{shown[:LONGEST]}...)"
    return shown if shown == text else f"... >> {shown}"
