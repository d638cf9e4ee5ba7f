"""Values read back from what `encoding` wrote: numbers, domains, metrics, measures, derivations.

Of a derivation comes back what its map needs, so a bound can be worked out from a certificate; it cannot be run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, NoReturn, cast

from dpcore import combinators, conversions, measurements, transformations
from dpcore.certificates.encoding import Json
from dpcore.certificates.language import LANGUAGE
from dpcore.derivation import RULES, Derivation
from dpcore.domains import (
    Booleans,
    Categories,
    Dates,
    Domain,
    Graphs,
    Integers,
    Norm,
    Numbers,
    Optional,
    Parts,
    Record,
    Rows,
    Text,
    Vector,
)
from dpcore.errors import InvalidParameter
from dpcore.expressions import expression_from
from dpcore.functions import UserFunction
from dpcore.maps import Exact, exact, integer, put_together, symbol
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import (
    AbsoluteDistance,
    ChangeOneDistance,
    DiscreteDistance,
    EdgeDistance,
    Granularity,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    NodeDistance,
    PartDistance,
    PersonDistance,
    RangeDistance,
    SymmetricDistance,
)

POWER = 64
"""How high a power in a formula may be: what is written in a few digits must not fill the memory."""


def load_rules() -> None:
    """Import whatever states rules, so that each is known by its name."""
    for package in (combinators, conversions, measurements, transformations):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)


# ---- numbers -----------------------------------------------------------------------------------------------------------


def is_open(x: Json) -> bool:
    """Whether it is a formula in symbols, and not a number or a row expression."""
    if not isinstance(x, dict):
        return False
    if set(x) == {"symbol"}:
        return isinstance(x["symbol"], str)
    of = x.get("of")
    return set(x) == {"op", "of"} and isinstance(of, list) and any(isinstance(v, str) or is_open(v) for v in of)


def number(x: Json) -> Exact:
    """A number, or a formula where symbols stand for it."""
    if isinstance(x, str):
        return exact(Fraction(x))
    if not is_open(x):
        raise InvalidParameter("Expected a number or a formula in symbols but got something else", produced=x)
    return _formula(cast("dict[str, Json]", x), POWER)


def _formula(x: dict[str, Json], most: int) -> Exact:
    if "symbol" in x:
        return symbol(cast(str, x["symbol"]))
    op, operands = cast(str, x["op"]), cast("list[Json]", x["of"])
    if op not in ("add", "multiply", "power") or (op == "power" and len(operands) != 2):
        raise InvalidParameter(f"there is no operation {op!r} of {len(operands)} in a formula of symbols", produced=x)
    if op == "power":
        exponent = Fraction(cast(str, operands[1]))
        height = max(abs(exponent.numerator), exponent.denominator)
        if height > most:
            raise InvalidParameter(f"Expected powers up to {POWER} in a formula but got more", produced=x)
        return put_together(op, (_operand(operands[0], most // height), exponent))
    return put_together(op, [_operand(each, most) for each in operands])


def _operand(x: Json, most: int) -> Exact:
    return _formula(x, most) if isinstance(x, dict) and is_open(x) else number(x)


def _maybe(x: Json) -> Exact | None:
    return None if x is None else number(x)


# ---- domains, metrics, measures ----------------------------------------------------------------------------------------


def domain(x: Json) -> Domain:
    """The domain, after the checks that its constructor makes."""
    given = cast("dict[str, Json]", x)
    kind = given["kind"]
    if kind == "integers":
        low, high = _maybe(given["low"]), _maybe(given["high"])
        return Integers(None if low is None else integer(low, "low"), None if high is None else integer(high, "high"))
    if kind == "numbers":
        return Numbers(_maybe(given["low"]), _maybe(given["high"]), _maybe(given["step"]))
    if kind == "date":
        return Dates(_day(given["first"]), _day(given["last"]))
    if kind == "categories":
        return Categories(tuple(map(_constant, cast("list[Json]", given["values"]))))
    if kind == "fields":
        fields = cast("dict[str, Json]", given["fields"])
        return Record(tuple((name, domain(of)) for name, of in fields.items()))
    if kind == "graphs":
        return Graphs(_count(given["size"]))
    if kind in ("booleans", "text"):
        return Booleans() if kind == "booleans" else Text()
    each = domain(given["each"])
    if kind == "optional":
        return Optional(each)
    if kind == "rows":
        return Rows(each, None if given["size"] is None else _count(given["size"]))
    if kind == "parts":
        return Parts(each, tuple(map(_constant, cast("list[Json]", given["values"]))))
    if kind == "vector":
        return Vector(each, _count(given["size"]), cast("Norm | None", given["norm"]), _maybe(given["bound"]))
    raise InvalidParameter(f"there is no domain {kind!r}", produced=kind)


def _count(x: Json) -> int:
    return int(Fraction(cast(str, x)))


def _day(x: Json) -> datetime.date | None:
    return None if x is None else datetime.date.fromisoformat(cast(str, x))


def _constant(x: Json) -> Hashable:
    found: Hashable = expression_from(x).on_row(None)
    return found


_PLAIN: Final[Mapping[str, type[Metric]]] = {
    kind.__name__: kind
    for kind in (
        SymmetricDistance,
        ChangeOneDistance,
        DiscreteDistance,
        AbsoluteDistance,
        L1Distance,
        L2Distance,
        LInfDistance,
        RangeDistance,
        EdgeDistance,
        NodeDistance,
    )
}


def metric(x: Json) -> Metric:
    """The metric; of a user's own, without the function that executes it."""
    given = cast("dict[str, Json]", x)
    kind = cast(str, given["kind"])
    if kind in _PLAIN:
        return _PLAIN[kind]()
    if kind == "PersonDistance":
        return PersonDistance(cast(str, given["person"]))
    if kind == "PartDistance":
        return PartDistance(cast(SymmetricDistance, metric(given["within"])))
    if kind == "Granularity":
        f, rows = cast("dict[str, str]", given["function"]), given["rows"]
        absent = UserFunction(_absent, f["name"], f["digest"])
        return Granularity(cast(str, given["name"]), cast("_Distance", absent), None if rows is None else _count(rows))
    raise InvalidParameter(f"there is no metric {kind!r}", produced=kind)


