"""Synthetic tables side by side: `synthesize`, and MST on the graphical models of `mbi`, at the same loss.

    python -m benchmarks.synthetic_tables ours          needs dpcore alone
    python -m benchmarks.synthetic_tables mbi           needs mbi 2 (and with it jax), and no dpcore

Three tables of 5,000 rows, made by a fixed seed; the figure is the mean, over all pairs of fields, of the sum of the
absolute errors of their two-way marginal as shares, over four releases. MST is that of McKenna, Miklau and Sheldon
(2021) as its authors have it: a third of the budget for the fields, for the choices and for the pairs, noise from
numpy; without its merging of rare values, which none of these tables has at these budgets.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
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
RELEASES: Final = 4


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


def ours(sizes: tuple[int, ...], columns: Columns, rho: Fraction, seed: int) -> Callable[[int, int], Floats]:
    import dpcore as dp
    from dpcore.noise.bits import SeededBits

    names = [f"f{i}" for i in range(len(sizes))]
    fields = {name: dp.integers(0, size - 1) for name, size in zip(names, sizes, strict=True)}
    release = dp.rows(dp.record(**fields)) >> dp.synthesize(dp.zcdp(rho))
    made = release.release(dict(zip(names, columns, strict=True)), bits=SeededBits(seed))
    return lambda i, j: made.marginal(names[i], names[j])


def with_mbi(sizes: tuple[int, ...], columns: Columns, rho: Fraction, seed: int) -> Callable[[int, int], Floats]:
    mbi: Any = import_module("mbi")
    import_module("jax").config.update("jax_enable_x64", True)
    dice, names = np.random.default_rng(seed), [f"f{i}" for i in range(len(sizes))]
    domain, fit = mbi.Domain(names, sizes), mbi.estimation.MirrorDescent()

    def measured(cliques: list[tuple[int, ...]]) -> list[Any]:
        sigma = float(np.sqrt(3 / (2 * float(rho)) * len(cliques)))
        noisy = [counts(sizes, columns, clique) for clique in cliques]
        noisy = [each + dice.normal(0, sigma, each.shape) for each in noisy]
        named = [tuple([names[i] for i in clique]) for clique in cliques]
        return [mbi.LinearMeasurement(y.ravel(), clique, stddev=sigma) for y, clique in zip(noisy, named, strict=True)]

    def says(model: Any, i: int, j: int) -> Floats:
        found = np.asarray(model.project((names[i], names[j])).datavector())
        return found.reshape(sizes[i], sizes[j])

    log = measured([(i,) for i in range(len(sizes))])
    alone = fit.estimate(domain, log, iters=1000)
    pairs = list(combinations(range(len(sizes)), 2))
    scores = {pair: float(np.abs(counts(sizes, columns, pair) - says(alone, *pair)).sum()) for pair in pairs}
    joined, edges = list(range(len(sizes))), list[tuple[int, ...]]()
    scale = 2 / np.sqrt(8 * float(rho) / 3 / (len(sizes) - 1))
    while len(edges) < len(sizes) - 1:
        left = [(i, j) for i, j in pairs if joined[i] != joined[j]]
        chances = np.exp((np.array([scores[pair] for pair in left]) - max(scores[pair] for pair in left)) / scale)
        i, j = left[dice.choice(len(left), p=chances / chances.sum())]
        edges.append((i, j))
        joined = [joined[i] if each == joined[j] else each for each in joined]
    model = fit.estimate(domain, log + measured(edges), iters=5000)
    total = float(model.total)
    return lambda i, j: says(model, i, j) / total


def error(release: Release, seed: int, rho: Fraction, number: int) -> float:
    sizes, columns = SIZES[seed], table(seed)
    says = release(sizes, columns, rho, number)
    pairs = list(combinations(range(len(sizes)), 2))
    return float(np.mean([np.abs(says(*pair) - counts(sizes, columns, pair) / ROWS).sum() for pair in pairs]))


if __name__ == "__main__":
    chosen: Release = {"ours": ours, "mbi": with_mbi}[sys.argv[1]]
    for which in range(len(SIZES)):
        for budget in RHOS:
            errors = [error(chosen, which, budget, number) for number in range(RELEASES)]
            print(f"table {which + 1}, rho {budget}: {np.mean(errors):.4f}, each {np.round(errors, 4)}", flush=True)
