"""Values as a certificate writes them: one encoding, numbers as the texts of exact rationals."""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Hashable
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias, cast

from dpcore.certificates.refusals import NotCertifiable
from dpcore.domains import (
    Booleans,
    Categories,
    Dates,
    Domain,
    Graphs,
    Integers,
    Numbers,
    Optional,
    Parts,
    Record,
    Rows,
    Text,
    Vector,
)
from dpcore.expressions import Expression, literal
from dpcore.functions import UserFunction, user_function
from dpcore.maps import Symbolic, is_formula, symbol, taken_apart
from dpcore.metrics import Granularity, Metric, PartDistance, PersonDistance
from dpcore.transformations.row_map import Clamp, Spoken

Json: TypeAlias = "bool | str | list[Json] | dict[str, Json] | None"

DIGITS = 1000
"""How many digits a number of a certificate has at most."""


def number(x: object) -> Json:
    """An exact rational, `3` or `-1/2`; a formula where symbols stand for it still."""
    if is_formula(x):
        return formula(x)
    if not isinstance(x, (int, Fraction)) or isinstance(x, bool):
        raise NotCertifiable(f"Expected an exact number for a certificate but got a {type(x).__name__}", produced=x)
    value = Fraction(x)
    if max(abs(value.numerator), value.denominator) >= 10**DIGITS:
        raise NotCertifiable(f"a number of more than {DIGITS} digits is not written into a certificate")
    return str(value)


def formula(x: Symbolic) -> Json:
    """A formula as a tree, like row expressions: its leaves are numbers and `{"symbol": "b"}`."""
    made = taken_apart(x)
    if made is None:
        raise NotCertifiable(f"a certificate writes sums, products and powers of symbols, not {x}", produced=x)
    op, operands = made
    if op == "symbol":
        if symbol(str(x)) != x:
            raise NotCertifiable(f"a certificate writes symbols made with symbol(...), not {x}", produced=x)
        return {"symbol": str(x)}
    of = [number(each) for each in operands]
    return {"op": op, "of": of if op == "power" else sorted(of, key=json.dumps)}


def maybe(x: object) -> Json:
    return None if x is None else number(x)


def constant(x: Hashable) -> Json:
    """A value that data can have, with its type: True is not 1."""
    plain = x.item() if hasattr(x, "item") else x
    known = plain is None or isinstance(plain, (bool, str, int, Fraction, Decimal)) or type(plain) is datetime.date
    if not known and not (isinstance(plain, float) and math.isfinite(plain)):
        raise NotCertifiable(f"a certificate writes no value of type {type(x).__name__}", produced=x)
    found = literal(plain).node.data()
    if found["op"] == "number":
        number(Fraction(str(found["value"])))
    return cast(Json, found)


def constants(values: tuple[Hashable, ...]) -> list[Json]:
    return [constant(v) for v in values]


def function(f: UserFunction) -> Json:
    """A function of the user's own: its name, and a digest of its code."""
    return {"name": f.name, "digest": f.digest}


def spoken(x: object) -> Json:
    """What is done to a row: in full where it is an expression."""
    if isinstance(x, Expression):
        return {"expression": cast(Json, x.node.data())}
    if isinstance(x, tuple):
        return {
            "record": {name: cast(Json, e.node.data()) for name, e in cast("tuple[tuple[str, Expression], ...]", x)}
        }
    if isinstance(x, UserFunction):
        return {"function": function(x)}
    if isinstance(x, Clamp) and x.symbols():  # an expression holds numbers only
        bounds = [{"op": "number", "value": number(end)} for end in (x.low, x.high)]
        return {"expression": {"op": "clip", "of": [{"op": "row"}, *bounds]}}
    return {"expression": cast(Json, cast(Spoken, x).expression().node.data())}


def domain(d: Domain) -> Json:
    """A domain as data."""
    match d:
        case Integers():
            return {"kind": "integers", "low": maybe(d.low), "high": maybe(d.high)}
        case Numbers():
            return {"kind": "numbers", "low": maybe(d.low), "high": maybe(d.high), "step": maybe(d.step)}
        case Booleans():
            return {"kind": "booleans"}
        case Text():
            return {"kind": "text"}
        case Dates():
            return {"kind": "date", "first": _day(d.low), "last": _day(d.high)}
        case Categories():
            return {"kind": "categories", "values": constants(d.values)}
        case Optional():
            return {"kind": "optional", "each": domain(d.of)}
        case Record():
            return {"kind": "fields", "fields": {name: domain(of) for name, of in d.fields}}
        case Vector():
            size, norm = number(d.size), d.norm
            return {"kind": "vector", "each": domain(d.of), "size": size, "norm": norm, "bound": maybe(d.bound)}
        case Rows():
            return {"kind": "rows", "each": domain(d.of), "size": maybe(d.size)}
        case Parts():
            return {"kind": "parts", "each": domain(d.of), "values": constants(d.keys)}
        case Graphs():
            return {"kind": "graphs", "size": number(d.nodes)}
    raise NotCertifiable(f"a certificate has no word for {d!r}", produced=d)


def _day(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()


def metric(m: Metric) -> Json:
    """A metric as data."""
    kind: dict[str, Json] = {"kind": type(m).__name__}
    if isinstance(m, PersonDistance):
        return {**kind, "person": m.by}
    if isinstance(m, PartDistance):
        return {**kind, "within": metric(m.of)}
    if isinstance(m, Granularity):
        f = user_function(cast("UserFunction", m.function), "distance")
        return {**kind, "name": m.name, "function": function(f), "rows": maybe(m.rows)}
    return kind