_Distance = Callable[[object, object], Fraction]


def _absent(x: object) -> NoReturn:
    raise InvalidParameter("a certificate holds the name of a function, not the function")


def measure(x: Json) -> Measure:
    found = next((each for each in MEASURES if each.name == x), None)
    if found is None:
        raise InvalidParameter(f"there is no measure {x!r}", produced=x)
    return found


# ---- derivations -------------------------------------------------------------------------------------------------------


def derivation(tree: Json) -> Derivation:
    """What the maps of the rules need of a derivation, with its symbols. Call `load_rules` before."""
    node = cast("dict[str, Json]", tree)
    name = cast(str, node["rule"])
    if name not in LANGUAGE or name not in RULES:
        raise InvalidParameter(f"there is no rule {name!r} in certificates", produced=name)
    rule = RULES[name]
    written = {(word.partition("=")[2] or word): word.partition("=")[0] for word in LANGUAGE[name].split()}
    given = {**cast("dict[str, Json]", node["parameters"]), **cast("dict[str, Json]", node["witness"])}
    parameters = {each: _parameter(given.get(written.get(each, each))) for each in rule.map_names}
    if "losses" in parameters:  # fixed beforehand, as pairs or as single figures
        losses = cast("tuple[tuple[object, ...], ...]", parameters["losses"])
        parameters["losses"] = tuple(loss[0] if len(loss) == 1 else loss for loss in losses)
    return Derivation(rule, parameters, tuple(derivation(premise) for premise in cast("list[Json]", node["premises"])))


def _parameter(x: Json) -> object:
    if isinstance(x, list):
        return tuple(map(_parameter, cast("Sequence[Json]", x)))
    return None if x is None else number(x)
