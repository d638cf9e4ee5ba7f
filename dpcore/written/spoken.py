"""What is done to a row: an expression, several by name, or a function of the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol, TypeAlias, final, runtime_checkable

from dpcore.calculus.parameters import Json, Kind, Malformed, Schema, fields
from dpcore.calculus.parameters.data import object_of
from dpcore.calculus.parameters.quoting import plain_or_quoted
from dpcore.calculus.parameters.words import plain
from dpcore.errors import NotCertifiable
from dpcore.expressions import Expression
from dpcore.functions import UserFunction
from dpcore.written.expressions import EXPRESSION, data_of
from dpcore.written.functions import FUNCTION

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
        raise Malformed("Expected an expression, a record or a function but got something else", produced=written)

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

    def functions(self, written: Json) -> Iterator[str]:
        given = fields(written)
        return FUNCTION.functions(given["function"]) if "function" in given else iter(())

    def definition(self) -> Schema:
        of_names: Schema = {"type": "object", "additionalProperties": EXPRESSION.schema(), "minProperties": 1}
        kinds: Schema = {"expression": EXPRESSION.schema(), "record": of_names, "function": FUNCTION.schema()}
        return {
            "description": "what is done to a row: an expression, several by name, or a function of the user's own",
            "oneOf": [object_of({kind: of}) for kind, of in kinds.items()],
        }


SPOKEN: Final = Spoken("spoken")
