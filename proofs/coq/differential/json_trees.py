"""Certificates as trees of JSON: their places, their rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, cast

Json: TypeAlias = "bool | str | list[Json] | dict[str, Json] | None"
Node: TypeAlias = "dict[str, Json]"
Place: TypeAlias = "tuple[list[Json] | dict[str, Json], int | str]"


def places(x: Json) -> Iterator[Place]:
    """Every place in the tree."""
    inner: Iterator[tuple[int | str, Json]] = iter(())
    if isinstance(x, dict):
        inner = iter(x.items())
    elif isinstance(x, list):
        inner = iter(enumerate(x))
    for key, value in inner:
        yield cast("list[Json] | dict[str, Json]", x), key
        yield from places(value)


def at(place: Place) -> Json:
    holder, key = place
    return cast("dict[int | str, Json]", holder)[key]


def put(place: Place, value: Json) -> None:
    holder, key = place
    cast("dict[int | str, Json]", holder)[key] = value


def nodes(certificate: Json) -> Iterator[Node]:
    """The nodes of the derivation, each before its premises."""
    for place in places(certificate):
        found = at(place)
        if isinstance(found, dict) and "rule" in found:
            yield found


def rules(certificate: Json) -> set[str]:
    return {str(node["rule"]) for node in nodes(certificate)}


def node(rule: str, *premises: Json, witness: Node | None = None, **parameters: Json) -> Node:
    return {"rule": rule, "parameters": {**parameters}, "premises": [*premises], "witness": {**(witness or {})}}
