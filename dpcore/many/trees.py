"""A distribution over many fields that is a tree: neighbours in it depend on each other, all else follows.

Exact and small: over a tree, probabilities of single fields and of neighbours say all (Chow and Liu 1968), and are
found by two passes of messages, up to the first field and down again. Nothing here sees data: it is made of noisy
marginals.

The fit is the tree whose marginals are nearest to the noisy ones, each error divided by the standard deviation of its
noise: mirror descent on the logarithms of the weights of neighbours, as Private-PGM does (McKenna, Sheldon and Miklau
2019), whose model of a tree this is. The step shrinks where the sum of squares would grow, so it never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.many.universe import Floats

Places: TypeAlias = NDArray[np.int64]
Edge: TypeAlias = tuple[int, int]
"""Two fields, the lower first."""

STEPS: Final = 3000
STILL: Final = 100
"""It ends where so many steps gained less than a hundred-thousandth."""


@final
@dataclass(frozen=True, slots=True)
class Noisy:
    """A noisy marginal of one field or of two, in rows, and the variance of its noise."""

    fields: tuple[int, ...]
    counts: Floats
    variance: float


@final
@dataclass(frozen=True, slots=True)
class Tree:
    """Probabilities of each field, and of neighbours. `order` lists each field after the one it hangs on."""

    sizes: tuple[int, ...]
    order: tuple[tuple[int, int | None], ...]
    singles: tuple[Floats, ...]
    pairs: Mapping[Edge, Floats]

    def pair(self, i: int, j: int) -> Floats:
        """The probabilities of two fields, along the way between them."""
        above = dict(self.order)
        ways = {}
        for end in (i, j):
            way: list[int] = [end]
            while (parent := above[way[-1]]) is not None:
                way.append(parent)
            ways[end] = way
        meeting = next(field for field in ways[i] if field in ways[j])
        up = ways[i][: ways[i].index(meeting) + 1]
        down = ways[j][: ways[j].index(meeting)][::-1]
        found = np.diag(self.singles[i])
        for before, after in zip([*up, *down], [*up[1:], *down], strict=False):
            found = found @ self._given(before, after)
        return found

    def _given(self, parent: int, child: int) -> Floats:
        """The probabilities of the one field for each value of the other."""
        low, high = sorted((parent, child))
        joint = self.pairs[low, high] if parent < child else self.pairs[low, high].T
        given: Floats = joint / np.maximum(joint.sum(axis=1, keepdims=True), 1e-300)
        return given

    def sampled(self, n: int, dice: np.random.Generator) -> list[Places]:
        """The places of the values of each field in n rows, as often as the probabilities say, rounded at random."""
        columns: dict[int, Places] = {}
        for field, parent in self.order:
            column: Places = np.zeros(n, np.int64)
            if parent is None:
                column = _rounded(self.singles[field], n, dice)
            else:
                given = self._given(parent, field)
                for value in range(self.sizes[parent]):
                    where = np.flatnonzero(columns[parent] == value)
                    column[where] = _rounded(given[value], len(where), dice)
            columns[field] = column
        shuffled = dice.permutation(n)
        return [columns[field][shuffled] for field in range(len(self.sizes))]


def _rounded(shares: Floats, n: int, dice: np.random.Generator) -> Places:
    """n places, each as often as its share says, rounded up or down; in random order."""
    whole = shares.sum()
    shares = shares / whole if whole > 0 else np.full(len(shares), 1 / len(shares))
    ends = np.cumsum(shares)
    found = np.searchsorted(ends, (np.arange(n) + dice.random()) / max(n, 1) * ends[-1], side="right")
    places: Places = dice.permutation(np.minimum(found, len(shares) - 1))
    return places


def fitted(sizes: Sequence[int], edges: Sequence[Edge], noisy: Sequence[Noisy], total: float) -> Tree:
    """The tree on these edges whose marginals are nearest to the noisy ones."""
    order = _hung(len(sizes), edges)
    logs = {i: np.zeros(size) for i, size in enumerate(sizes)}
    both = {edge: np.zeros((sizes[edge[0]], sizes[edge[1]])) for edge in edges}
    tree = _tree(sizes, order, logs, both)
    loss, step = _loss(tree, noisy, total), 1.0
    reached_before = loss
    for number in range(1, STEPS + 1):
        new_logs, new_both = {i: v.copy() for i, v in logs.items()}, {e: v.copy() for e, v in both.items()}
        for each in noisy:
            slope = step * (_marginal(tree, each.fields) - each.counts / total) * _weight(each, noisy)
            if len(each.fields) == 1:
                new_logs[each.fields[0]] -= slope
            else:
                new_both[each.fields[0], each.fields[1]] -= slope
        found = _tree(sizes, order, new_logs, new_both)
        reached = _loss(found, noisy, total)
        if reached <= loss:
            logs, both, tree, loss, step = new_logs, new_both, found, reached, step * 1.5
        else:
            step /= 3
        if number % STILL == 0:
            if loss >= reached_before * (1 - 1e-5):  # nor more, once it is 0: the step would grow for ever
                break
            reached_before = loss
    return tree


def _weight(each: Noisy, noisy: Sequence[Noisy]) -> float:
    """One over the variance, and 1 for the most precise."""
    return min(other.variance for other in noisy) / each.variance


def _loss(tree: Tree, noisy: Sequence[Noisy], total: float) -> float:
    return sum(
        float(np.square(_marginal(tree, each.fields) - each.counts / total).sum()) * _weight(each, noisy)
        for each in noisy
    )


def _marginal(tree: Tree, fields: tuple[int, ...]) -> Floats:
    return tree.singles[fields[0]] if len(fields) == 1 else tree.pairs[fields[0], fields[1]]


def _hung(fields: int, edges: Sequence[Edge]) -> tuple[tuple[int, int | None], ...]:
    """Each field after the one that it hangs on. What no edge reaches hangs on nothing."""
    found: list[tuple[int, int | None]] = []
    seen: set[int] = set()
    for first in range(fields):
        waiting: list[tuple[int, int | None]] = [] if first in seen else [(first, None)]
        while waiting:
            field, parent = waiting.pop()
            seen.add(field)
            found.append((field, parent))
            beside = [a + b - field for a, b in edges if field in (a, b)]
            waiting += [(other, field) for other in beside if other not in seen]
    return tuple(found)


def _tree(
    sizes: Sequence[int],
    order: tuple[tuple[int, int | None], ...],
    logs: Mapping[int, Floats],
    both: Mapping[Edge, Floats],
) -> Tree:
    """The marginals of the weights `exp(sum of logs + sum of both)`: messages up, then down."""
    up: dict[int, Floats] = {}
    inner = {i: logs[i].copy() for i in range(len(sizes))}
    for field, parent in reversed(order):
        if parent is not None:
            up[field] = _summed(_towards(both, parent, field) + inner[field][None, :])
            inner[parent] = inner[parent] + up[field]
    singles: dict[int, Floats] = {}
    pairs: dict[Edge, Floats] = {}
    outer: dict[int, Floats] = {}
    for field, parent in order:
        outer[field] = inner[field]
        if parent is not None:
            rest = outer[parent] - up[field]
            joint = _normal(rest[:, None] + _towards(both, parent, field) + inner[field][None, :])
            outer[field] = inner[field] + _summed((rest[:, None] + _towards(both, parent, field)).T)
            pairs[min(parent, field), max(parent, field)] = joint if parent < field else joint.T
        singles[field] = _normal(outer[field])
    return Tree(tuple(sizes), order, tuple([singles[i] for i in range(len(sizes))]), pairs)


def _towards(both: Mapping[Edge, Floats], parent: int, child: int) -> Floats:
    return both[parent, child] if parent < child else both[child, parent].T


def _summed(logs: Floats) -> Floats:
    """The logarithm of the sums over the last axis."""
    most = logs.max(axis=1)
    found: Floats = most + np.log(np.exp(logs - most[:, None]).sum(axis=1))
    return found


def _normal(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    found: Floats = weights / weights.sum()
    return found
