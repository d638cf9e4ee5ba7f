"""What stands in a certificate, as JSON holds it; the one refusal of what is not written so; and JSON Schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from dpcore.errors import InvalidParameter

Json: TypeAlias = "bool | str | list[Json] | dict[str, Json] | None"
Data: TypeAlias = "dict[str, Json]"


class Malformed(InvalidParameter):
    """This is not written as certificates are."""


def text(x: Json) -> str:
    """A text."""
    if not isinstance(x, str):
        raise Malformed(f"Expected a text but got {_shape(x)}", produced=x)
    return x


def entries(x: Json) -> list[Json]:
    """The entries of a list."""
    if not isinstance(x, list):
        raise Malformed(f"Expected a list but got {_shape(x)}", produced=x)
    return x


def fields(x: Json, *names: str) -> Data:
    """An object that has at least these fields."""
    if not isinstance(x, dict):
        raise Malformed(f"Expected an object but got {_shape(x)}", produced=x)
    for name in names:
        if name not in x:
            raise Malformed(f"Expected a field {name!r} but there is none")
    return x


def _shape(x: Json) -> str:
    if x is None:
        return "null"
    return {bool: "a truth value", str: "a text", list: "a list", dict: "an object"}.get(type(x), "a bare number")


Schema: TypeAlias = dict[str, object]


def ref(name: str) -> Schema:
    """What stands under this name among the definitions."""
    return {"$ref": f"#/$defs/{name}"}


def object_of(properties: Mapping[str, object], optional: Mapping[str, object] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": [*properties],
        "additionalProperties": False,
    }


def list_of(each: Schema, *, least: int = 1, unique: bool = False) -> Schema:
    return {"type": "array", "items": each, "minItems": least, **({"uniqueItems": True} if unique else {})}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def if_then(key: str, value: str, then: Schema) -> Schema:
    """Where a field has this value, the object is of this shape as well."""
    return {"if": {"properties": {key: {"const": value}}, "required": [key]}, "then": then}
