"""Faults for a copy of the Python checker, each of which somebody might have made."""

from __future__ import annotations

from typing import Final, NamedTuple


class Fault(NamedTuple):
    """What is wrong then; a text, and what is put in its place; the rules without which nobody sees it."""

    what: str
    text: str
    instead: str
    rules: str


ROWS: Final = (
    Fault("a contribution bound is forgotten",
          'fair_person": (P, (ROWS,), "person limit", kept, lambda d, its: its.limit * d',
          'fair_person": (P, (ROWS,), "person limit", kept, once', "bound_contributions_fair_person"),
    Fault("a filter keeps the number of rows", '"filter_change_one": (C, (ROWS, MOVED), "condition", unsized, twice)',
          '"filter_change_one": (C, (ROWS, MOVED), "condition", unsized, once)', "filter_change_one"),
    Fault("a row replaced moves a sum by its largest value",
          "d * (its.high - its.low)", "d * max(abs(its.low), abs(its.high))", "sum_change_one"),
    Fault("the grid of the noise is not looked at", "(of.step / step).denominator == 1, ", "of.step, ", "laplace"),
)  # fmt: skip

VECTORS: Final = (
    Fault("a squared bound is taken plain", '"bound size", vector_sum, lambda d, its: d * d * its.bound)',
          '"bound size", vector_sum, lambda d, its: d * its.bound)', "vector_sum_l2_symmetric"),
    Fault("a vector replaced costs as one added", '"bound size", vector_sum, lambda d, its: 2 * d * its.bound)',
          '"bound size", vector_sum, lambda d, its: d * its.bound)', "vector_sum_change_one"),
    Fault("entries bound the L2 norm without their squares", "of.size * most ** squares", "of.size * most",
          "vector_sum_l2_symmetric"),
    Fault("a vector is as long as its longest entry", "else of.size * most ** squares", "else most ** squares",
          "vector_sum_symmetric"),
    Fault("queries may be worth more than 1", "each, TRUTH, number(ZERO, ONE)) for", "each, TRUTH, number(ZERO, LARGE)) for",
          "linear_queries_symmetric"),
    Fault("a guess may be of other values", "and many == len(its.guess)", "", "absolute_errors"),
    Fault("a guess may lie between the values", "(c / of.step).denominator == 1 for c", "True for c", "absolute_errors"),
    Fault("a row moves no marginal", '"queries guesses", marginal_errors, once', '"queries guesses", marginal_errors, half',
          "marginal_errors_symmetric"),
    Fault("a marginal need not be guessed", "len(its.queries) == len(its.guesses)", "its.queries",
          "marginal_errors_symmetric"),
    Fault("what is said of a column need not be told", "if its.column < len(its.queries):",
          "if its.column > len(its.queries):", "linear_queries_symmetric"),
)  # fmt: skip

CHOICES: Final = (
    Fault("a node has one edge", "lambda d, its: (its.size - 1) * d", "lambda d, its: d", "node_to_edge adaptive_pure"),
    Fault("queries that fall while others rise cost once", "+ 2 * its.hits * d / its.query_scale",
          "+ its.hits * d / its.query_scale", "above_threshold_linf"),
    Fault("reports hide each other by half of their odds", "8 * root(odds * log(", "8 * root(odds / 2 * log(",
          "shuffled_pure"),
    Fault("one hit is paid for", "threshold_scale + its.hits * d / its.query_scale", "threshold_scale + d / its.query_scale",
          "above_threshold_range"),
    Fault("zero-concentrated losses are linear in the distance",
          "d * d / (2 * its.sigma_squared)", "d / (2 * its.sigma_squared)", "gaussian"),
    Fault("a tail of the Gaussian begins one step later", "return discrete(floor(y) + 1, v)",
          "return discrete(floor(y) + 2, v)", "gaussian_profile"),
    Fault("the distance of a profile is not counted in steps", "k, v = Fraction(d // its.step)", "k, v = Fraction(d // 1)",
          "gaussian_profile"),
)  # fmt: skip

