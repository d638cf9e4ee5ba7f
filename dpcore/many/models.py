"""A distribution over many fields that is known by its cliques, and the one that is nearest to noisy counts.

Exact inference: messages over a junction tree, up and down again (Lauritzen and Spiegelhalter 1988). Nothing here sees
data: it is made of noisy counts.

The fit is the distribution whose marginals are nearest to the noisy ones, each error divided by the standard deviation
of its noise: mirror descent on the logarithms of the weights, as Private-PGM does (McKenna, Sheldon and Miklau 2019),
whose model this is; of all that are as near it is the one of the largest entropy. Each step goes on in the direction of
the last ones, the further the longer that was of use (Nesterov 1983, with the restarts of O'Donoghue and Candes 2015): it
takes half as many. Where the sum of squares would grow no step is made, so it never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.many.junctions import Fields, Junction
from dpcore.many.universe import Floats, marginal, spread_out

Places: TypeAlias = NDArray[np.int64]
Logs: TypeAlias = Mapping[Fields, Floats]

STEPS: Final = 2000
STILL: Final = 25
"""It ends where so many steps gained less than a share of the sum of squares."""

PRECISE: Final = 1e-5
ROUGH: Final = 1e-2


@final
@dataclass(frozen=True, slots=True)
class Noisy:
    """A noisy marginal, in rows, and the variance of its noise."""

    fields: Fields
    counts: Floats
    variance: float


@final
@dataclass(frozen=True, slots=True)
class Model:
    """The probabilities of each clique, and the logarithms of the weights that they are made of."""

    junction: Junction
    beliefs: tuple[Floats, ...]
    logs: Logs

    def marginal(self, fields: Fields) -> Floats:
        """The probabilities of some fields of one clique, or of two fields anywhere; in ascending order."""
        home = self.junction.home(fields)
        return self._within(home, fields) if home is not None else self._between(*fields)

    def _within(self, clique: int, fields: Fields) -> Floats:
        return _summed(self.beliefs[clique], self.junction.cliques[clique], fields)

    def _between(self, i: int, j: int) -> Floats:
        """Two fields along the way between their cliques: what the next clique shares with the last says all of it."""
        cliques = self.junction.cliques
        way = self.junction.way(*[number for end in (i, j) if (number := self.junction.home((end,))) is not None])
        while i in cliques[way[1]]:
            way = way[1:]
        while j in cliques[way[-2]]:
            way = way[:-1]
        found = np.moveaxis(self.beliefs[way[0]], cliques[way[0]].index(i), 0)
        over = (i, *[field for field in cliques[way[0]] if field != i])
        for clique in way[1:]:
            fields = cliques[clique]
            shared = tuple([field for field in over[1:] if field in fields])
            found = _summed(found, over, (i, *shared))
            given = self.beliefs[clique] / np.maximum(_spread(self._within(clique, shared), shared, fields), 1e-300)
            joined = found.reshape(found.shape[0], *_spread(found[0], shared, fields).shape) * given[None]
            found, over = joined, (i, *fields)
        return _summed(found, over, (i, j))

    def sampled(self, n: int, dice: np.random.Generator) -> list[Places]:
        """The places of the values of each field in n rows, as often as the probabilities say, rounded at random."""
        columns: dict[int, Places] = {}
        for clique, fields in enumerate(self.junction.cliques):
            known = self.junction.shared(clique)
            for field in fields:
                if field not in columns:
                    both = tuple(sorted((*known, field)))
                    spread = np.moveaxis(self._within(clique, both), both.index(field), -1)
                    columns[field] = _drawn(spread, [columns[i] for i in known], n, dice)
                    known = both
        shuffled = dice.permutation(n)
        return [columns[field][shuffled] for field in range(len(self.junction.sizes))]


def _drawn(spread: Floats, known: Sequence[Places], n: int, dice: np.random.Generator) -> Places:
    """A field in each row, given others, whose probabilities together stand in `spread`, the field last."""
    cells = np.ravel_multi_index(tuple(known), spread.shape[:-1]) if known else np.zeros(n, np.int64)
    order = np.argsort(cells, kind="stable")
    found: Places = np.zeros(n, np.int64)
    flat = spread.reshape(-1, spread.shape[-1])
    for where in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
        if len(where):
            found[where] = _rounded(flat[cells[where[0]]], len(where), dice)
    return found


def _rounded(shares: Floats, n: int, dice: np.random.Generator) -> Places:
    """n places, each as often as its share says, rounded up or down; in random order."""
    whole = shares.sum()
    shares = shares / whole if whole > 0 else np.full(len(shares), 1 / len(shares))
    places: Places = dice.permutation(spread_out(shares, n, dice.random()))
    return places


def fitted(
    junction: Junction, noisy: Sequence[Noisy], total: float, start: Logs | None = None, gain: float = PRECISE
) -> Model:
    """The model on this junction tree whose marginals are nearest to the noisy ones; from the weights of another."""
    logs = {each.fields: np.zeros(each.counts.shape) for each in noisy} | dict({} if start is None else start)
    least = min(each.variance for each in noisy)
    wanted = [(each.fields, each.counts / total, least / each.variance) for each in noisy]
    model = inferred(junction, logs)
    missed, loss = _missed(model, wanted)
    step, before, last, going = 1.0, loss, logs, 0
    for number in range(1, STEPS + 1):
        moved = dict(logs)
        for fields, error in missed:
            moved[fields] = moved[fields] - step * error
        onward = going / (going + 3)
        ahead = {fields: log + onward * (log - last[fields]) for fields, log in moved.items()} if going else moved
        found = inferred(junction, ahead)
        errors, reached = _missed(found, wanted)
        if reached <= loss:
            logs, last, model, missed, loss, step, going = ahead, moved, found, errors, reached, step * 1.1, going + 1
        else:
            step, last, going = step if going else step / 3, logs, 0
        if number % STILL == 0:
            if loss >= before * (1 - gain):  # nor more, once it is 0: the step would grow for ever
                break
            before = loss
    return model


def _missed(model: Model, wanted: Sequence[tuple[Fields, Floats, float]]) -> tuple[list[tuple[Fields, Floats]], float]:
    """The weighted errors, and the sum of their squares."""
    apart = [(fields, model.marginal(fields) - share, weight) for fields, share, weight in wanted]
    loss = sum(float(np.square(error).sum()) * weight for _, error, weight in apart)
    return [(fields, error * weight) for fields, error, weight in apart], loss


def inferred(junction: Junction, logs: Logs) -> Model:
    """The model of the weights `exp(sum of logs)`: messages up, then down."""
    beliefs = [np.zeros([junction.sizes[i] for i in clique]) for clique in junction.cliques]
    for fields, log in logs.items():
        home = junction.home(fields)
        assert home is not None, "what is counted together stands in one clique"
        beliefs[home] += _spread(log, fields, junction.cliques[home])
    up: dict[int, Floats] = {}
    for clique in reversed(range(len(beliefs))):
        parent, shared = junction.above[clique], junction.shared(clique)
        if parent is not None:
            up[clique] = _log_summed(beliefs[clique], junction.cliques[clique], shared)
            beliefs[parent] = beliefs[parent] + _spread(up[clique], shared, junction.cliques[parent])
    for clique, fields in enumerate(junction.cliques):
        parent, shared = junction.above[clique], junction.shared(clique)
        if parent is not None:
            down = _log_summed(beliefs[parent], junction.cliques[parent], shared) - up[clique]
            beliefs[clique] = beliefs[clique] + _spread(down, shared, fields)
    return Model(junction, tuple([_normal(each) for each in beliefs]), logs)


def _spread(array: Floats, fields: Fields, over: Fields) -> Floats:
    """An array over some fields, with an axis of length 1 for each of the others."""
    sizes = dict(zip(fields, array.shape, strict=True))
    return array.reshape([sizes.get(field, 1) for field in over])


def _summed(array: Floats, over: Fields, kept: Fields) -> Floats:
    """The sums over the fields that are not kept, which stand in the same order."""
    return marginal(array, [axis for axis, field in enumerate(over) if field in kept])


def _log_summed(logs: Floats, over: Fields, kept: Fields) -> Floats:
    axes = tuple([axis for axis, field in enumerate(over) if field not in kept])
    most = logs.max(axis=axes, keepdims=True)
    found: Floats = np.log(np.exp(logs - most).sum(axis=axes)) + most.squeeze(axis=axes)
    return found


def _normal(logs: Floats) -> Floats:
    weights = np.exp(logs - logs.max())
    found: Floats = weights / weights.sum()
    return found
