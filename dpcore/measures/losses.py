"""Losses: what a release costs, as exact numbers or rigorous enclosures.

`float(loss)` rounds up, `loss <= budget` is decided exactly or refused, `loss + loss` is sequential composition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, final, overload

from dpcore.calculus import Curve
from dpcore.errors import Closed, InvalidParameter, MeasureMismatch, NoConversion, Undecided, is_a, printed
from dpcore.maps import ONE, ZERO, Numeric, argument, exact, integer, is_formula, known, numeral, show, sqrt
from dpcore.maps.bounds import Bound
from dpcore.maps.search import least_epsilon
from dpcore.measures.orders import AtOrders, Orders, expect_orders

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from dpcore.measures.measure import ZCDP, ApproxDP, ApproxZCDP, GaussianDP, PureDP, RenyiDP, TotalVariation
    from dpcore.pictures.curves import Axes
    from dpcore.pictures.svg import Picture


def _probability(delta: Bound) -> Bound:
    """The same as a probability: an enclosure that reaches beyond 1 ends there, and one that is a point is that number."""
    low, high = delta.lower, delta.upper
    if high > 1:
        return Bound(ONE, above=low < 1)
    return Bound(ZERO) if high == low == 0 and delta.printable is None else delta


class Loss(Closed, ABC):
    """A privacy loss in one of the measures."""

    __slots__ = ()

    word: ClassVar[str]
    """The constructor that makes such a loss; of a curve, what is asked of it."""

    measure: ClassVar[str]
    """The measure it is counted in."""

    __match_args__: ClassVar[tuple[str, ...]]
    """Its fields: each class is a dataclass."""

    @abstractmethod
    def __init__(self, *parts: Bound) -> None: ...

    @property
    def parts(self) -> tuple[Bound, ...]:
        """Its numbers, in the form in which they add up."""
        return tuple(getattr(self, name) for name in self.__match_args__)

    @property
    def has_figures(self) -> bool:
        """Whether it is made of numbers, as a budget is."""
        return True

    def at_orders(self, orders: Sequence[Numeric]) -> Self:
        """The same by its figures: of a Renyi curve those at these orders; of what is made of numbers, itself."""
        return self

    def _made_of(self, parts: Sequence[Bound]) -> Self:
        """Such a loss of other numbers, in the form in which they add up."""
        return type(self)(*parts)

    def __add__(self, other: Self) -> Self:
        """The loss of releasing both."""
        if not self._comparable(other):
            return NotImplemented
        return self._made_of([a + b for a, b in zip(self.parts, other.parts, strict=True)])

    def __le__(self, other: Self) -> bool:
        """Whether no part of this loss exceeds the other's."""
        if not self._comparable(other):
            return NotImplemented
        undecided: Undecided | None = None
        for mine, theirs in zip(self.parts, other.parts, strict=True):
            try:
                if not mine <= theirs:
                    return False  # one part that exceeds decides it, whatever is not known of the others
            except Undecided as why:
                undecided = why
        if undecided is not None:
            raise undecided
        return True

    def __ge__(self, other: Self) -> bool:
        return other <= self if self._comparable(other) else NotImplemented

    def __lt__(self, other: Self) -> bool:
        return self <= other and not other <= self if self._comparable(other) else NotImplemented

    def __gt__(self, other: Self) -> bool:
        return other < self if self._comparable(other) else NotImplemented

    def _comparable(self, other: object) -> bool:
        """Whether the other is a loss of the same measure; what is no loss at all may know better than this one."""
        if isinstance(other, Loss) and type(other) is not type(self):
            raise MeasureMismatch(
                "the losses are counted in different measures",
                left=self,
                right=other,
                bridge="measurement.to(...) before .loss(...), so that both are counted in one measure",
            )
        return isinstance(other, Loss)

    def __float__(self) -> float:
        """The loss as one number, rounded up, where it is one number."""
        if len(self.parts) != 1:
            raise TypeError(f"{self} is not one number: take float() of its parts")
        return float(self.figures()[0][1])

    def __repr__(self) -> str:
        known = [figure.printable for _, figure in self.figures()]
        if any(k is None for k in known):
            return f"<{self}>"
        return f"{self.word}({', '.join(argument(k) for k in known)})"

    def __str__(self) -> str:
        figures = self.figures()
        text = ", ".join(f"{name} {'=' if b.printable is not None else '<='} {b}{_about(b)}" for name, b in figures)
        return f"{self.measure}: {text}{', exactly' if all(b.printable is not None for _, b in figures) else ''}"

    def tradeoff(self) -> TradeoffLoss:
        """The same as a curve: the least false-negative rate of any test, for each false-positive rate."""
        from dpcore.conversions.power import tradeoff_of  # what any loss can be asked

        return tradeoff_of(self)

    def tpr(self, fpr: Numeric | Bound) -> Bound:
        """The largest true-positive rate of any test with at most this false-positive rate."""
        beta = self.tradeoff().beta(fpr)
        return Bound.of(lambda: ONE - beta.at(), beta.above)

    def advantage(self) -> Bound:
        """The most by which the true-positive rate of any test exceeds its false-positive rate."""
        from dpcore.conversions.power import advantage_of

        return advantage_of(self)

    def plot(self, path: str | Path | None = None, *, axes: Axes | None = None) -> Picture:
        """The curve as a picture; `dpcore.plot` draws several in one."""
        from dpcore.pictures.curves import plot

        return plot(self, path, axes=axes)

    def scaled(self, share: Fraction) -> Self:
        """A share of this loss, in the form in which losses add up."""
        return self._made_of([part * share for part in self.parts])

    def figures(self) -> tuple[tuple[str, Bound], ...]:
        """What a reader is shown."""
        return tuple(zip(self.__match_args__, self.parts, strict=True))


