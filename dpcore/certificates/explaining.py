"""A certificate as a tree in the terminal: each rule with its formula, its value at the distance that reaches it, and what
it was given, row expressions in full."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import cast

from dpcore.bounds import Bound
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.encoding import Json
from dpcore.certificates.quoting import line, pieces, sentence
from dpcore.certificates.reading import Node, read
from dpcore.certificates.telling import neighbours
from dpcore.derivation import Raw
from dpcore.maps import is_formula, is_number


def explained(certificate: Certificate) -> list[str]:
    """The lines of the tree; equal neighbours are written once."""
    data = certificate.data
    claim = cast("list[dict[str, Json]]", data["claims"])[0]
    loss = cast("dict[str, Json]", claim["loss"])
    lines = [
        *(f"attention: {sentence(each)}" for each in cast("list[str]", data["attention"])),
        f"between data {claim['d_in']} apart, where 1 apart is: {neighbours(data)}",
        *_lines(read(certificate), "", 1),
        f"claimed in {claim['measure']}: " + ", ".join(f"{name} {_claimed(value)}" for name, value in loss.items()),
        *(f"evidence, not proof: {pieces(each)}" for each in cast("list[str]", data["evidence"])),
    ]
    return [line(each) for each in lines]  # names are of others


def _lines(node: Node, indent: str, times: int) -> Iterator[str]:
    again = f"    ({times} times)" if times > 1 else ""
    given = "".join(f"    {name}: {value}" for name, value in node.parameters)
    yield f"{indent}{node.rule}: {node.formula()}    at {shown(node.distance)}: {shown(node.value)}{again}{given}"
    for premise, equal in groupby(node.premises):  # equal parts are one object
        yield from _lines(premise, indent + "  ", len([*equal]))


def _claimed(value: Json) -> str:
    """A figure of a claim; of a curve, its points."""
    if isinstance(value, list):
        return "; ".join(" ".join(map(_claimed, point)) for point in cast("list[list[Json]]", value))
    return "not known yet" if value is None else str(value)


def shown(x: Raw | None) -> str:
    """A value as it is read in a terminal: exact, or rounded up."""
    if x is None:
        return "not known here"
    if isinstance(x, tuple):
        return f"({', '.join(map(shown, x))})"
    if is_formula(x):
        return str(x)
    return str(Bound(x)) if is_number(x) else "a curve"
