"""What is done to a row: expressions, which say what they do, and constants in them; or a function of the user's own."""

from __future__ import annotations

import datetime
import math
from collections.abc import Hashable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final, Protocol, TypeAlias, final, runtime_checkable

from dpcore.calculus.parameters import NUMBER, Data, Json, Kind, Malformed, Many, Schema, fields, number
from dpcore.calculus.parameters.data import if_then, list_of, object_of
from dpcore.calculus.parameters.kind import a
from dpcore.calculus.parameters.quoting import LONG, plain_or_quoted, sentence
from dpcore.calculus.parameters.words import plain
from dpcore.errors import DPError, InvalidExpression, NotCertifiable
from dpcore.expressions import Expression, expression_from
from dpcore.expressions.node import DECLARED, Literal, literal_node
from dpcore.expressions.operations import OPERATIONS
from dpcore.functions import UserFunction
from dpcore.written.functions import FUNCTION
from dpcore.written.texts import DAY


def data_of(e: Expression) -> Data:
    """The tree of an expression, which nodes write as JSON."""
    return e.node.data()


@final
class Constant(Kind[Hashable]):
    """One value."""

    def encode(self, value: object) -> Json:
        import numpy as np

        held: object = value.item() if isinstance(value, np.generic) else value
        known = held is None or isinstance(held, (bool, str, int, Fraction, Decimal)) or type(held) is datetime.date
        if not known and not (isinstance(held, float) and math.isfinite(held)):
            raise NotCertifiable(f"a certificate writes no value of type {type(value).__name__}", produced=value)
        written = literal_node(held).data()
        if written["op"] == "number":
            number(Fraction(str(written["value"])))  # which refuses what is too long
        return written

    def decode(self, written: Json) -> Hashable:
        node = expression_from(written).node
        if not isinstance(node, Literal):
            raise InvalidExpression("Expected a constant but got another expression", produced=written)
        return node.value

    def words(self, written: Json) -> str:
        if isinstance(written, dict) and written.keys() == {"op", "value"}:
            return plain(written["value"])
        return plain(written)

    def definition(self) -> Schema:
        values: Schema = {
            "null": {"type": "null"},
            "truth": {"type": "boolean"},
            "text": {"type": "string"},
            "number": NUMBER.schema(),
            "date": DAY.schema(),
        }
        return {
            "description": "a value that data can have, with its type",
            "oneOf": [object_of({"op": {"const": kind}, "value": value}) for kind, value in values.items()],
        }


def _shortened(x: Json) -> Json:
    """With shorter names and texts."""
    if isinstance(x, list):
        return [_shortened(each) for each in x]
    if not isinstance(x, dict):
        return x
    of_others = {"field": "name", "text": "value"}.get(str(x.get("op")))
    return {key: _cut(value) if key == of_others else _shortened(value) for key, value in x.items()}


def _cut(x: Json) -> Json:
    return f"{x[:LONG]}... ({len(x)} characters)" if isinstance(x, str) and len(x) > LONG else x


@final
class RowExpression(Kind[Expression]):
    """An expression, as the tree that it is."""

    def encode(self, value: object) -> Json:
        return data_of(a(Expression, value))

    def decode(self, written: Json) -> Expression:
        return expression_from(written).structure()

    def words(self, written: Json) -> str:
        """As dpcore prints it; names and texts in it are cut off where they are long, and have no colon."""
        try:
            return sentence(repr(expression_from(_shortened(written)))).replace(":", "\\u003a")
        except (DPError, RecursionError):
            return plain(written)

    def definition(self) -> Schema:
        arities = {
            name: {"minItems": operation.arity} | ({} if operation.more else {"maxItems": operation.arity})
            for name, operation in OPERATIONS.items()
        }
        declared: Schema = {"enum": [*DECLARED]}
        operations: Schema = {
            **object_of({"op": {"enum": [*OPERATIONS]}, "of": list_of(self.schema(), least=0)}),
            "allOf": [if_then("op", name, {"properties": {"of": arity}}) for name, arity in arities.items()],
        }
        return {
            "anyOf": [
                CONSTANT.schema(),
                object_of({"op": {"const": "row"}}, optional={"type": declared}),
                object_of({"op": {"const": "field"}, "name": {"type": "string"}}, optional={"type": declared}),
                operations,
            ]
        }


EXPRESSION: Final = RowExpression("expression")
EXPRESSIONS: Final = Many("expressions", EXPRESSION, joined="; ".join)
CONSTANT: Final = Constant("constant")
CONSTANTS: Final = Many("constants", CONSTANT, unique=True)
CONSTANTS_OF_EACH: Final = Many("constants of each", CONSTANTS, joined="; ".join)


# ---- what is done to a row ---------------------------------------------------------------------------------------------

Named: TypeAlias = tuple[tuple[str, Expression], ...]


@runtime_checkable
class Says(Protocol):
    """A step that says what it does to a row. While symbols are free in it there is no expression, and it is data still."""

    def expression(self) -> Expression: ...

    def written(self) -> Json: ...

    def __hash__(self) -> int: ...


@final
class Spoken(Kind[Expression | Named | UserFunction]):
    """In full, where it is an expression."""

    def encode(self, value: object) -> Json:
        if isinstance(value, UserFunction):
            return {"function": FUNCTION.encode(value)}
        if isinstance(value, tuple):
            return {"record": {name: EXPRESSION.encode(e) for name, e in value}}
        if isinstance(value, Expression):
            return {"expression": data_of(value)}
        if isinstance(value, Says):
            return {"expression": value.written()}
        raise NotCertifiable(f"a certificate writes no value of type {type(value).__name__} here", produced=value)

    def decode(self, written: Json) -> Expression | Named | UserFunction:
        given = fields(written)
        if "expression" in given:
            return EXPRESSION.decode(given["expression"])
        if "function" in given:
            return FUNCTION.decode(given["function"])
        if "record" in given:
            return tuple((name, EXPRESSION.decode(e)) for name, e in fields(given["record"]).items())
        raise self._unlike(written)

    def words(self, written: Json) -> str:
        if isinstance(written, dict):
            if "expression" in written:
                return EXPRESSION.words(written["expression"])
            if "function" in written:
                return FUNCTION.words(written["function"])
            record = written.get("record")
            if isinstance(record, dict):
                return "; ".join(f"{plain_or_quoted(name)} = {EXPRESSION.words(e)}" for name, e in record.items())
        return plain(written)

    def _unlike(self, written: Json) -> Malformed:
        return Malformed("Expected an expression, a record or a function but got something else", produced=written)

    @property
    def of_users(self) -> bool:
        return True

    def functions(self, written: Json) -> Iterator[str]:
        match written:
            case {"function": function}:
                return FUNCTION.functions(function)
            case {"expression": _} | {"record": _}:
                return iter(())
        raise self._unlike(written)

    def definition(self) -> Schema:
        of_names: Schema = {"type": "object", "additionalProperties": EXPRESSION.schema(), "minProperties": 1}
        kinds: Schema = {"expression": EXPRESSION.schema(), "record": of_names, "function": FUNCTION.schema()}
        return {
            "description": "what is done to a row: an expression, several by name, or a function of the user's own",
            "oneOf": [object_of({kind: of}) for kind, of in kinds.items()],
        }


SPOKEN: Final = Spoken("spoken")