def _about(figure: Bound) -> str:
    """A long fraction, as a decimal besides."""
    known = figure.printable
    return (
        f" (about {float(figure):.4g})"
        if known is not None and known.numerator > 1 and known.denominator > 10**4
        else ""
    )


@final
@dataclass(frozen=True, slots=True, repr=False)
class PureLoss(Loss):
    """No event is `exp(epsilon)` times likelier from one data set than from its neighbour."""

    word = "pure"
    measure = "PureDP"

    epsilon: Bound

    @property
    def counted(self) -> PureDP:
        from dpcore.measures.measure import PureDP

        return PureDP()


class PairLoss(Loss):
    """A loss of two figures, of which the second is a probability."""

    __slots__ = ()

    delta: Bound

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", _probability(self.delta))

    def __repr__(self) -> str:
        """As it is typed; as it is made, where nobody would type such a delta."""
        typed, (first, delta) = Loss.__repr__(self), self.parts
        whole = not typed.startswith("<") and _is_large(first.upper, delta.upper)
        return f"{type(self).__name__}({first!r}, {delta!r})" if whole else typed


@final
@dataclass(frozen=True, slots=True, repr=False)
class ApproxLoss(PairLoss):
    """`P(E) <= exp(epsilon) * Q(E) + delta` for every event E."""

    word = "approx"
    measure = "ApproxDP"

    epsilon: Bound
    delta: Bound

    @property
    def counted(self) -> ApproxDP:
        from dpcore.measures.measure import ApproxDP

        return ApproxDP()


@final
@dataclass(frozen=True, slots=True, repr=False)
class ZCDPLoss(Loss):
    """The Renyi divergence of every order alpha > 1 is at most `rho * alpha`."""

    word = "zcdp"
    measure = "ZCDP"

    rho: Bound

    @property
    def counted(self) -> ZCDP:
        from dpcore.measures.measure import ZCDP

        return ZCDP()


@final
@dataclass(frozen=True, slots=True, repr=False)
class ApproxZCDPLoss(PairLoss):
    """All but delta of the one is below a measure whose Renyi divergence of order alpha is at most `rho * alpha`."""

    word = "zcdp"
    measure = "ApproxZCDP"

    rho: Bound
    delta: Bound

    @property
    def counted(self) -> ApproxZCDP:
        from dpcore.measures.measure import ApproxZCDP

        return ApproxZCDP()