CURVES: Final = (
    Fault("a trade-off curve is claimed from above", '(c, f) if its.measure == "tradeoff" else (f', "(f",
          "pure_to_tradeoff"),
    Fault("a trade-off line starts at 1, whatever is told at once", "return max(ZERO, 1 - delta - exp(epsilon)[1] * alpha",
          "return max(ZERO, 1 - exp(epsilon)[1] * alpha", "approx_to_tradeoff"),
    Fault("a Renyi order is off by one", "min(e, alpha * e * e / 2)", "min(e, (alpha - 1) * e * e / 2)", "pure_to_renyi"),
    Fault("the order of a conversion is off by one", "curve(its.alpha) + beyond), delta",
          "curve(its.alpha - 1) + beyond), delta", "zcdp_to_approx_tight"),
    Fault("the delta that there was before is forgotten", "beyond), delta + more", "beyond), more",
          "approximate_zcdp_to_approx"),
    Fault("the delta beside the orders is forgotten", "delta + of_orders(its, rho, x)", "of_orders(its, rho, x)",
          "approximate_zcdp_to_profile"),
    Fault("the delta that was asked for is not compared", "not its.at_most or delta <= its.at_most", "True",
          "profile_to_approx"),
    Fault("the last piece of a trade-off curve is left out", "(*its.alphas, ONE))", "its.alphas)", "tradeoff_to_profile"),
    Fault("the profile of a group is looked at where it was asked", "at_one(x / k)[0] * geometric",
          "at_one(x)[0] * geometric", "group_profile"),
    Fault("the orders of the steps of a group begin one too low", "for i in range(1, n + 1)]", "for i in range(n)]",
          "group_renyi"),
    Fault("a group detects what one step does", "for _ in range(n):", "for _ in range(1):", "group_tradeoff"),
    Fault("the normal tail that is taken off is too large", "normal(x / mu + mu / 2)[0]", "normal(x / mu)[0]",
          "gaussian_to_profile"),
)  # fmt: skip

TOGETHER: Final = (
    Fault("a move costs one part only", "2 if replaced else 1)", "1)", "parallel_change_one_pure"),
    Fault("the last of an odd number of losses is lost", "+ level[len(level) & ~1:]", "", "compose_pure"),
    Fault("the drift of advanced composition is left out", "* squares) + drift", "* squares)",
          "advanced_composition_pure"),
    Fault("the middle of optimal composition is left out", "for i in range(k // 2 + 1):", "for i in range(k // 2):",
          "optimal_composition_pure"),
    Fault("the last joint vector is left out", "for part, *ends in zip(parts, vector, most)]) for vector in its.joint])",
          "for part, *ends in zip(parts, vector, most)]) for vector in its.joint[:-1] or its.joint])",
          "general_composition_pure"),
    Fault("what is declared may be declared of another metric",
          'in space.metrics, "it was declared', 'in (*space.metrics, *vars(its).values()), "it was declared',
          "adaptive_pure"),
    Fault("only the first stage is paid for", "x: together(measure, its.losses))", "x: together(measure, its.losses[:1]))",
          "adaptive_pure"),
    Fault("of comparisons the threshold alone is paid for", "(1 / its.threshold_scale + 2 * its.hits / its.query_scale,)",
          "(1 / its.threshold_scale,)", "above_threshold_asked_pure"),
    Fault("what was asked is said to fit the budget", "for part in parts]) or budget(x)", "for part in []]) or budget(x)",
          "filter_pure"),
    Fault("the budget is not lifted to the distance", "lifted(measure, lambda x: worst([budget(x),",
          "(lambda k, x: worst([budget(x),", "filter_pure"),
    Fault("at another order the budget of the one below", "zip(orders, its.budget) if order >= x]",
          "zip(orders, its.budget) if order <= x]", "filter_renyi"),
)  # fmt: skip

FAULTS: Final = (*ROWS, *VECTORS, *CHOICES, *CURVES, *TOGETHER)
