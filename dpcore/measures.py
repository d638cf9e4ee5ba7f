"""Measures: in what a loss is counted, how losses add up, and what a group of k costs.

    PureDP          eps                        TotalVariation  delta
    ApproxDP        (eps, delta)               Profile         delta(eps)
    ZCDP            rho                        Tradeoff        beta(alpha)
    RenyiDP         eps(alpha)
    GaussianDP      mu, carried as mu^2

Every definition here works on numbers of any kind, so it is also the formula.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, Protocol, TypeVar, cast, final

from dpcore.derivation import Curve, Raw, curve_in, number_in, pair_in
from dpcore.errors import Given, NoConversion, NoFiniteLoss
from dpcore.losses import (
    ApproxLoss,
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    RenyiLoss,
    TotalVariationLoss,
    TradeoffLoss,
    ZCDPLoss,
)
from dpcore.maps import (
    ONE,
    Number,
    exp,
    expm1,
    few,
    is_finite,
    is_symbolic,
    is_zero,
    largest_pair,
    maximum,
    minimum,
    sqrt,
    total,
)
from dpcore.maps.bounds import Bound

L = TypeVar("L", bound=Loss)
C = TypeVar("C", RenyiLoss, ProfileLoss, TradeoffLoss)
L_co = TypeVar("L_co", covariant=True)


class Counts(Protocol[L_co]):
    """A measure, by the type of its losses. For type checkers."""

    def loss(self, compute: Callable[[], Raw], /) -> L_co: ...


class Measure(Given):
    """A divergence that no post-processing increases."""

    __slots__ = ()

    name: ClassVar[str]
    """Short, and part of the names of rules."""

    figures: ClassVar[tuple[str, ...]]
    """What its loss consists of, for a reader."""

    variable: ClassVar[str | None] = None
    """The variable that the loss is a function of, where it is a curve."""

    groups: ClassVar[bool] = True
    """Whether a loss at distance 1 gives one at distance k."""

    composes: ClassVar[bool] = True
    """Whether the losses of several releases add up to one."""

    added: ClassVar[str] = ""
    """The loss of several releases, written out for a reader."""

    grouped: ClassVar[str] = ""
    """The loss at distance k, written out for a reader."""

    @abstractmethod
    def loss(self, compute: Callable[[], Raw], /) -> Loss:
        """The loss that `compute` gives in the form in which it is carried."""

    @abstractmethod
    def compose(self, losses: Sequence[Raw]) -> Raw:
        """The loss of releasing all, also when each is chosen after seeing those before it."""

    @abstractmethod
    def group(self, k: Number, loss: Raw) -> Raw:
        """The loss at distance k, from the loss at distance 1."""

    @abstractmethod
    def largest(self, losses: Sequence[Raw]) -> Raw:
        """A loss that none of these exceeds."""

    @abstractmethod
    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        """A loss that no two of these exceed together; of a single one, that one."""

    def shown(self, loss: Raw) -> Raw:
        """The loss as a reader is shown it."""
        return loss


def _numbers(losses: Sequence[Raw]) -> list[Number]:
    return cast("list[Number]", list(losses))  # `number_in` of each, without the time it takes


def _number(compute: Callable[[], Raw]) -> Callable[[], Number]:
    return cast("Callable[[], Number]", compute)  # as `number_in`, of what is yet to be computed


def _pairs(losses: Sequence[Raw]) -> tuple[list[Number], list[Number]]:
    pairs = [pair_in(loss) for loss in losses]
    return [p[0] for p in pairs], [p[1] for p in pairs]


def _curves(losses: Sequence[Raw]) -> list[Curve]:
    return [curve_in(loss) for loss in losses]


class NumberMeasure(Measure, Generic[L]):
    """A measure whose losses are numbers that add up, in the form in which they are carried."""

    __slots__ = ()

    losses: type[L]
    squared: ClassVar[bool] = False
    """Whether a loss is carried so that it grows with the square of the distance."""

    def loss(self, compute: Callable[[], Raw], /) -> L:
        return self.losses(Bound.of(_number(compute)))

    def group(self, k: Number, loss: Raw) -> Raw:
        return (k * k if self.squared else k) * number_in(loss)

    def compose(self, losses: Sequence[Raw]) -> Raw:
        return total(_numbers(losses))

    def largest(self, losses: Sequence[Raw]) -> Raw:
        return maximum(*_numbers(losses))

    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        return largest_pair(_numbers(losses))


class CurveMeasure(Measure, Generic[C]):
    """A measure whose losses are functions. Most of them do not add up here."""

    __slots__ = ()
    composes = False

    losses: type[C]

    def loss(self, compute: Callable[[], Raw], /) -> C:
        return self.losses(lambda at: curve_in(compute())(at))

    def compose(self, losses: Sequence[Raw]) -> Raw:
        if len(losses) != 1:
            raise NoConversion("dpcore cannot compose such curves: convert to ApproxDP first")
        return losses[0]

    def group(self, k: Number, loss: Raw) -> Raw:
        raise NoFiniteLoss(f"dpcore has no group rule for {type(self).__name__}: convert to ApproxDP first")

    def largest(self, losses: Sequence[Raw]) -> Raw:
        curves = _curves(losses)
        return lambda at: maximum(*(curve(at) for curve in curves))

    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        raise NoConversion("dpcore cannot add up such curves: convert to ApproxDP first")


# ---- numbers -----------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class PureDP(NumberMeasure[PureLoss]):
    """Pure differential privacy: `P(E) <= exp(eps) * Q(E)` for every event E."""

    name = "pure"
    losses = PureLoss
    figures = ("epsilon",)
    added = "`sum of eps_i`"
    grouped = "`k eps`"


@final
@dataclass(frozen=True, slots=True)
class ZCDP(NumberMeasure[ZCDPLoss]):
    """Zero-concentrated differential privacy: Renyi divergence at most `rho * alpha` for every order alpha > 1."""

    name = "zcdp"
    losses = ZCDPLoss
    figures = ("rho",)
    added = "`sum of rho_i`"
    grouped = "`k^2 rho`"
    squared = True


@final
@dataclass(frozen=True, slots=True)
class GaussianDP(NumberMeasure[GaussianLoss]):
    """Gaussian differential privacy: no easier to tell apart than N(0, 1) from N(mu, 1). Carried as mu^2."""

    name = "gaussian"
    losses = GaussianLoss
    figures = ("mu",)
    added = "`mu^2 = sum of mu_i^2`"
    grouped = "`k mu`"
    squared = True

    def shown(self, loss: Raw) -> Raw:
        return sqrt(number_in(loss))


@final
@dataclass(frozen=True, slots=True)
class TotalVariation(NumberMeasure[TotalVariationLoss]):
    """Additive secrecy: `P(E) <= Q(E) + delta` for every event E."""

    name = "total_variation"
    losses = TotalVariationLoss
    figures = ("delta",)
    added = "`sum of delta_i`"
    grouped = "`k delta`"

    def loss(self, compute: Callable[[], Raw], /) -> TotalVariationLoss:
        number = _number(compute)
        return TotalVariationLoss(Bound.of(lambda: minimum(number(), ONE)))


# ---- pairs -------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class ApproxDP(Measure):
    """Approximate differential privacy: `P(E) <= exp(eps) * Q(E) + delta` for every event E."""

    name = "approx"
    figures = ("epsilon", "delta")
    added = "`(sum of eps_i, sum of delta_i)`"
    grouped = "`(k eps, delta (1 + e^eps + ... + e^((k-1) eps)))`"

    def loss(self, compute: Callable[[], Raw], /) -> ApproxLoss:
        return ApproxLoss(
            Bound.of(lambda: pair_in(compute())[0]), Bound.of(lambda: minimum(pair_in(compute())[1], ONE))
        )

    def compose(self, losses: Sequence[Raw]) -> Raw:
        epsilons, deltas = _pairs(losses)
        return total(epsilons), total(deltas)

    def group(self, k: Number, loss: Raw) -> Raw:
        epsilon, delta = pair_in(loss)
        return k * epsilon, delta * geometric(k, epsilon)

    def largest(self, losses: Sequence[Raw]) -> Raw:
        epsilons, deltas = _pairs(losses)
        return maximum(*epsilons), maximum(*deltas)

    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        epsilons, deltas = _pairs(losses)
        return largest_pair(epsilons), largest_pair(deltas)


FEW = 16
"""Sums of up to so many terms are added up as they stand."""


def geometric(k: Number, epsilon: Number) -> Number:
    """`1 + e^eps + ... + e^((k-1) eps) = (e^(k eps) - 1)/(e^eps - 1)`, and `k` where eps is 0. Of one term exactly 1."""
    terms = few(k, FEW)
    if is_zero(epsilon) or terms in (0, 1):
        return k
    if terms is not None and not is_symbolic(epsilon):
        return total([exp(j * epsilon) for j in range(terms)])
    ratio = expm1(k * epsilon) / expm1(epsilon)
    # A ball too wide to divide by: k terms, none above e^(k eps).
    return ratio if is_finite(ratio) else k * exp(k * epsilon)


# ---- curves ------------------------------------------------------------------------------------------------------


@final
@dataclass(frozen=True, slots=True)
class RenyiDP(CurveMeasure[RenyiLoss]):
    """Renyi differential privacy: the divergence of every order alpha > 1."""

    name = "renyi"
    losses = RenyiLoss
    figures = ("epsilon",)
    variable = "alpha"
    groups = False
    composes = True
    added = "`eps(alpha) = sum of eps_i(alpha)`, at each order alpha"

    def compose(self, losses: Sequence[Raw]) -> Raw:
        curves = _curves(losses)
        return lambda alpha: total([curve(alpha) for curve in curves])


@final
@dataclass(frozen=True, slots=True)
class Profile(CurveMeasure[ProfileLoss]):
    """The privacy profile: for every eps >= 0 the least delta. Profiles compose by convolution, which is not here yet."""

    name = "profile"
    losses = ProfileLoss
    figures = ("delta",)
    variable = "epsilon"
    grouped = "`delta(x/k) (1 + e^(x/k) + ... + e^((k-1) x/k))` at x"

    def loss(self, compute: Callable[[], Raw], /) -> ProfileLoss:
        return ProfileLoss(lambda epsilon: minimum(curve_in(compute())(epsilon), ONE))

    def group(self, k: Number, loss: Raw) -> Raw:
        curve = curve_in(loss)
        if is_zero(k):
            return lambda epsilon: k
        # The group rule of ApproxDP at every point (eps/k, delta(eps/k)) of the profile.
        return lambda epsilon: curve(epsilon / k) * geometric(k, epsilon / k)


@final
@dataclass(frozen=True, slots=True)
class Tradeoff(CurveMeasure[TradeoffLoss]):
    """The trade-off curve: for every false-positive rate alpha the least false-negative rate. Higher is more private."""

    name = "tradeoff"
    losses = TradeoffLoss
    figures = ("beta",)
    variable = "alpha"
    groups = False

    def largest(self, losses: Sequence[Raw]) -> Raw:
        curves = _curves(losses)
        return lambda alpha: minimum(*(curve(alpha) for curve in curves))


MEASURES: tuple[Measure, ...] = (
    PureDP(),
    ApproxDP(),
    ZCDP(),
    RenyiDP(),
    GaussianDP(),
    TotalVariation(),
    Profile(),
    Tradeoff(),
)


_BY_NAME: Final = {type(measure).__name__: measure for measure in MEASURES}


def measure_of(loss: Loss) -> Measure:
    """The measure that a loss is counted in."""
    return _BY_NAME[loss.measure]
