"""How JSON Schemas are put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

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