@final
@dataclass(frozen=True, slots=True, repr=False)
class GaussianLoss(Loss):
    """No easier to tell apart than N(0, 1) from N(mu, 1). Kept as `mu^2`, which adds up."""

    word = "gaussian_dp"
    measure = "GaussianDP"

    mu_squared: Bound

    @property
    def mu(self) -> Bound:
        return Bound.of(lambda: sqrt(self.mu_squared.at()), self.mu_squared.above)

    def figures(self) -> tuple[tuple[str, Bound], ...]:
        return (("mu", self.mu),)

    @property
    def counted(self) -> GaussianDP:
        from dpcore.measures.measure import GaussianDP

        return GaussianDP()


@final
@dataclass(frozen=True, slots=True, repr=False)
class TotalVariationLoss(Loss):
    """`P(E) <= Q(E) + delta` for every event E. It says nothing of events rarer than delta."""

    word = "total_variation"
    measure = "TotalVariation"

    delta: Bound

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", _probability(self.delta))

    @property
    def counted(self) -> TotalVariation:
        from dpcore.measures.measure import TotalVariation

        return TotalVariation()


ME_co = TypeVar("ME_co", covariant=True)


class InMeasure(Protocol[ME_co]):
    """A loss made of numbers, by the measure that it is counted in. For type checkers."""

    @property
    def counted(self) -> ME_co: ...


class CurveLoss(Loss):
    """A loss that is a function. It is compared at points that the reader names, not as a whole."""

    __slots__ = ()

    @property
    def has_figures(self) -> bool:
        return False

    @property
    def parts(self) -> tuple[Bound, ...]:
        raise NoConversion(f"a {type(self).__name__} is a curve: ask for its value at a point", produced=self)

    def figures(self) -> tuple[tuple[str, Bound], ...]:
        return ()

    def __repr__(self) -> str:
        return f"<{self.measure}: {self.word}>"

    __str__ = __repr__


def _point(curve: Curve, at: object, name: str, low: int, high: int | None, *, open_low: bool, up: bool) -> Bound:
    x = _rational(at, name, up=up)
    if x < low or (open_low and x == low) or (high is not None and x > high):
        below = f"{low} {'<' if open_low else '<='} {name}"
        raise InvalidParameter(
            f"Expected {below}{'' if high is None else f' <= {high}'} but got {name}={show(x)}", produced=x
        )
    return Bound.of(lambda: curve(numeral(x)))


def _rational(x: object, name: str, *, up: bool) -> int | Fraction:
    """The number as it is typed; of one that dpcore gave, its upper end or its lower one, whichever is the safe side."""
    if isinstance(x, Bound):
        return x.upper if up else x.lower
    return known(exact(x, name), name)


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class RenyiLoss(CurveLoss):
    """The Renyi divergence of order alpha, for every alpha > 1; or, as a budget is, at some orders."""

    word = "epsilon(alpha)"
    measure = "RenyiDP"

    curve: Curve
    orders: Orders = ()
    """Those at which it has figures, which add up and are compared. At another it is at most what it is at the next one."""

    @property
    def has_figures(self) -> bool:
        return bool(self.orders)

    @property
    def parts(self) -> tuple[Bound, ...]:
        if not self.orders:
            raise NoConversion(
                "a RenyiLoss is a curve: ask for its value at an order", produced=self, bridge=".at_orders([2, 4, 8])"
            )
        return tuple([self.epsilon(order) for order in self.orders])

    def figures(self) -> tuple[tuple[str, Bound], ...]:
        return tuple([(f"epsilon({show(order)})", self.epsilon(order)) for order in self.orders])

    def at_orders(self, orders: Sequence[Numeric]) -> RenyiLoss:
        """The same by its figures at these orders, each rounded up: as a budget, or to be added up and compared."""
        kept = expect_orders(orders)
        return RenyiLoss(AtOrders(kept, tuple([numeral(self.epsilon(order).upper) for order in kept])), kept)

    def _made_of(self, parts: Sequence[Bound]) -> RenyiLoss:
        return RenyiLoss(AtOrders(self.orders, tuple([numeral(part.upper) for part in parts])), self.orders)

    def _comparable(self, other: object) -> bool:
        if isinstance(other, RenyiLoss) and self.orders != other.orders:
            raise InvalidParameter(
                "the losses are known at other orders", left=self, right=other, bridge=".at_orders([2, 4, 8]) of both"
            )
        return CurveLoss._comparable(self, other)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RenyiLoss) or not self.orders or self.orders != other.orders:
            return self is other
        return self.parts == other.parts

    def __hash__(self) -> int:
        return hash((self.orders, self.parts)) if self.orders else object.__hash__(self)

    def __repr__(self) -> str:
        if not self.orders:
            return CurveLoss.__repr__(self)
        said = [
            f"{argument(order)}: {argument(part.upper)}" for order, part in zip(self.orders, self.parts, strict=True)
        ]
        return f"renyi({{{', '.join(said)}}})"

    def __str__(self) -> str:
        return Loss.__str__(self) if self.orders else CurveLoss.__repr__(self)

    @property
    def counted(self) -> RenyiDP:
        from dpcore.measures.measure import RenyiDP

        return RenyiDP()

    def epsilon(self, alpha: Numeric | Bound) -> Bound:
        # Divergences grow with their order.
        return _point(self.curve, alpha, "alpha", 1, None, open_low=True, up=True)


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ProfileLoss(CurveLoss):
    """The least delta for every epsilon >= 0 that holds together with it."""

    word = "delta(epsilon)"
    measure = "Profile"

    curve: Curve

    def delta(self, epsilon: Numeric | Bound) -> Bound:
        # Profiles fall as epsilon grows.
        return _probability(_point(self.curve, epsilon, "epsilon", 0, None, open_low=False, up=False))

    def epsilon(self, delta: Numeric | Bound) -> Bound:
        """The least epsilon found for which `delta(epsilon)` is at most this delta, checked: never below the truth."""
        limit = _rational(delta, "delta", up=False)
        if not 0 < limit < 1:
            raise InvalidParameter(f"Expected 0 < delta < 1 but got delta={limit}", produced=limit)
        found = least_epsilon(self.curve, numeral(limit))
        return Bound(numeral(found), above=found > 0)  # nothing is below 0, so a 0 that was found is exact


