"""Certificates with symbols: what can be bound later, and what numbers may be put in the place of symbols.

`certify(m).bind(b=120)` and `certify(m.bind(b=120))` are the same bytes. So a tree with symbols must not change its shape
when they are bound: where dpcore reads a domain or a constant off the values of bounds, it is refused here by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dpcore.calculus import keywords
from dpcore.calculus.parameters import Data, Json, bound_to, is_open, number, text
from dpcore.certificates.decoding import decoded
from dpcore.certificates.document import Inference, SpaceData
from dpcore.certificates.rules import rule_named
from dpcore.core.origins import Arrow, Call
from dpcore.core.steps import Step
from dpcore.domains import Domain, Record, Rows
from dpcore.errors import InvalidParameter, NotCertifiable
from dpcore.expressions import Expression
from dpcore.expressions.node import Field, Row
from dpcore.maps import Exact
from dpcore.transformations.linear_queries import LinearQueries
from dpcore.transformations.row_map import Select
from dpcore.written import DOMAIN

# ---- before ------------------------------------------------------------------------------------------------------------


def refuse_what_binding_would_change(arrow: Arrow) -> None:
    """Refuse an arrow whose tree may look otherwise once its symbols are numbers."""
    for part in arrow.derivation.parts():
        if part.rule.witness is not None and part.rule.witness.last:
            raise NotCertifiable(
                f"the map of {part.rule.name} is a Python function, which no certificate holds to be worked out later",
                left=arrow,
                bridge=".bind(...) first",
            )
    for step, of in _applied(arrow):
        if not of.symbols():
            continue
        row = of.of if isinstance(of, Rows) else of
        if isinstance(step, Select) and step.domain is None and any(_depends(e, row) for e in _expressions(step)):
            raise NotCertifiable(
                f"the values of {step!r} depend on {', '.join(sorted(of.symbols()))}, which is a symbol still",
                left=arrow,
                bridge="select(expression, domain), which names them; or .bind(...) first",
            )
        if isinstance(step, LinearQueries):
            raise NotCertifiable(
                f"how far a row moves {step!r} depends on {', '.join(sorted(of.symbols()))}, which is a symbol still",
                left=arrow,
                bridge=".bind(...) first",
            )


def _applied(arrow: Arrow) -> Iterator[tuple[Step, Domain]]:
    """Every step that the arrow is made of, and the domain that it was called with."""
    if isinstance(arrow.origin, Call) and isinstance(arrow.origin.function, Step):
        yield arrow.origin.function, arrow.input.domain
    for part in arrow.origin.contents(arrow.input).parts:
        yield from _applied(part.arrow)


def _expressions(step: Select[Domain]) -> list[Expression]:
    return [e for _, e in step.to] if isinstance(step.to, tuple) else [step.to]


def _depends(e: Expression, row: Domain) -> bool:
    """Whether the domain of the values is worked out from bounds that are symbols. A bare field keeps its own."""
    if isinstance(e.node, (Field, Row)):
        return False
    if not isinstance(row, Record):
        return bool(row.symbols())
    return any(of.symbols() for name, of in row.fields if name in e.fields())


# ---- after -------------------------------------------------------------------------------------------------------------


def symbols_in(x: Json) -> frozenset[str]:
    """The symbols in numbers of a document."""
    if isinstance(x, dict) and is_open(x) and isinstance(x.get("symbol"), str):
        return frozenset({text(x["symbol"])})
    inner = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    return frozenset[str]().union(*map(symbols_in, inner))


def bound_tree(tree: Inference, values: Mapping[str, Exact]) -> Inference:
    """The same inferences with numbers in the place of symbols."""
    premises = tuple([bound_tree(premise, values) for premise in tree.premises])
    return Inference(tree.rule, bound(tree.parameters, values), premises, bound(tree.witness, values))


def bound(data: Data, values: Mapping[str, Exact]) -> Data:
    """The same fields with numbers in the place of symbols."""
    return {name: _bound(x, values) for name, x in data.items()}


def _bound(x: Json, values: Mapping[str, Exact]) -> Json:
    if is_open(x):
        return number(bound_to(x, values))
    if isinstance(x, dict):
        return bound(x, values)
    return [_bound(each, values) for each in x] if isinstance(x, list) else x


def check(space: SpaceData, tree: Inference, before: Inference, values: Mapping[str, Exact]) -> None:
    """Refuse values that no constructor would have taken. `before` is the tree with its symbols."""
    DOMAIN.decode(space.domain)
    for node, open_node in zip(tree.all(), before.all(), strict=True):
        rule = rule_named(node.rule)
        if rule is None:
            raise InvalidParameter(f"there is no rule {node.rule!r} in certificates", produced=node.rule)
        for each in rule.writes or ():
            each.check(node.parameters[each.name], open_node.parameters[each.name], values)
        if rule.witness is not None and rule.witness.parameter.name in node.witness:
            name = rule.witness.parameter.name
            rule.witness.parameter.check(node.witness[name], open_node.witness[name], values)
        if rule.requires is not None:
            rule.requires(**decoded(rule, node, keywords(rule.requires)))
