"""Models of many fields: against sums over all cells, for trees, circles and parts apart; and what they follow."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dpcore.many import estimates
from dpcore.many.estimates import modelled
from dpcore.many.junctions import Fields, junction_of
from dpcore.many.models import Noisy, fitted, inferred
from dpcore.many.universe import Floats

SIZES = (3, 4, 2, 5, 2)
GRAPHS: dict[str, list[Fields]] = {
    "tree": [(0, 2), (1, 2), (2, 3), (3, 4)],
    "circle": [(0, 1), (1, 2), (2, 3), (0, 3), (3, 4)],
    "apart": [(0, 4), (1, 3)],
    "triples": [(0, 1, 2), (2, 3), (3, 4)],
    "all": [*combinations(range(5), 2)],
    "none": [],
}


def weighed(graph: list[Fields]) -> tuple[dict[Fields, Floats], Floats]:
    """Logarithms of weights, and the probabilities of all cells."""
    dice = np.random.default_rng(3)
    logs = {fields: dice.normal(size=[SIZES[i] for i in fields]) for fields in [*graph, *[(i,) for i in range(5)]]}
    whole = np.zeros(SIZES)
    for fields, log in logs.items():
        whole = whole + log.reshape([SIZES[i] if i in fields else 1 for i in range(5)])
    whole = np.exp(whole)
    return logs, whole / whole.sum()


def over(whole: Floats, kept: Fields) -> Floats:
    found: Floats = whole.sum(axis=tuple([axis for axis in range(whole.ndim) if axis not in kept]))
    return found


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_inference_is_the_sum_over_all_cells(graph: list[Fields]) -> None:
    logs, whole = weighed(graph)
    model = inferred(junction_of(SIZES, graph), logs)
    for fields in [*combinations(range(5), 1), *combinations(range(5), 2), *graph]:
        assert np.allclose(model.marginal(fields), over(whole, fields), atol=1e-12)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_the_fit_meets_counts_that_can_be_met(graph: list[Fields]) -> None:
    _, whole = weighed(graph)
    wanted = [*graph, *[(i,) for i in range(5)]]
    model = fitted(junction_of(SIZES, graph), [Noisy(fields, 50 * over(whole, fields), 1.0) for fields in wanted], 50)
    for fields in combinations(range(5), 2):
        assert np.allclose(model.marginal(fields), over(whole, fields), atol=3e-3)


def test_rows_are_as_often_as_the_model_says() -> None:
    logs, whole = weighed(GRAPHS["circle"])
    columns = inferred(junction_of(SIZES, GRAPHS["circle"]), logs).sampled(20_000, np.random.default_rng(1))
    for i, j in GRAPHS["circle"]:
        drawn = np.histogram2d(columns[i], columns[j], bins=[range(SIZES[i] + 1), range(SIZES[j] + 1)])[0] / 20_000
        assert np.abs(drawn - over(whole, (i, j) if i < j else (j, i))).max() < 0.02


def test_cliques_share_what_they_must() -> None:
    """Wherever a field is, it is on the way between; and nothing is larger than a circle needs."""
    for graph in GRAPHS.values():
        junction = junction_of(SIZES, graph)
        for a, b in combinations(range(len(junction.cliques)), 2):
            common = {*junction.cliques[a]} & {*junction.cliques[b]}
            assert all(common <= {*junction.cliques[clique]} for clique in junction.way(a, b))
        assert all(junction.home(fields) is not None for fields in graph)
    assert max(map(len, junction_of(SIZES, GRAPHS["circle"]).cliques)) == 3
    assert junction_of(SIZES, GRAPHS["all"]).cells == 240
    assert junction_of(SIZES, []).cells == 16


def test_a_large_model_is_left_small(monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = weighed(GRAPHS["all"])
    noisy = [Noisy(fields, 10_000 * over(whole, fields), 1.0) for fields in GRAPHS["all"]]
    model, edges = modelled(SIZES, noisy, 10_000)
    assert model.junction.cells == 240
    monkeypatch.setattr(estimates, "MOST_NUMBERS", 70)
    small, same = modelled(SIZES, noisy, 10_000)
    assert sum(SIZES[i] * SIZES[j] for i, j in edges) < small.junction.cells <= 70
    assert same == edges


def test_pairs_that_are_noise_are_left_out() -> None:
    """Of fields that do not depend on each other the model of noisy pairs is nearer to the truth than the pairs."""
    dice = np.random.default_rng(7)
    true = np.full((4, 5), 250.0)
    noisy = [Noisy(pair, true + dice.normal(0, 20, true.shape), 400.0) for pair in combinations(range(2), 2)]
    noisy += [Noisy((0, 2), np.full((4, 5), 250.0) + dice.normal(0, 20, (4, 5)), 400.0)]
    noisy += [Noisy((1, 2), np.full((5, 5), 200.0) + dice.normal(0, 20, (5, 5)), 400.0)]
    model, edges = modelled((4, 5, 5), noisy, 5000)
    [left] = {(0, 1), (0, 2), (1, 2)} - {*edges}
    [counts] = [each.counts for each in noisy if each.fields == left]
    even = 5000 / counts.size
    assert np.abs(5000 * model.marginal(left) - even).sum() < np.abs(counts - even).sum() / 2


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("counts", [[3.0, 1.0], [2.0, 2.0], [4.0]])
def test_a_model_that_fits_exactly_is_done(counts: list[float]) -> None:
    """Its steps, which grow as long as nothing gets worse, would leave the floats."""
    with np.errstate(over="raise", invalid="raise"):
        found = fitted(junction_of((len(counts),), []), [Noisy((0,), np.array(counts), 1.0)], 4)
    assert found.marginal((0,)) == pytest.approx(np.array(counts) / 4)


@pytest.mark.filterwarnings("error")
def test_marginals_that_are_met_exactly_end_the_fit() -> None:
    """The step would grow until it is infinite, and infinity times nothing is not a number."""
    counts = np.array([[1.0, 2.0], [3.0, 4.0]])
    model = fitted(junction_of((2, 2), [(0, 1)]), [Noisy((0, 1), counts, 1.0)], 10)
    assert np.allclose(model.marginal((0, 1)), counts / 10)
