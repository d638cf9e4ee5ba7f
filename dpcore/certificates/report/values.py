"""Values of the derivation, as they stand in a line of the tree: exact where that is short, else rounded up."""

from __future__ import annotations

from dpcore.bounds import Bound
from dpcore.certificates.report.figures import above
from dpcore.certificates.report.markup import Markup, join
from dpcore.derivation import Raw
from dpcore.maps import is_number

SHORT = 12


def value(x: Raw | None) -> Markup:
    """`1/2`, or `at most 1.19208`."""
    if x is None:
        return join("not known here")
    if isinstance(x, tuple):
        return join("(", value(x[0]), ", ", value(x[1]), ")")
    if not is_number(x):
        return join("a curve")
    bound = Bound(x)
    if bound.exact is not None and bound.printable is not None and len(str(bound.printable)) <= SHORT:
        return join(str(bound.printable))
    figure = above(bound.upper)
    return figure.html if bound.exact is not None and figure.exact else join("\N{LESS-THAN OR EQUAL TO} ", figure.html)
