"""Synthetic tables side by side: `synthesize`, and MST and AIM on the graphical models of `mbi`, at the same loss.

    python -m benchmarks.synthetic_tables ours pairs    or mst, or aim; needs dpcore alone
    python -m benchmarks.synthetic_tables mbi mst       or aim; needs mbi 2 (and with it jax), and no dpcore

Three tables of 5,000 rows, made by a fixed seed; the figure is the mean, over all pairs of fields, of the sum of the
absolute errors of their two-way marginal as shares, over five releases, with the standard deviation of a release. MST
is that of McKenna, Miklau and Sheldon (2021) as its authors have it: a third of the budget for the fields, for the
choices and for the pairs, noise from numpy; without its merging of rare values, which none of these tables has at these
budgets. AIM is that of McKenna, Mullins, Sheldon and Miklau (2022), all pairs being asked for: sixteen rounds a field,
which become fewer as the noise is halved, and no bound on the size of the model, which none of these tables needs. Its
many fits take minutes a release.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Columns: TypeAlias = list[NDArray[np.int64]]
Release: TypeAlias = Callable[[tuple[int, ...], Columns, Fraction, int], Callable[[int, int], Floats]]

ROWS: Final = 5000
SIZES: Final = ((6, 2, 4, 5, 3, 7), (4, 4, 4, 4, 4, 4, 4), (2, 3, 8, 5, 2, 6, 3, 4))
RHOS: Final = (Fraction(1, 100), Fraction(1, 10), Fraction(1))
RELEASES: Final = 5


def table(seed: int) -> Columns:
    """Each field depends on one before it."""
    dice, sizes = np.random.default_rng(seed), SIZES[seed]
    columns = [dice.choice(sizes[0], size=ROWS, p=dice.dirichlet(np.ones(sizes[0])))]
    for size in sizes[1:]:
        parent = columns[dice.integers(len(columns))]
        given = np.array([dice.dirichlet(np.full(size, 0.4)) for _ in range(parent.max() + 1)])
        above = dice.random(ROWS)[:, None] > given.cumsum(1)[parent]
        columns.append(above.sum(1).clip(0, size - 1))
    return columns


def counts(sizes: tuple[int, ...], columns: Columns, fields: tuple[int, ...]) -> Floats:
    found = np.zeros([sizes[i] for i in fields])
    np.add.at(found, tuple([columns[i] for i in fields]), 1)
    return found


def ours(
    method: Any, sizes: tuple[int, ...], columns: Columns, rho: Fraction, seed: int
) -> Callable[[int, int], Floats]:
    import dpcore as dp
    from dpcore.noise.bits import SeededBits

    names = [f"f{i}" for i in range(len(sizes))]
    fields = {name: dp.integers(0, size - 1) for name, size in zip(names, sizes, strict=True)}
    release = dp.rows(dp.record(**fields)) >> dp.synthesize(dp.zcdp(rho), method=method)
    made = release.release(dict(zip(names, columns, strict=True)), bits=SeededBits(seed))
    return lambda i, j: made.marginal(names[i], names[j])


@dataclass
class WithMbi:
    """A table, what was measured of it so far, and the model of that."""

    sizes: tuple[int, ...]
    columns: Columns
    dice: np.random.Generator
    log: list[Any] = field(default_factory=list)
    model: Any = None

    def __post_init__(self) -> None:
        import_module("jax").config.update("jax_enable_x64", True)
        self.mbi: Any = import_module("mbi")
        self.domain = self.mbi.Domain([f"f{i}" for i in range(len(self.sizes))], self.sizes)

    @property
    def pairs(self) -> list[tuple[int, ...]]:
        return list(combinations(range(len(self.sizes)), 2))

    def measure(self, clique: tuple[int, ...], sigma: float) -> None:
        true = counts(self.sizes, self.columns, clique)
        noisy = true + self.dice.normal(0, sigma, true.shape)
        named = tuple([f"f{i}" for i in clique])
        self.log.append(self.mbi.LinearMeasurement(noisy.ravel(), named, stddev=sigma))

    def fit(self, iters: int) -> None:
        fit = self.mbi.estimation.MirrorDescent()
        self.model = fit.estimate(self.domain, self.log, iters=iters, warm_start=self.model)

    def says(self, clique: tuple[int, ...]) -> Floats:
        found = np.asarray(self.model.project(tuple([f"f{i}" for i in clique])).datavector())
        return found.reshape([self.sizes[i] for i in clique])

    def error(self, clique: tuple[int, ...]) -> float:
        return float(np.abs(counts(self.sizes, self.columns, clique) - self.says(clique)).sum())

    def chosen(self, scores: dict[tuple[int, ...], float], scale: float) -> tuple[int, ...]:
        logs = np.array([*scores.values()]) / scale
        chances = np.exp(logs - logs.max())
        return [*scores][int(self.dice.choice(len(logs), p=chances / chances.sum()))]

    def shares(self) -> Callable[[int, int], Floats]:
        total = float(self.model.total)
        return lambda i, j: self.says((i, j)) / total


def mst(sizes: tuple[int, ...], columns: Columns, rho: Fraction, seed: int) -> Callable[[int, int], Floats]:
    it, many, third = WithMbi(sizes, columns, np.random.default_rng(seed)), len(sizes), float(rho) / 3
    for i in range(many):
        it.measure((i,), np.sqrt(many / (2 * third)))
    it.fit(1000)
    scores = {pair: it.error(pair) for pair in it.pairs}
    joined, edges = list(range(many)), list[tuple[int, ...]]()
    while len(edges) < many - 1:
        left = {pair: scores[pair] for pair in it.pairs if joined[pair[0]] != joined[pair[1]]}
        i, j = it.chosen(left, np.sqrt((many - 1) / (2 * third)))
        edges.append((i, j))
        joined = [joined[i] if each == joined[j] else each for each in joined]
    for edge in edges:
        it.measure(edge, np.sqrt((many - 1) / (2 * third)))
    it.model = None
    it.fit(5000)
    return it.shares()


def aim(sizes: tuple[int, ...], columns: Columns, rho: Fraction, seed: int) -> Callable[[int, int], Floats]:
    it, many, left = WithMbi(sizes, columns, np.random.default_rng(seed)), len(sizes), float(rho)
    cliques: Iterable[tuple[int, ...]] = [*[(i,) for i in range(many)], *it.pairs]
    weights = {clique: sum(len({*clique} & {*pair}) for pair in it.pairs) for clique in cliques}
    sigma, scale = np.sqrt(16 * many / (1.8 * left)), np.sqrt(16 * many / (0.2 * left))
    for i in range(many):
        it.measure((i,), sigma)
        left -= 1 / (2 * sigma**2)
    it.fit(1000)
    last = False
    while not last:
        price = 1 / (2 * sigma**2) + 1 / (2 * scale**2)
        if left < 2 * price:
            sigma, scale, last = np.sqrt(1 / (1.8 * left)), np.sqrt(1 / (0.2 * left)), True
        expected = {clique: np.sqrt(2 / np.pi) * sigma * np.prod([sizes[i] for i in clique]) for clique in weights}
        scores = {clique: weight * (it.error(clique) - expected[clique]) for clique, weight in weights.items()}
        clique = it.chosen(scores, scale * max(weights.values()))
        before = it.says(clique)
        it.measure(clique, sigma)
        it.fit(1000)
        left -= price
        if np.abs(it.says(clique) - before).sum() <= expected[clique]:
            sigma, scale = sigma / 2, scale / 2
    return it.shares()


def error(release: Release, seed: int, rho: Fraction, number: int) -> float:
    sizes, columns = SIZES[seed], table(seed)
    says = release(sizes, columns, rho, number)
    pairs = list(combinations(range(len(sizes)), 2))
    return float(np.mean([np.abs(says(*pair) - counts(sizes, columns, pair) / ROWS).sum() for pair in pairs]))


if __name__ == "__main__":
    library, method = sys.argv[1:]
    chosen: Release = {"mst": mst, "aim": aim}[method] if library == "mbi" else partial(ours, method)
    for which in range(len(SIZES)):
        for budget in RHOS:
            errors = [error(chosen, which, budget, number) for number in range(RELEASES)]
            print(
                f"table {which + 1}, rho {budget}: {np.mean(errors):.4f} +- {np.std(errors, ddof=1):.4f}, "
                f"each {np.round(errors, 4)}",
                flush=True,
            )
