"""For each rule the side conditions that are its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from dpcore.calculus import RULES
from dpcore.certificates.rules import load_rules
from dpcore.measurements.additive import Grid
from proofs.coq.differential.side_conditions import trees, values
from proofs.coq.differential.side_conditions.condition import BILLIONTH, Change, Condition, in_place_of
from proofs.coq.differential.side_conditions.trees import other_measure
from proofs.coq.differential.side_conditions.values import (
    clipped_shorter,
    moved,
    set_to,
    times,
    turned,
    twice,
    unclipped,
)

NUMBERS: Final = ("pure", "approx", "zcdp", "gaussian", "total_variation")
ONE_STEP: Final = "approximate_zcdp"
LESS, ONE = 1 - BILLIONTH, Fraction(1)

FROM_ROWS: Final = (
    *("filter", "drop_nulls", "count", "sum", "vector_sum", "vector_sum_l2", "histogram_l2", "linear_queries"),
    *("linear_queries_linf", "quantile_scores", "partition", "partition_range"),
)
"""A rule for each of two metrics of rows, of which neither is right in the place of the other."""


def places() -> Iterator[tuple[str, Condition]]:
    """Rules that hold under one metric."""
    pairs = [(f"{rule}_symmetric", f"{rule}_change_one") for rule in FROM_ROWS]
    pairs += [
        (f"{rule}_linf", f"{rule}_range")
        for rule in ("permute_and_flip", "exponential", "exponential_pure", "above_threshold")
    ]
    pairs += [("histogram_symmetric", "histogram_l1_change_one"), ("gaussian", "gaussian_vector")]
    pairs += [(f"{rule}_edge", f"{rule}_node") for rule in ("edge_count", "degree_histogram")]
    for one, other in pairs:
        yield one, in_place_of(other, one)
        yield other, in_place_of(one, other)
    for rule in ("filter_person", "drop_nulls_person"):
        yield rule, in_place_of(rule.replace("person", "symmetric"), rule)
    for rule in ("count", "sum", "quantile_scores", "histogram_l2"):
        yield f"{rule}_filtered", in_place_of(f"{rule}_symmetric", f"{rule}_filtered")
    for norm in ("", "_l2"):
        yield (
            f"histogram_one_bin{norm}_filtered",
            in_place_of(f"histogram_one_bin{norm}_change_one", f"histogram_one_bin{norm}_filtered"),
        )
    yield "histogram_linf_filtered", in_place_of("histogram_symmetric", "histogram_linf_filtered")
    yield "histogram_linf_change_one", in_place_of("histogram_symmetric", "histogram_linf_change_one")
    for rule in (
        *("change_one_to_symmetric", "symmetric_to_change_one", "edge_to_node", "node_to_edge"),
        "granularity_to_symmetric",
        *("l1_to_l2", "l1_to_linf", "l1_to_range", "l2_to_linf", "l2_to_l1"),
        *("linf_to_l1", "linf_to_l2", "linf_to_range", "range_to_linf"),
    ):
        yield rule, Condition(trees.again)


def on_a_grid() -> Iterator[str]:
    """The rules that stand on the grid of their values, and write its step."""
    load_rules()
    return (name for name, rule in RULES.items() if Grid in (rule.writes or ()))


PARAMETERS: Final[Mapping[str, tuple[Change, ...]]] = {
    "row_map": (values.tighter_domain,),
    "flat_map_symmetric": (set_to("limit", "0"),),
    "bound_contributions_person": (set_to("person", "region"),),
    "bound_contributions_fair_person": (set_to("person", "region"), set_to("limit", "0")),
    "bound_contributions_first_by_person": (
        set_to("person", "region"),
        set_to("order", {"expression": {"op": "field", "name": "nobody"}}),
    ),
    "resize_symmetric": (set_to("size", None), set_to("fill", {"expression": {"op": "row"}})),
    "clip_norm_rows": (values.smaller_vectors,),
    **dict.fromkeys(
        ("sum_symmetric", "sum_change_one", "sum_filtered"), (moved("high", -BILLIONTH), moved("low", BILLIONTH))
    ),
    **{
        f"vector_sum{norm}_{metric}": (
            *(clipped_shorter(times("bound", LESS)), unclipped(times("bound", LESS))),
            moved("size", ONE),
        )
        for norm in ("", "_l2")
        for metric in ("symmetric", "change_one")
    },
    **dict.fromkeys(("histogram_symmetric", "histogram_l2_symmetric"), (twice("bins"),)),
    **{f"histogram_{norm}_change_one": (twice("bins"),) for norm in ("l1", "l2", "linf")},
    **{f"histogram_{norm}_filtered": (twice("bins"),) for norm in ("l2", "linf")},
    **{
        f"histogram_one_bin{norm}_{of}": (values.one_bin_more,)
        for norm in ("", "_l2")
        for of in ("change_one", "filtered")
    },
    **{
        f"linear_queries{norm}_{of}": (values.beyond_one,)
        for norm in ("", "_linf")
        for of in ("symmetric", "change_one")
    },
    "marginal_errors_symmetric": (values.one_guess_less, values.guess_below_nobody, values.guessed_by_half),
    "absolute_errors": (values.guess_off_the_grid, values.shorter_guess, values.longer_guess),
    **{
        f"quantile_scores_{m}": (twice("candidates"), values.above_one) for m in ("symmetric", "change_one", "filtered")
    },
    **dict.fromkeys(("partition_symmetric", "partition_change_one"), (twice("keys"),)),
    **dict.fromkeys(
        ("partition_range_symmetric", "partition_range_change_one"),
        (set_to("range", ["3", "3"]), set_to("range", ["0", "65536"]), values.by_a_function),
    ),
    "symmetric_to_change_one": (values.unknown_size,),
    "granularity_to_symmetric": (moved("rows", ONE),),
    **{
        f"{rule}_{of}": (set_to("degree", "0"),)
        for rule in ("edge_count", "degree_histogram")
        for of in ("edge", "node")
    },
    "triangles_edge": (moved("size", ONE),),
    "claimed_transformation": (values.other_source, values.promised_nearer, values.longer_promise),
    "claimed_measurement": (values.other_source, values.promised_nearer, values.longer_promise),
    **dict.fromkeys(("l2_to_l1", "linf_to_l1", "linf_to_l2", "node_to_edge"), (moved("size", ONE),)),
    **dict.fromkeys(on_a_grid(), (times("step", Fraction(7)),)),
    "randomized_response": (values.rarer_truth, values.one_answer_less),
    "unary_encoding": (values.other_oftener, values.one_answer_less),
    "hadamard_response": (values.rather_false, values.one_answer_less),
    **{
        f"{rule}_{m}": (set_to("scale", "0"),)
        for rule in ("permute_and_flip", "exponential", "exponential_pure")
        for m in ("linf", "range")
    },
    **dict.fromkeys(("above_threshold_linf", "above_threshold_range"), (set_to("hits", "0"),)),
    "threshold_release": (set_to("at_least", "1"),),
    "name_and_shame": (set_to("delta", "1"),),
    "random_row": (moved("size", ONE),),
    "shuffled_pure": (moved("size", ONE), set_to("delta", "1"), values.too_few_to_hide),
    "zcdp_to_approx": (set_to("delta", "1"),),
    **dict.fromkeys(("zcdp_to_approx_tight", "renyi_to_approx"), (set_to("delta", "1"), set_to("alpha", "1"))),
    "profile_to_approx": (values.asked_for_less,),
    **dict.fromkeys(("profile_to_tradeoff", "gaussian_to_tradeoff"), (set_to("epsilons", []),)),
    "pure_to_gaussian": (values.smaller_mu,),
    **dict.fromkeys(
        ("zcdp_to_profile", "approximate_zcdp_to_profile"), (set_to("orders", ["1"]), set_to("orders", []))
    ),
    "approximate_zcdp_to_approx": (set_to("slack", "1"), set_to("alpha", "1")),
    "tradeoff_to_profile": (turned("alphas"), set_to("alphas", ["1"])),
    **{
        f"advanced_{kind}_{m}": (set_to("slack", "1"),)
        for kind in ("composition", "or_plain")
        for m in ("pure", "approx")
    },
    **{f"adaptive_{m}": (values.one_loss_more, values.other_source) for m in NUMBERS},
    "above_threshold_asked_pure": (values.other_source,),
    **{f"filter_{m}": (values.two_budgets, values.other_source) for m in NUMBERS},
    "filter_renyi": (values.two_budgets, values.other_source, values.lower_orders),
    f"filter_{ONE_STEP}": (values.two_budgets, values.other_source, values.two_apart),
    **{f"general_composition_{m}": (values.shorter_vector, values.other_source) for m in NUMBERS},
    **{f"overlapping_symmetric_{m}": (values.key_twice, values.keyed_by_a_function) for m in NUMBERS},
}

CONVERSIONS: Final = (
    *(f"pure_to_{m}" for m in ("approx", "zcdp", "renyi", "gaussian", "total_variation", "profile", "tradeoff")),
    *(f"approx_to_{m}" for m in ("total_variation", "profile", "tradeoff")),
    *(f"total_variation_to_{m}" for m in ("approx", "profile", "tradeoff")),
    *(f"gaussian_to_{m}" for m in ("zcdp", "renyi", "profile", "tradeoff")),
    *("zcdp_to_renyi", "zcdp_to_profile", "zcdp_to_approx", "zcdp_to_approx_tight", "renyi_to_approx"),
    *(f"{m}_to_{ONE_STEP}" for m in ("pure", "approx", "zcdp")),
    *(f"{ONE_STEP}_to_{m}" for m in ("approx", "profile")),
    *("profile_to_approx", "profile_to_total_variation", "profile_to_tradeoff", "tradeoff_to_profile"),
)

MOVED: Final = (*NUMBERS, ONE_STEP, "profile", "renyi")
"""Measures in which parts are private when a row is added or removed."""

PREMISES: Final[Mapping[str, tuple[Change, ...]]] = {
    "chain": (trees.after_the_end,),
    **dict.fromkeys(("locally_pure", "shuffled_pure"), (trees.of_any_number, trees.one_more, other_measure("pure"))),
    "post_process": (trees.no_measurement, trees.one_more),
    **{rule: (other_measure(rule.partition("_to_")[0]),) for rule in CONVERSIONS},
    **{f"compose_{m}": (other_measure(m),) for m in (*NUMBERS, ONE_STEP, "renyi")},
    **{f"compose_{m}": (other_measure(m), trees.one_more) for m in ("profile", "tradeoff")},
    **{f"group_{m}": (trees.one_more, trees.at_the_end_of_a_chain, values.no_steps) for m in ("pure", "zcdp")},
    **{
        f"group_{m}": (trees.one_more, other_measure(m))
        for m in ("approx", "gaussian", "total_variation", "renyi", "tradeoff")
    },
    "group_profile": (trees.one_more, trees.at_the_end_of_a_chain, other_measure("profile")),
    **{f"parallel_symmetric_{m}": (trees.one_less, twice("keys"), other_measure(m)) for m in MOVED},
    **{f"parallel_change_one_{m}": (trees.one_less, trees.unlike, other_measure(m)) for m in (*NUMBERS, "renyi")},
    **{f"parallel_alike_symmetric_{m}": (trees.one_less, trees.one_more, other_measure(m)) for m in MOVED},
    **{
        f"parallel_alike_change_one_{m}": (trees.one_less, trees.one_more, trees.unlike, other_measure(m))
        for m in (*NUMBERS, "renyi")
    },
    **{f"general_composition_{m}": (trees.exchanged, other_measure(m)) for m in NUMBERS},
    **{f"overlapping_symmetric_{m}": (trees.one_less, trees.one_more, other_measure(m)) for m in NUMBERS},
    **{
        f"{kind}_{m}": (other_measure(m),)
        for kind in ("advanced_composition", "advanced_or_plain", "optimal_composition", "unequal_composition")
        for m in ("pure", "approx")
    },
}


def conditions() -> dict[str, list[Condition]]:
    """By rule; those of its metric, its parameters and its premises."""
    found: dict[str, list[Condition]] = {}
    for rule, condition in places():
        found.setdefault(rule, []).append(condition)
    for table in (PARAMETERS, PREMISES):
        for rule, changes in table.items():
            found.setdefault(rule, []).extend(map(Condition, changes))
    return found
