"""What the Python checker works out of a derivation, as claims: for derivations that dpcore did not write."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from types import ModuleType
from typing import Final, Protocol, TypeAlias, cast

from proofs.coq.differential.json_trees import Json, Node
from proofs.coq.differential.verdicts import loaded

Points: TypeAlias = Callable[[str], Sequence[Fraction]]
"""Where a curve of a measure is looked at."""


class Judged(Protocol):
    """What the checker makes of a derivation."""

    measure: str

    def value(self, d: Fraction, x: Fraction, /) -> tuple[Fraction, ...]: ...


FIGURES: Final = {
    **{"pure": "epsilon", "approx": "epsilon delta", "zcdp": "rho"},
    **{"gaussian": "mu", "total_variation": "delta", "approximate_zcdp": "rho delta"},
}
CURVES: Final = ("renyi", "profile", "tradeoff")
SHORT: Final = 10**20
"""What has a smaller denominator is exact: what the checker encloses has one of 128 bits at least."""

NEXT_TO_NOTHING: Final = Fraction(1, 10**300)
ALL: Final = "format dpcore code neighbours space derivation claims assumptions attention evidence"


def rounded(x: Fraction, *, down: bool) -> Fraction:
    """To 19 digits on the safe side, which leaves room for what another checker works out; what is short stays."""
    if x.denominator < SHORT:
        return x
    if x < NEXT_TO_NOTHING:
        return Fraction(0) if down else NEXT_TO_NOTHING
    digits = 20 - len(str(int(x))) if x >= 1 else 18 + len(str(int(1 / x)))
    unit = Fraction(10) ** -digits
    return (floor(x / unit) if down else ceil(x / unit)) * unit


LIMITS: Final = ("exp of", "more work", "more noise", "more steps", "a number too")
"""What the checker says where it gives up, rather than find something wrong."""


def lenient(source: str) -> ModuleType:
    """A checker without side conditions: of a wrong derivation it says what it would cost if it were right.

    What is claimed so must be refused for the one thing that is wrong.
    """
    checker = loaded(source, "lenient_checker")
    need = checker.need

    def only_limits(condition: object, why: str) -> None:
        if why.startswith(LIMITS):
            need(condition, why)

    vars(checker)["need"] = only_limits
    return checker


def nowhere(measure: str) -> Sequence[Fraction]:
    return ()


def worked_out(
    checker: ModuleType, certificate: Json, distances: Sequence[Fraction] = (), points: Points = nowhere
) -> Json | None:
    """The same derivation with a claim for each distance, and what is to be said beside; None where it is refused.

    Without a distance the claims stay as they are, and only the remarks are made anew.
    """
    found = cast(Node, copy.deepcopy(certificate))
    checker.SPENT[0] = 0
    checker.NOTES.clear()
    try:
        its = checker.record(certificate, ALL)
        way = its.space.metric
        arrow: Judged = checker.judged(its.derivation, checker.Space(its.space.domain, (way,)))
        if arrow.measure not in FIGURES and arrow.measure not in CURVES:
            return None
        if distances:
            found["claims"] = [_claim(checker, arrow, d, points, squared=way == checker.L2) for d in distances]
        lossless = not any(map(_loses, cast("list[Node]", found["claims"])))
    except (checker.Rejected, ArithmeticError, LookupError, TypeError, AttributeError, ValueError):
        return None
    notes = {kind: sorted(x for what, x in checker.NOTES if what == kind) for kind in ("rule", "assumption")}
    attention = [f"{rule}: {checker.ATTENTION[rule]}" for rule in notes["rule"] if rule in checker.ATTENTION]
    if lossless:
        attention.append("the loss is 0: what is released does not depend on what is protected")
    return {**found, "neighbours": checker.words(way), "assumptions": [*notes["assumption"]], "attention": [*attention]}


def _claim(checker: ModuleType, arrow: Judged, d: Fraction, points: Points, *, squared: bool) -> Json:
    measure, far = arrow.measure, d * d if squared else d
    down = measure == "tradeoff"
    if measure in FIGURES:
        values: Sequence[Fraction] = arrow.value(far, Fraction(0))
        values = [checker.root(values[0])] if measure == "gaussian" else values  # mu is carried as its square
        loss: Node = {n: str(rounded(v, down=down)) for n, v in zip(FIGURES[measure].split(), values, strict=True)}
    else:
        loss = {"points": [[str(x), str(rounded(arrow.value(far, x)[0], down=down))] for x in points(measure)]}
    return {"d_in": str(d), "measure": measure, "loss": loss}


def _loses(claim: Node) -> bool:
    """Whether something is lost; two curves say little of that at single points."""
    loss = cast(Node, claim["loss"])
    told = [point[1] for point in cast("list[list[Json]]", loss["points"])] if "points" in loss else loss.values()
    return claim["measure"] in ("profile", "tradeoff") or any(x != "0" for x in told)
