"""All marginal queries of some fields: for each choice of k fields and each of their values, the rows that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from math import prod

from dpcore.core.checks import number_of
from dpcore.domains import Domain, Record
from dpcore.errors import InvalidParameter
from dpcore.expressions import field, when
from dpcore.expressions.expr import Expr, apply
from dpcore.many.universe import MOST_CELLS, universe_of


def marginals(fields: Record | Mapping[str, Domain], k: int) -> list[Expr[bool]]:
    """All k-way marginals as linear queries, `marginals(person, 2)`: a condition for each k fields and values of them."""
    record = fields if isinstance(fields, Record) else _record(fields)
    k = number_of(k, "k", 1)
    known = universe_of(record, most=MOST_CELLS**20).fields
    if k > len(known):
        raise InvalidParameter(f"Expected at most as many as there are fields, {len(known)}, but got k={k}", produced=k)
    many = sum(prod(len(values) for _, values in chosen) for chosen in combinations(known, k))
    if many > MOST_CELLS:
        raise InvalidParameter(f"there would be {many} marginal queries, and at most {MOST_CELLS} are made", produced=k)
    found: list[Expr[bool]] = []
    for chosen in combinations(known, k):
        for values in product(*(values for _, values in chosen)):
            each = [is_value(str(name), value, of) for (name, of), value in zip(chosen, values, strict=True)]
            condition = each[0]
            for other in each[1:]:
                condition = condition & other
            found.append(condition)
    return found


def _record(fields: object) -> Record:
    if not isinstance(fields, Mapping) or not fields or not all(isinstance(d, Domain) for d in fields.values()):
        raise InvalidParameter(
            f"Expected a record, or domains by the names of fields, but got a {type(fields).__name__}",
            produced=fields,
            bridge="record(age=integers(0, 120), ...)",
        )
    return Record(tuple(fields.items()))


def is_value(name: str, value: object, of: Sequence[object]) -> Expr[bool]:
    """Whether a field has this one of its values. A null is a value, too, and is none of the others; a truth is itself, but
    where other values are beside it."""
    if value is None:
        return field(name).is_null()
    found: Expr[bool] = field(name) == value
    if isinstance(value, bool):
        truth = field(name, bool) if value else ~field(name, bool)
        found = truth if {*map(type, of)} <= {bool, type(None)} else Expr(apply("isin", field(name), value))
    return when(found).then(True).otherwise(False) if None in of else found
