"""How far a release may be from what it would be without noise: of one number, of a vector, of each part of several.

A release is accurate to a at a confidence c if `P(|error| >= a) <= 1 - c`. The figures hold for all data, since the noise
does not depend on them; those of shares that are estimated from reports hold for all data of so many rows. The parts of a
composition draw their noise one independently of another, so that all of n parts are accurate at once with the product of
their confidences: each at `c^(1/n)`, rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Final, Protocol, TypeAlias, runtime_checkable

from dpcore.core.origins import Arrow, Call, Chain, Releases
from dpcore.core.post_processing import affine_of
from dpcore.domains import Domain, Rows, Vector
from dpcore.errors import InvalidParameter, NoConversion, printed
from dpcore.expressions import Expression
from dpcore.functions import UserFunction, Written
from dpcore.maps import (
    Numeric,
    as_number,
    at_precision,
    confidence_of,
    counted,
    ends,
    exact,
    expm1,
    known,
    log,
    numeral,
)
from dpcore.maps.bounds import Bound

Accuracies: TypeAlias = Fraction | tuple["Accuracies", ...] | dict[Hashable, "Accuracies"]
"""In the shape of the release: of a number or vector one figure, of several a tuple of them, of parts one by key."""

Leaf: TypeAlias = Callable[[Fraction], Fraction]
"""From a confidence to the accuracy of one number or vector."""

BITS = 128


@runtime_checkable
class AdditiveNoise(Protocol):
    """A step that adds noise of a known distribution."""

    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction: ...
    def step_of(self, domain: Domain) -> Fraction: ...
    def cdf_at(self, domain: Domain, x: Fraction) -> Bound | None: ...


@runtime_checkable
class Estimator(Protocol):
    """A function of reports that estimates shares: how far off it may be depends on how many rows there were."""

    def accuracy(self, confidence: Numeric, rows: int) -> Fraction: ...


def accuracy_of_one(arrow: Arrow, confidence: Numeric, rows: int | None = None) -> Fraction:
    """The accuracy of a release that is one number or one vector, or estimates shares of so many rows."""
    sure, estimator = confidence_of(confidence), estimator_of(arrow)
    if estimator is not None:
        return estimator.accuracy(sure, _rows_of(arrow, rows))
    if rows is not None:
        raise InvalidParameter("the noise does not depend on how many rows there are", left=arrow, produced=rows)
    return _one_leaf(arrow, confidence, _leaves(arrow, arrow))(sure)


Interval: TypeAlias = tuple[Fraction, Fraction]


def interval_of(
    arrow: Arrow, released: object, confidence: Numeric, rows: int | None
) -> Interval | list[Interval] | dict[object, Interval]:
    """Around what was released; of several numbers an interval for each, all of which hold at once."""
    if estimator_of(arrow) is not None:
        half, low, high = accuracy_of_one(arrow, confidence, rows), Fraction(0), Fraction(1)  # shares lie between these

        def share(x: Fraction) -> Interval:
            return min(max(x - half, low), high), min(max(x + half, low), high)

        return _around(released, share, arrow)
    if rows is not None:
        raise InvalidParameter("the noise does not depend on how many rows there are", left=arrow, produced=rows)
    # Noise that is nearer than a lies at most one step below a.
    most = _one_leaf(arrow, confidence, _leaves(arrow, arrow, nearest=True))(confidence_of(confidence))
    return _around(released, lambda x: (x - most, x + most), arrow)


def _around(
    released: object, each: Callable[[Fraction], Interval], arrow: Arrow
) -> Interval | list[Interval] | dict[object, Interval]:
    if isinstance(released, Mapping):
        return {key: each(_number(x, arrow)) for key, x in released.items()}
    held = released.tolist() if hasattr(released, "tolist") else released
    if isinstance(held, (list, tuple)):
        return [each(_number(x, arrow)) for x in held]
    return each(_number(held, arrow))


def _number(x: object, arrow: Arrow) -> Fraction:
    if type(x) is int or isinstance(x, Fraction):
        return Fraction(x)
    raise InvalidParameter(f"Expected what was released, numbers, but got a {type(x).__name__}", left=arrow)


def cdf_of(arrow: Arrow, x: Numeric) -> Bound:
    """P(noise <= x) of a release that is one number plus noise."""
    noise, domain = _noise_of(arrow)
    found = noise.cdf_at(domain, Fraction(known(exact(x, "x"), "x"))) if noise is not None else None
    if found is None:
        raise NoConversion(
            "the release is no number plus noise that does not depend on it",
            left=arrow,
            bridge=".distribution(data) of few data, which has the probability of each outcome",
        )
    return found


def _noise_of(arrow: Arrow) -> tuple[AdditiveNoise | None, Domain]:
    """The step that adds the noise, and the domain of what it adds it to."""
    origin = arrow.origin
    if isinstance(origin, Chain):
        return _noise_of(origin.arrows[-1])
    inside = origin.contents(arrow.input).releases if origin.word == "to" else None
    if inside is None or isinstance(inside, (tuple, Mapping)):
        return _step(arrow), arrow.input.domain
    return _noise_of(inside)


def estimator_of(arrow: Arrow) -> Estimator | None:
    """What estimates shares from the reports that would be released without it."""
    origin = arrow.origin
    if isinstance(origin, Chain) or origin.word not in ("then", "to"):
        return None
    if origin.word == "to":
        inside = origin.contents(arrow.input).releases
        return None if inside is None or isinstance(inside, (tuple, Mapping)) else estimator_of(inside)
    f = origin.arguments[1]
    function = f.function if isinstance(f, UserFunction) else None
    return function if isinstance(function, Written) and isinstance(function, Estimator) else None


def _measured(arrow: Arrow) -> Domain:
    """Of what the reports are, which need not be what the data were before they were cut to a size."""
    origin = arrow.origin
    if isinstance(origin, Chain):
        return _measured(origin.arrows[-1])
    inside = origin.contents(arrow.input).releases if origin.word in ("then", "to") else None
    return arrow.input.domain if inside is None or isinstance(inside, (tuple, Mapping)) else _measured(inside)


def _rows_of(arrow: Arrow, rows: int | None) -> int:
    domain = _measured(arrow)
    size = domain.size if isinstance(domain, Rows) else None
    if rows is None and size is None:
        raise InvalidParameter(
            "how accurate the estimate is depends on how many rows there are",
            left=arrow,
            bridge="accuracy(confidence, rows=n)",
        )
    given = rows if rows is None else counted(rows)
    if rows is not None and size is not None and given != size:
        raise InvalidParameter(
            f"Expected the size of the data but got rows={printed(rows)}", left=arrow, produced=rows, expected=size
        )
    n = size if rows is None else rows if given is None else given  # what is no count is refused where it is asked
    assert n is not None
    return n


def _one_leaf(arrow: Arrow, confidence: Numeric, leaves: _Leaves) -> Leaf:
    if not callable(leaves):
        raise NoConversion(
            "the release consists of several, and has no accuracy as a whole",
            left=arrow,
            bridge=f"accuracies({confidence!r}), of each of them",
        )
    return leaves


def accuracies_of_all(arrow: Arrow, confidence: Numeric, *, together: bool) -> Accuracies:
    """The accuracy of each part: alone at the confidence, or so that all hold together with it."""
    sure, leaves = confidence_of(confidence), _leaves(arrow, arrow)
    return _asked(leaves, each_of(_count(leaves), sure) if together else sure)


_Leaves: TypeAlias = Leaf | tuple["_Leaves", ...] | Mapping[Hashable, "_Leaves"]


def _leaves(arrow: Arrow, asked: Arrow, *, nearest: bool = False) -> _Leaves:
    """Of what the arrow releases; a refusal names the arrow that was asked for.

    `nearest` is the most that noise can be that is nearer than its accuracy: a step less.
    """
    origin, noise = arrow.origin, _step(arrow)
    if noise is not None:
        of, less = arrow.input.domain, noise.step_of(arrow.input.domain) if nearest else 0
        return lambda sure: noise.accuracy_at(of, sure) - less
    inside = origin.contents(arrow.input).releases
    if inside is None:
        raise NoConversion(
            "the release is no number or vector plus noise, nor made of such, so it has no accuracy",
            left=asked,
            bridge=".distribution(data) of few data, and its .within(confidence, value)",
        )
    if isinstance(origin, Call) and origin.word == "then":
        return _after(origin.arguments[1], _each(inside, asked, nearest=nearest), asked)
    same = isinstance(origin, Chain) or origin.word == "to"
    return _each(inside, asked if same else None, nearest=nearest)


def _each(inside: Releases, asked: Arrow | None, *, nearest: bool) -> _Leaves:
    made: dict[int, _Leaves] = {}  # parts that are one object are looked into once

    def of(part: Releases) -> _Leaves:
        if isinstance(part, Mapping):
            return {key: of(each) for key, each in part.items()}
        if isinstance(part, tuple):
            return tuple([of(each) for each in part])
        assert part is not None
        if id(part) not in made:
            made[id(part)] = _leaves(part, asked or part, nearest=nearest)
        return made[id(part)]

    return of(inside)


def expect_numbers(arrow: Arrow, function: Expression) -> None:
    """Refuse an expression of a release that holds no numbers, for all that is known of it."""
    if not _is_of_numbers(arrow):
        raise InvalidParameter(
            "an expression is computed of one number, or of each of several, and the release holds others in them",
            left=arrow,
            right=function,
            bridge=".then(...) of each part, before it becomes one",
        )


def _is_of_numbers(arrow: Arrow) -> bool:
    """Whether the release may be one number, or several in a row, for all that its origin says."""
    inside = _made_of(arrow)
    if isinstance(inside, tuple):
        return not any(map(_is_several, inside))
    return not isinstance(inside, Mapping) and (inside is None or _is_of_numbers(inside))


def _is_several(part: Releases) -> bool:
    if part is None or isinstance(part, (tuple, Mapping)):
        return part is not None
    inside = _made_of(part)
    if inside is None and _step(part) is not None:
        return isinstance(part.input.domain, Vector)
    return _is_several(inside)


def _step(arrow: Arrow) -> AdditiveNoise | None:
    """The step that the arrow is, if it adds noise."""
    step: object = arrow.origin.function if isinstance(arrow.origin, Call) else None
    return step if isinstance(step, AdditiveNoise) else None


def _made_of(arrow: Arrow) -> Releases:
    """Whose releases the release is; of what a function made of one, nothing is known."""
    origin = arrow.origin
    after = isinstance(origin, Call) and origin.word == "then"
    return None if after else origin.contents(arrow.input).releases


OF_PARTS: Final = (
    ".accuracies(confidence, together=True) before .then(...): a sum that is off by less than a, over a released count n > 0"
    " that is off by less than b, is less than (a + M b)/n from the mean of rows between -M and M"
)
"""With s and k true, s' and n released: `s'/n - s/k = (s' - s)/n + (s/k)(k - n)/n`, and |s/k| <= M. It depends on n, so it
is no accuracy that is known beforehand."""


def _after(function: object, before: _Leaves, asked: Arrow) -> Leaf:
    """The accuracy after post-processing, where that is an expression of one number or vector."""
    affine = affine_of(function)
    if affine is None or not callable(before):
        raise NoConversion(
            f"what the function {function!r} makes of noise is not known, so its values have no accuracy",
            left=asked,
            bridge="an expression of the number that is released, such as .then(row() / 10)"
            if callable(before)
            else OF_PARTS,
        )
    return lambda sure: abs(affine.slope) * before(sure) + affine.slack


def _count(leaves: _Leaves) -> int:
    if callable(leaves):
        return 1
    parts: Sequence[_Leaves] = leaves if isinstance(leaves, tuple) else [*leaves.values()]
    return sum(map(_count, parts))


def _asked(leaves: _Leaves, sure: Fraction) -> Accuracies:
    found: dict[int, Fraction] = {}

    def of(part: _Leaves) -> Accuracies:
        if isinstance(part, Mapping):
            return {key: of(each) for key, each in part.items()}
        if isinstance(part, tuple):
            return tuple([of(each) for each in part])
        if id(part) not in found:
            found[id(part)] = part(sure)
        return found[id(part)]

    return of(leaves)


def each_of(many: int, sure: Fraction) -> Fraction:
    """A confidence of which the product of so many is at least `sure`: the root, or a little above it, and below 1."""
    if many == 1:
        return sure
    failing = at_precision(BITS, lambda: ends(-expm1(log(numeral(sure)) / as_number(many)))[0])
    return 1 - max(failing, (1 - sure) / many)  # the second is the union bound, which is never better