@final
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TradeoffLoss(CurveLoss):
    """The least false-negative rate of any test that has the false-positive rate alpha."""

    word = "beta(alpha)"
    measure = "Tradeoff"

    curve: Curve

    def beta(self, alpha: Numeric | Bound) -> Bound:
        """The least false-negative rate at this false-positive rate. Promised is `.lower`; as a float, `.downward`."""
        # It falls as alpha grows, and a lower one promises less.
        return _point(self.curve, alpha, "alpha", 0, 1, open_low=False, up=True)


# ---- losses as they are typed ------------------------------------------------------------------------------------
# Of a figure that another loss has, such as `loss.epsilon`, the upper end is taken: it bounds that loss too.


def _level(x: Numeric | Bound, name: str, most: int | None = None) -> Bound:
    value = _rational(x, name, up=True)
    if isinstance(x, Bound) and most is not None and x.lower <= most:
        value = min(value, most)  # a probability whose enclosure reaches beyond 1
    if value < 0 or (most is not None and value > most):
        limits = f"{name} of at least 0" if most is None else f"0 <= {name} <= {most}"
        raise InvalidParameter(f"Expected {limits} but got {name}={value}", produced=value)
    return Bound(numeral(value), above=isinstance(x, Bound) and x.printable is None)


def pure(epsilon: Numeric | Bound) -> PureLoss:
    """A loss of epsilon, with no delta."""
    return PureLoss(_level(epsilon, "epsilon"))


def approx(epsilon: Numeric | Bound, delta: Numeric | Bound) -> ApproxLoss:
    """A loss of (epsilon, delta). A delta near 1 is refused: it promises almost nothing, and mostly stands for epsilon."""
    made = ApproxLoss(_level(epsilon, "epsilon"), _level(delta, "delta", 1))
    if not isinstance(delta, Bound):  # what dpcore worked out may be as large as it is
        _refuse_a_large_delta(made)
    return made


NEAR_ONE = Fraction(9, 10)
"""From here on a delta that is typed promises almost nothing: nine times in ten everything may be told."""

SWAPPED = Fraction(1, 1000), Fraction(1, 10)
"""A first figure above 0 and up to this, with a delta from the second on: surely each stands for the other."""


def _is_swapped(epsilon: Fraction, delta: Fraction) -> bool:
    return 0 < epsilon <= SWAPPED[0] and delta >= SWAPPED[1]


def _is_large(epsilon: Fraction, delta: Fraction) -> bool:
    return delta >= NEAR_ONE or _is_swapped(epsilon, delta)


