"""How far a release may be from what it would be without noise: of one number, of a vector, of each part of several.

A release is accurate to a at a confidence c if `P(|error| >= a) <= 1 - c`. The figures hold for all data, since the noise
does not depend on them. The parts of a composition draw their noise one independently of another, so that all of n parts
are accurate at once with the product of their confidences: each at `c^(1/n)`, rounded up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Protocol, TypeAlias, runtime_checkable

from dpcore.core.origins import Arrow, Call, Chain, Releases
from dpcore.core.post_processing import affine_of
from dpcore.domains import Domain, Vector
from dpcore.errors import InvalidParameter, NoConversion
from dpcore.expressions import Expression
from dpcore.maps import Numeric, as_number, at_precision, ends, exact, expm1, known, log, numeral

Accuracies: TypeAlias = Fraction | tuple["Accuracies", ...] | dict[Hashable, "Accuracies"]
"""In the shape of the release: of a number or vector one figure, of several a tuple of them, of parts one by key."""

Leaf: TypeAlias = Callable[[Fraction], Fraction]
"""From a confidence to the accuracy of one number or vector."""

BITS = 128


@runtime_checkable
class AdditiveNoise(Protocol):
    """A step that adds noise of a known distribution."""

    def accuracy_at(self, domain: Domain, confidence: Numeric) -> Fraction: ...


def accuracy_of_one(arrow: Arrow, confidence: Numeric) -> Fraction:
    """The accuracy of a release that is one number or one vector."""
    sure, leaves = _sure(confidence), _leaves(arrow, arrow)
    if not callable(leaves):
        raise NoConversion(
            "the release consists of several, and has no accuracy as a whole",
            left=arrow,
            bridge=f"accuracies({confidence!r}), of each of them",
        )
    return leaves(sure)


def accuracies_of_all(arrow: Arrow, confidence: Numeric, *, together: bool) -> Accuracies:
    """The accuracy of each part: alone at the confidence, or so that all hold together with it."""
    sure, leaves = _sure(confidence), _leaves(arrow, arrow)
    return _asked(leaves, each_of(_count(leaves), sure) if together else sure)


_Leaves: TypeAlias = Leaf | tuple["_Leaves", ...] | Mapping[Hashable, "_Leaves"]


def _leaves(arrow: Arrow, asked: Arrow) -> _Leaves:
    """Of what the arrow releases; a refusal names the arrow that was asked for."""
    origin, noise = arrow.origin, _step(arrow)
    if noise is not None:
        return partial(noise.accuracy_at, arrow.input.domain)
    inside = origin.contents(arrow.input).releases
    if inside is None:
        raise NoConversion(
            "the release is no number or vector plus noise, nor made of such, so it has no accuracy",
            left=asked,
            bridge=".distribution(data) of few data, and its .within(confidence, value)",
        )
    if isinstance(origin, Call) and origin.word == "then":
        return _after(origin.arguments[1], _each(inside, asked), asked)
    same = isinstance(origin, Chain) or origin.word == "to"
    return _each(inside, asked if same else None)


def _each(inside: Releases, asked: Arrow | None) -> _Leaves:
    made: dict[int, _Leaves] = {}  # parts that are one object are looked into once

    def of(part: Releases) -> _Leaves:
        if isinstance(part, Mapping):
            return {key: of(each) for key, each in part.items()}
        if isinstance(part, tuple):
            return tuple([of(each) for each in part])
        assert part is not None
        if id(part) not in made:
            made[id(part)] = _leaves(part, asked or part)
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


def _after(function: object, before: _Leaves, asked: Arrow) -> Leaf:
    """The accuracy after post-processing, where that is an expression of one number or vector."""
    affine = affine_of(function)
    if affine is None or not callable(before):
        raise NoConversion(
            f"what the function {function!r} makes of noise is not known, so its values have no accuracy",
            left=asked,
            bridge="an expression of the number that is released, such as .then(row() / 10)",
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


def _sure(confidence: Numeric) -> Fraction:
    sure = Fraction(known(exact(confidence, "confidence"), "confidence"))
    if not 0 < sure < 1:
        raise InvalidParameter(f"Expected 0 < confidence < 1 but got confidence={sure}", produced=sure)
    return sure


def each_of(many: int, sure: Fraction) -> Fraction:
    """A confidence of which the product of so many is at least `sure`: the root, or a little above it, and below 1."""
    if many == 1:
        return sure
    failing = at_precision(BITS, lambda: ends(-expm1(log(numeral(sure)) / as_number(many)))[0])
    return 1 - max(failing, (1 - sure) / many)  # the second is the union bound, which is never better
