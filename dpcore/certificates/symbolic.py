"""Certificates with symbols: what can be bound later, and what numbers may be put in the place of symbols.

`certify(m).bind(b=120)` and `certify(m.bind(b=120))` are the same bytes. So a tree with symbols must not change its shape
when they are bound: where dpcore reads a domain or a constant off the values of bounds, it is refused here by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import cast

from dpcore.certificates import decoding, encoding
from dpcore.certificates.document import Data, nodes_of
from dpcore.certificates.encoding import Json
from dpcore.certificates.numbers import LEAST, NUMBERS, Kind
from dpcore.certificates.refusals import NotCertifiable
from dpcore.domains import Domain, Record, Rows
from dpcore.errors import InvalidDistance, InvalidParameter
from dpcore.expressions import Expression
from dpcore.expressions.node import Field, Row
from dpcore.maps import Exact, is_formula, substitute
from dpcore.origins import Arrow, Call
from dpcore.steps import Step
from dpcore.transformations.linear_queries import LinearQueries
from dpcore.transformations.row_map import Select

CLAIMED = ("claimed_transformation", "claimed_measurement")


# ---- before ------------------------------------------------------------------------------------------------------------


def refuse_what_binding_would_change(arrow: Arrow) -> None:
    """Refuse an arrow whose tree may look otherwise once its symbols are numbers."""
    for name in CLAIMED:
        if name in arrow.derivation.rules():
            raise NotCertifiable(
                f"the map of {name} is a Python function, which no certificate holds to be worked out later",
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
    if isinstance(x, dict) and decoding.is_open(x) and "symbol" in x:
        return frozenset({cast(str, x["symbol"])})
    inner = x.values() if isinstance(x, dict) else x if isinstance(x, list) else ()
    return frozenset().union(*map(symbols_in, inner))


def instantiated(x: Json, values: Mapping[str, Exact]) -> Json:
    """The same data with numbers in the place of symbols."""
    if decoding.is_open(x):
        return encoding.number(substitute(decoding.number(x), dict(values)))
    if isinstance(x, dict):
        return {name: instantiated(value, values) for name, value in x.items()}
    return [instantiated(each, values) for each in x] if isinstance(x, list) else x


def check(space: Data, tree: Data, before: Data, values: Mapping[str, Exact]) -> None:
    """Refuse values that no constructor would have taken. `before` is the tree with its symbols."""
    decoding.domain(space["domain"])
    for node, open_node in zip(nodes_of(tree), nodes_of(before), strict=True):
        parameters = {**cast(Data, node["parameters"]), **cast(Data, node["witness"])}
        for name, value in parameters.items():
            if name == "domain":
                decoding.domain(value)
            for each in _texts(value) if name == "joint" else [value]:
                if isinstance(each, str) and (name in NUMBERS or name == "joint"):
                    _check_number(name, Fraction(each), NUMBERS.get(name, LEAST))
        if {"k", "p"} <= set(parameters):
            _check_answers(parameters["k"], parameters["p"])
        for square in ("sigma_squared", "joint"):
            _check_bases(square, cast(Data, open_node["parameters"]).get(square), values)


def _check_number(name: str, value: Fraction, kind: Kind) -> None:
    if not kind.holds(value):
        refused = InvalidDistance if name == "joint" else InvalidParameter
        raise refused(f"Expected {name} to be a number {kind.says} but got {name}={value}", produced=value)


def _check_answers(k: Json, p: Json) -> None:
    if isinstance(p, str) and Fraction(p) * Fraction(cast(str, k)) < 1:
        raise InvalidParameter(
            f"Expected 1/{k} <= p < 1 for {k} answers but got p={p}: the truth would be the least likely answer",
            produced=p,
        )


def _check_bases(name: str, x: Json, values: Mapping[str, Exact]) -> None:
    """What was squared is a scale or a distance: its square does not show that it is negative."""
    if isinstance(x, list):
        for each in x:
            _check_bases(name, each, values)
    if isinstance(x, dict) and decoding.is_open(x) and "of" in x:
        base = cast("list[Json]", x["of"])[0]
        if x["op"] == "power" and decoding.is_open(base):
            value = substitute(decoding.number(base), dict(values))
            if not is_formula(value) and value < 0:
                raise InvalidParameter(f"Expected {name} to be the square of a positive number but got ({value})^2")
        _check_bases(name, x["of"], values)


def _texts(x: Json) -> Iterator[str]:
    if isinstance(x, list):
        for each in x:
            yield from _texts(each)
    elif isinstance(x, str):
        yield x
