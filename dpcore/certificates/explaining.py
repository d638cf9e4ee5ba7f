"""A certificate as a tree in the terminal: each rule with its formula, its value at the distance that reaches it, and what
it was given, row expressions in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import groupby

from dpcore.calculus import Raw
from dpcore.calculus.parameters import Json, fields
from dpcore.calculus.parameters.quoting import line, pieces, sentence
from dpcore.certificates import decoding
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import Claim
from dpcore.certificates.reading import Node, read
from dpcore.core.readings import Map
from dpcore.errors import DPError
from dpcore.maps import is_formula, is_number
from dpcore.maps.bounds import Bound
from dpcore.written import MEASURE, METRIC


def explained(certificate: Certificate) -> list[str]:
    """The lines of the tree; equal neighbours are written once."""
    document = certificate.document
    claim = document.claims[0]
    lines = [
        *(f"attention: {sentence(each)}" for each in document.attention),
        *(f"advice: {each}" for each in certificate.advice),
        f"between data {claim.d_in} apart, where 1 apart is: {neighbours(document.written())}",
        *_lines(read(certificate), "", 1),
        f"claimed in {claim.measure}: {', '.join(_figures(claim))}",
        *(f"evidence, not proof: {pieces(each)}" for each in document.evidence),
    ]
    return [line(each) for each in lines]  # names are of others


def formula(certificate: Certificate) -> Map:
    """The map of the whole in `d_in` and what is left as a symbol, read back from the tree. Nothing is computed with it."""
    document = certificate.document
    metric, measure = METRIC.decode(document.space.metric), MEASURE.decode(document.claims[0].measure)
    return Map(decoding.derivation(document.derivation), metric, measure)


def _lines(node: Node, indent: str, times: int) -> Iterator[str]:
    again = f"    ({times} times)" if times > 1 else ""
    given = "".join(f"    {name}: {value}" for name, value in node.parameters)
    yield f"{indent}{node.rule}: {node.formula()}    at {shown(node.distance)}: {shown(node.value)}{again}{given}"
    for premise, equal in groupby(node.premises):  # equal parts are one object
        yield from _lines(premise, indent + "  ", len([*equal]))


def _figures(claim: Claim) -> Iterator[str]:
    if claim.points:
        yield "points " + "; ".join(f"{x} {_figure(y)}" for x, y in claim.points)
    for name, value in claim.figures.items():
        yield f"{name} {_figure(value)}"


def _figure(value: Fraction | None) -> str:
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


def neighbours(data: Mapping[str, Json]) -> str:
    """As the checkers say it; if that cannot be read, what the certificate says itself."""
    try:
        return METRIC.neighbours(fields(data["space"], "metric")["metric"])
    except (DPError, KeyError):
        return sentence(str(data.get("neighbours")))
