"""Measures: in what a loss is counted, how losses add up, and what a group of k costs.

    PureDP          eps                        TotalVariation  delta
    ApproxDP        (eps, delta)               Profile         delta(eps)
    ZCDP            rho                        Tradeoff        beta(alpha)
    RenyiDP         eps(alpha)                 ApproxZCDP      (rho, delta)
    GaussianDP      mu, carried as mu^2

Every definition here works on numbers of any kind, so it is also the formula.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, Protocol, TypeVar, cast, final

from dpcore.calculus import Curve, Raw, curve_in, number_in, pair_in
from dpcore.errors import Given, NoConversion, NoFiniteLoss
from dpcore.maps import (
    ONE,
    ZERO,
    Number,
    as_ball,
    ball_of,
    exp,
    expm1,
    few,
    floor,
    fraction_of,
    is_finite,
    is_rational,
    is_short,
    is_symbolic,
    is_zero,
    largest_pair,
    maximum,
    minimum,
    named_function,
    numeral,
    sqrt,
    sum_over,
    total,
    variable,
)
from dpcore.maps.bounds import Bound
from dpcore.measures.losses import (
    ApproxLoss,
    ApproxZCDPLoss,
    GaussianLoss,
    Loss,
    ProfileLoss,
    PureLoss,
    RenyiLoss,
    TotalVariationLoss,
    TradeoffLoss,
    ZCDPLoss,
)

L = TypeVar("L", bound=Loss)
C = TypeVar("C", RenyiLoss, ProfileLoss, TradeoffLoss)
P = TypeVar("P", ApproxLoss, ApproxZCDPLoss)
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

    lifts: ClassVar[bool] = True
    """Whether rules other than group privacy, and those of parts, bring a loss at distance 1 to distance k on their way."""

    groups: ClassVar[bool] = True
    """Whether a loss at distance 1 says what is lost at distance k."""

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

    rooted: ClassVar[bool] = False
    """Whether a loss is shown as the root of the form in which it is carried, and not in that form itself."""

    def shown(self, loss: Raw) -> Raw:
        """The loss as a reader is shown it."""
        return sqrt(number_in(loss)) if self.rooted else loss


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
    rooted = True


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


class PairMeasure(Measure, Generic[P]):
    """A measure whose losses are two numbers, each of which adds up. The second is a probability."""

    __slots__ = ()

    losses: type[P]

    def loss(self, compute: Callable[[], Raw], /) -> P:
        return self.losses(
            Bound.of(lambda: pair_in(compute())[0]), Bound.of(lambda: minimum(pair_in(compute())[1], ONE))
        )

    def compose(self, losses: Sequence[Raw]) -> Raw:
        first, deltas = _pairs(losses)
        return total(first), total(deltas)

    def largest(self, losses: Sequence[Raw]) -> Raw:
        first, deltas = _pairs(losses)
        return maximum(*first), maximum(*deltas)

    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        first, deltas = _pairs(losses)
        return largest_pair(first), largest_pair(deltas)


@final
@dataclass(frozen=True, slots=True)
class ApproxDP(PairMeasure[ApproxLoss]):
    """Approximate differential privacy: `P(E) <= exp(eps) * Q(E) + delta` for every event E."""

    name = "approx"
    losses = ApproxLoss
    figures = ("epsilon", "delta")
    added = "`(sum of eps_i, sum of delta_i)`"
    grouped = "`(k eps, delta (1 + e^eps + ... + e^((k-1) eps)))`"

    def group(self, k: Number, loss: Raw) -> Raw:
        epsilon, delta = pair_in(loss)
        return k * epsilon, delta * geometric(k, epsilon)


@final
@dataclass(frozen=True, slots=True)
class ApproxZCDP(PairMeasure[ApproxZCDPLoss]):
    """Approximate zCDP: `E_P f <= delta + e^((alpha-1) rho) (E_Q f^(alpha/(alpha-1)))^((alpha-1)/alpha)`.

    For every test f, `0 <= f <= 1`, and every order alpha > 1: all but delta of P is below a measure whose Renyi divergence
    from Q is at most `rho * alpha`. At a delta of 0 that is ZCDP. The definition of Bun and Steinke (2016, Definition 8.1)
    implies it, with the same pair.

    There is no group rule: what is as rare as delta after one step may be far more frequent after two.
    """

    name = "approximate_zcdp"
    losses = ApproxZCDPLoss
    figures = ("rho", "delta")
    lifts = False
    groups = False
    added = "`(sum of rho_i, sum of delta_i)`"

    def group(self, k: Number, loss: Raw) -> Raw:
        """At distance 0 nothing is lost, at distance 1 the loss; beyond, nothing is known."""
        first, delta = pair_in(loss)
        if is_symbolic(k):
            return named_function("up_to_1", first, k), named_function("up_to_1", delta, k)
        steps = few(k, 1)
        if steps is None:
            raise NoFiniteLoss(
                f"losses in {type(self).__name__} at distance 1 say nothing of larger distances",
                produced=k,
                bridge="ApproxDP or ZCDP, which have a rule for groups",
            )
        return (first, delta) if steps else (ZERO, ZERO)


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

MOST_STEPS = 1000
"""Of so many steps a curve is followed, which is asked for at each of them; the checkers follow no more."""


def _steps(k: Number) -> tuple[Number, int]:
    """A distance in whole steps, twice."""
    whole = floor(k)
    n = few(whole, MOST_STEPS)
    if n is None:
        raise NoFiniteLoss(
            f"a curve is followed for at most {MOST_STEPS} steps", produced=k, bridge=".to(ApproxDP, ...) first"
        )
    return whole, n


def _handy(x: Number) -> Number:
    """The number; an enclosure of one with so many digits that a few more steps would multiply them beyond all use."""
    return x if not is_rational(x) or all(map(is_short, fraction_of(x))) else as_ball(ball_of(x))


@final
@dataclass(frozen=True, slots=True)
class RenyiDP(CurveMeasure[RenyiLoss]):
    """Renyi differential privacy: the divergence of every order alpha > 1."""

    name = "renyi"
    losses = RenyiLoss
    figures = ("epsilon",)
    variable = "alpha"
    lifts = False
    composes = True
    added = "`eps(alpha) = sum of eps_i(alpha)`, at each order alpha"
    grouped = "`k alpha (sum over i = 1..k of eps(o_i)/o_i)`, `o_i = k (alpha - 1) + i`, at order alpha"

    def compose(self, losses: Sequence[Raw]) -> Raw:
        curves = _curves(losses)
        return lambda alpha: total([curve(alpha) for curve in curves])

    def worst_pair(self, losses: Sequence[Raw]) -> Raw:
        curves = _curves(losses)
        return lambda alpha: largest_pair([curve(alpha) for curve in curves])

    def group(self, k: Number, loss: Raw) -> Raw:
        """The weak triangle inequality along k steps, at the orders that lose nothing where `eps(alpha) = c alpha`.

        A bound at order `u/(u - 1)` reads `E_P f <= e^E (E_Q f^u)^(1/u)`, with `E` its epsilon over u. Two of them compose
        where u is a product; here the partial products of k factors rise from 1 to u in equal steps.
        """
        curve = curve_in(loss)

        def share(alpha: Number, i: Number) -> Number:
            order = k * (alpha - 1) + i
            return k * alpha / order * curve(order)

        if is_symbolic(k):
            return lambda alpha: sum_over(lambda i: share(alpha, i), k)
        k, n = _steps(k)
        return lambda alpha: total([share(alpha, numeral(i)) for i in range(1, n + 1)])


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
    lifts = False
    grouped = "`h_k(alpha) = beta(1 - h_(k-1)(alpha))`, `h_0(alpha) = 1 - alpha`"

    def group(self, k: Number, loss: Raw) -> Raw:
        """What a test detects after one step is what it is allowed before the next.

        `beta` bounds both orders of neighbours. It need not fall: a test that is allowed more can be made to accept more.
        Where it is convex, so is what comes out.
        """
        curve = curve_in(loss)
        if is_symbolic(k):
            return lambda alpha: named_function("after_steps", curve(variable("alpha")), k, alpha)
        _, n = _steps(k)

        def beta(alpha: Number) -> Number:
            missed = 1 - alpha
            for _ in range(n):
                missed = maximum(ZERO, curve(_handy(1 - missed)))
            return missed

        return beta

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
    ApproxZCDP(),
)


_BY_NAME: Final = {type(measure).__name__: measure for measure in MEASURES}


def measure_named(name: str) -> Measure:
    """The measure whose class has this name."""
    return _BY_NAME[name]


def measure_of(loss: Loss) -> Measure:
    """The measure that a loss is counted in."""
    return measure_named(loss.measure)
