"""Which rules a certificate can speak of: all of them, with which parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, cast

from dpcore.certificates import encoding
from dpcore.certificates.encoding import Json
from dpcore.claims import ClaimedMap
from dpcore.domains import Domain
from dpcore.expressions import Expression
from dpcore.functions import UserFunction
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import Metric

_ADD_UP = "pure approx zcdp gaussian total_variation"
_FAMILIES = {
    "compose_": ("", " ".join(measure.name for measure in MEASURES)),
    "group_": ("", _ADD_UP + " profile"),
    "parallel_symmetric_": ("keys", _ADD_UP + " profile"),
    "parallel_change_one_": ("keys", _ADD_UP),
    "general_composition_": ("joint source", _ADD_UP),
    "adaptive_": ("losses choices source", _ADD_UP),
    "advanced_composition_": ("slack", "pure approx"),
    "advanced_or_plain_": ("slack", "pure approx"),
    "optimal_composition_": ("", "pure approx"),
    "unequal_composition_": ("", "pure approx"),
}

LANGUAGE: Final[Mapping[str, str]] = {
    "chain": "",
    "post_process": "function",
    "row_map": "to domain",
    **dict.fromkeys(("filter_symmetric", "filter_change_one", "filter_person"), "condition"),
    **dict.fromkeys(("drop_nulls_symmetric", "drop_nulls_change_one", "drop_nulls_person"), "names=fields"),
    "flat_map_symmetric": "function domain limit",
    **dict.fromkeys(("bound_contributions_person", "bound_contributions_fair_person"), "person=by limit"),
    "bound_contributions_first_by_person": "person=by order limit",
    "resize_symmetric": "size fill",
    **dict.fromkeys(("count_symmetric", "count_change_one", "count_filtered"), ""),
    **dict.fromkeys(("sum_symmetric", "sum_change_one", "sum_filtered"), "low high"),
    **dict.fromkeys(("vector_sum_symmetric", "vector_sum_change_one"), "bound size"),
    **dict.fromkeys(("vector_sum_l2_symmetric", "vector_sum_l2_change_one"), "bound size"),
    "clip_norm_rows": "bound norm domain",
    **dict.fromkeys(("histogram_symmetric", "histogram_l2_symmetric"), "by bins"),
    **dict.fromkeys(("histogram_linf_filtered", "histogram_l2_filtered"), "by bins"),
    **{f"histogram_one_bin{norm}_{of}": "by bins" for norm in ("", "_l2") for of in ("change_one", "filtered")},
    **dict.fromkeys(("histogram_l1_change_one", "histogram_l2_change_one", "histogram_linf_change_one"), "by bins"),
    **dict.fromkeys(("linear_queries_symmetric", "linear_queries_change_one"), "queries column"),
    **{f"quantile_scores_{of}": "candidates a b" for of in ("symmetric", "change_one", "filtered")},
    **dict.fromkeys(("partition_symmetric", "partition_change_one"), "by keys"),
    **dict.fromkeys(("change_one_to_symmetric", "symmetric_to_change_one"), ""),
    **dict.fromkeys(("l1_to_l2", "l2_to_linf", "l1_to_linf", "l1_to_range", "linf_to_range", "range_to_linf"), ""),
    **dict.fromkeys(("l2_to_l1", "linf_to_l1", "linf_to_l2"), "size"),
    "edge_to_node": "",
    "node_to_edge": "size=nodes",
    "granularity_to_symmetric": "rows",
    "laplace": "scale step",
    **dict.fromkeys(("gaussian", "gaussian_vector", "gaussian_profile"), "sigma_squared step"),
    "randomized_response": "answers k p",
    **dict.fromkeys(("permute_and_flip_linf", "permute_and_flip_range"), "scale"),
    **{f"exponential{kind}_{m}": "scale" for kind in ("", "_pure") for m in ("linf", "range")},
    **dict.fromkeys(("above_threshold_linf", "above_threshold_range"), "threshold threshold_scale query_scale hits"),
    "threshold_release": "by scale at_least=threshold",
    "name_and_shame": "delta",
    "random_row": "size",
    "claimed_transformation": "function map source output target",
    "claimed_measurement": "function map source measure",
    **dict.fromkeys(("pure_to_approx", "pure_to_zcdp", "pure_to_renyi", "pure_to_total_variation"), ""),
    **dict.fromkeys(("pure_to_profile", "pure_to_tradeoff"), ""),
    **dict.fromkeys(("approx_to_profile", "approx_to_tradeoff", "approx_to_total_variation"), ""),
    **dict.fromkeys(("total_variation_to_approx", "total_variation_to_profile", "total_variation_to_tradeoff"), ""),
    **dict.fromkeys(("zcdp_to_renyi", "zcdp_to_profile"), ""),
    **dict.fromkeys(("zcdp_to_approx", "zcdp_to_approx_tight", "renyi_to_approx"), "delta"),
    **dict.fromkeys(("gaussian_to_zcdp", "gaussian_to_renyi", "gaussian_to_profile", "gaussian_to_tradeoff"), ""),
    **dict.fromkeys(("pure_to_gaussian", "profile_to_total_variation"), ""),
    **dict.fromkeys(("profile_to_tradeoff", "tradeoff_to_profile"), ""),
    "profile_to_approx": "at_most=delta",
    **{prefix + kind: names for prefix, (names, kinds) in _FAMILIES.items() for kind in kinds.split()},
}
"""For each rule its parameters, as the certificate names them; `person=by` is named `by` in dpcore."""


def _exactly(x: object) -> Json:
    return encoding.number(x)


def _figures(x: object) -> list[Json]:
    return [encoding.number(v) for v in cast("tuple[Fraction, ...]", x if isinstance(x, tuple) else (x,))]


def _rows_of_figures(x: object) -> Json:
    return [_figures(row) for row in cast("tuple[object, ...]", x)]


def _constants(x: object) -> Json:
    return encoding.constants(cast("tuple[str, ...]", x))


def _function(x: object) -> Json:
    return encoding.function(cast(UserFunction, x))


def _domain(x: object) -> Json:
    return encoding.domain(cast(Domain, x))


_ENCODERS: Final[Mapping[str, Callable[[object], Json]]] = {
    **dict.fromkeys(("to", "condition", "by", "order", "fill"), encoding.spoken),
    **dict.fromkeys(("domain", "output"), _domain),
    **dict.fromkeys(("source", "target"), lambda x: encoding.metric(cast(Metric, x))),
    "measure": lambda x: cast(Measure, x).name,
    "map": lambda x: _function(cast(ClaimedMap, x).both()),
    **dict.fromkeys(("keys", "bins", "answers"), _constants),
    **dict.fromkeys(("losses", "joint"), _rows_of_figures),
    **dict.fromkeys(("norm", "person"), lambda x: cast(str, x)),
    "function": _function,
    "choices": lambda x: [_function(f) for f in cast("tuple[object, ...]", x)],
    "candidates": _figures,
    "names": lambda x: [*cast("tuple[str, ...]", x)],
    "queries": lambda x: [cast(Json, e.node.data()) for e in cast("tuple[Expression, ...]", x)],
    "at_most": encoding.maybe,
}


def parameters(rule: str, given: Mapping[str, object]) -> dict[str, Json]:
    """The parameters of a rule as the certificate writes them."""
    found: dict[str, Json] = {}
    for name in LANGUAGE[rule].split():
        written, _, held = name.partition("=")
        found[written] = _ENCODERS.get(written, _exactly)(given[held or written])
    return found
