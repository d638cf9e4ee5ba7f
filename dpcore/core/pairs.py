"""What a release costs between two given data sets. `Measurement.loss_between` calls it.

The loss at the distance between them holds. Less may hold, since the two are known:

    of f >> m                      the release depends on f(x) alone, so it costs what m costs between f(x) and f(y)
    of several releases            each has coins of its own, so they cost what all of them cost between x and y together
    of a release, done something   what the release costs

(general composition: d(x, y) is the sum of the d_i(f_i(x), f_i(y))). Where a key that is drawn with the release decides
what f gives, f(x) and f(y) are not two given data sets, and nothing more is said; nor of curves, which are not compared as
wholes. The result is about these two data sets, and says of them what no release says: it is for those who know both.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Protocol, TypeVar, runtime_checkable

from dpcore.core.origins import Arrow, Chain
from dpcore.core.readings import draws_key
from dpcore.errors import Undecided
from dpcore.measures.losses import CurveLoss, Loss

L = TypeVar("L")


@runtime_checkable
class Whole(Protocol):
    """A measurement with what stands before it, as `after` makes it."""

    @property
    def whole(self) -> object: ...


@runtime_checkable
class Several(Protocol):
    """Measurements as they run, as `compose_jointly` holds them."""

    @property
    def run(self) -> tuple[Arrow, ...]: ...


@runtime_checkable
class HasLoss(Protocol):
    """A measurement, as far as it is asked here."""

    def loss_between(self, x: object, y: object) -> Loss: ...


def least(whole: L, arrow: Arrow, x: object, y: object) -> L:
    """The least of what is known: at least as good as `whole`, which holds at the distance between the two."""
    inner = None if isinstance(whole, CurveLoss) else _inside(arrow, type(whole), x, y)
    return inner if inner is not None and _is_less(inner, whole) else whole


def _is_less(one: object, other: object) -> bool:
    """Where it can be told; else the other, which is sure, is kept."""
    assert isinstance(one, Loss)
    assert isinstance(other, Loss)
    try:
        return one <= other
    except Undecided:
        return False


def _inside(arrow: Arrow, counted: type[L], x: object, y: object) -> L | None:
    """By what the arrow is made of, where that is known to give less."""
    origin = arrow.origin
    if isinstance(origin, Chain):
        return _behind(origin.arrows, counted, x, y)
    given = origin.arguments[0] if origin.arguments else None
    if isinstance(given, Several) and isinstance(given.run, tuple):
        given = given.run
    if type(given) is tuple:
        return _added(given, counted, x, y)
    same = given is not None and origin.contents(arrow.input).releases is given
    return _of(given, counted, x, y) if same else None


def _behind(links: Sequence[Arrow], counted: type[L], x: object, y: object) -> L | None:
    """The last of a chain, on what all before it give."""
    for link in links[:-1]:
        if draws_key(link):
            return None
        assert callable(link)
        x, y = link(x), link(y)
    return _of(links[-1], counted, x, y)


def _added(arrows: Sequence[object], counted: type[L], x: object, y: object) -> L | None:
    """What all of several releases cost together."""
    costs = [_of(each.whole if isinstance(each, Whole) else each, counted, x, y) for each in arrows]
    known = [cost for cost in costs if cost is not None]
    if not known or len(known) < len(costs):
        return None
    total = reduce(add, known)
    return total if isinstance(total, counted) else None


def _of(arrow: object, counted: type[L], x: object, y: object) -> L | None:
    """What a measurement costs between them, if it is one and counts alike."""
    if not isinstance(arrow, HasLoss):
        return None
    loss = arrow.loss_between(x, y)
    return loss if isinstance(loss, counted) else None