def _refuse_a_large_delta(made: PairLoss) -> None:
    (name, _), _ = made.figures()
    first, delta = (part.upper for part in made.parts)
    swapped = _is_swapped(first, delta)
    if _is_large(first, delta):
        said = f"{name}={show(first)} and delta={show(delta)}" if swapped else f"delta={show(delta)}"
        raise InvalidParameter(
            f"Expected a small probability for delta, after {name}, but got {said}, which promises almost nothing",
            produced=delta,
            bridge=(
                f"{made.word}({argument(delta)}, {argument(first)}): {name} comes first"
                if swapped
                else f"{made.word}({name}, delta) with a small delta, such as '1e-6'"
            ),
        )


@overload
def zcdp(rho: Numeric | Bound) -> ZCDPLoss: ...
@overload
def zcdp(rho: Numeric | Bound, delta: Numeric | Bound) -> ApproxZCDPLoss: ...
def zcdp(rho: Numeric | Bound, delta: Numeric | Bound | None = None) -> ZCDPLoss | ApproxZCDPLoss:
    """A loss of rho in zero-concentrated differential privacy; with a delta, of (rho, delta) in its approximate form."""
    if delta is None:
        return ZCDPLoss(_level(rho, "rho"))
    made = ApproxZCDPLoss(_level(rho, "rho"), _level(delta, "delta", 1))
    if not isinstance(delta, Bound):
        _refuse_a_large_delta(made)
    return made


def gaussian_dp(mu: Numeric | Bound) -> GaussianLoss:
    """A loss of mu in Gaussian differential privacy."""
    value = _level(mu, "mu")
    return GaussianLoss(value * value)


def renyi(points: Mapping[Numeric, Numeric | Bound]) -> RenyiLoss:
    """A loss in Renyi differential privacy at some orders, `renyi({2: "1/10", 8: "1/2"})`: as a budget, for one.

    Divergences grow with their order, so where less is said of a higher order, that is known of the lower one too:
    `renyi({2: 3, 4: 1})` is `renyi({2: 1, 4: 1})`, and prints so.
    """
    if not isinstance(points, Mapping):
        raise InvalidParameter(
            f"Expected a loss for each order but got a {type(points).__name__}", bridge='renyi({2: "1/10", 8: "1/2"})'
        )
    kept = expect_orders([*points])
    losses = {exact(order, "order"): _level(epsilon, "epsilon").upper for order, epsilon in points.items()}
    return RenyiLoss(AtOrders(kept, tuple([numeral(losses[order]) for order in kept])), kept)


def total_variation(delta: Numeric | Bound) -> TotalVariationLoss:
    """A total variation distance of delta."""
    return TotalVariationLoss(_level(delta, "delta", 1))


L = TypeVar("L", bound=Loss)

MANY = 1_000_000
"""A list of more shares than this is a mistake, and would take the memory before anybody sees it."""


def budget(loss: L, shares: int | Sequence[Numeric]) -> list[L]:
    """Equal shares, `budget(pure(1), 3)`, or weighted ones, `budget(pure(1), [1, 1, 2])`. They sum to the loss exactly."""
    if not is_a(loss, Loss) or not loss.has_figures:
        raise InvalidParameter(
            f"Expected a loss made of numbers but got a {type(loss).__name__}",
            produced=loss,
            bridge=".at_orders([2, 4, 8]) of it"
            if isinstance(loss, RenyiLoss)
            else "budget(pure(1), 3), or zcdp(rho) in its place",
        )
    weights = _weights(shares)
    return [loss.scaled(weight / sum(weights)) for weight in weights]


def _weights(shares: int | Sequence[Numeric]) -> list[Fraction]:
    if isinstance(shares, Sequence) and not isinstance(shares, (str, bytes)):
        weights = [Fraction(known(exact(w, "weight"), "weight")) for w in shares]
        if not weights or any(w <= 0 for w in weights):
            raise InvalidParameter("Expected positive weights, at least one", produced=shares)
        return weights
    count = integer(shares, "shares")
    if is_formula(count) or not 1 <= count <= MANY:
        raise InvalidParameter(f"Expected 1 to {MANY} shares but got shares={printed(shares)}", produced=shares)
    return [Fraction(1)] * count
