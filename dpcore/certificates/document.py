"""The document that a certificate is: read once, at the door, into values of these classes, and written in one way."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import metadata
from typing import Final, final

from dpcore.calculus.parameters import Data, Json, Malformed, entries, fields, number, read_number, text
from dpcore.maps import known

FORMAT: Final = "dpcore-certificate/1"


@final
@dataclass(frozen=True, slots=True)
class Inference:
    """A rule applied to parameters and premises, with its witness. What the rule makes of them as data is for it to say."""

    rule: str
    parameters: Data
    premises: tuple[Inference, ...]
    witness: Data

    @classmethod
    def read(cls, x: Json) -> Inference:
        """The rule may be one that nobody knows."""
        given = fields(x, "rule", "parameters", "premises", "witness")
        premises = tuple([cls.read(premise) for premise in entries(given["premises"])])
        return cls(text(given["rule"]), fields(given["parameters"]), premises, fields(given["witness"]))

    def written(self) -> Data:
        premises: list[Json] = [premise.written() for premise in self.premises]
        return {"parameters": self.parameters, "premises": premises, "rule": self.rule, "witness": self.witness}

    def all(self) -> Iterator[Inference]:
        """Itself, and all below it."""
        yield self
        for premise in self.premises:
            yield from premise.all()


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """Between data `d_in` apart the loss is at most this: figures by their names; of a curve, figures at its points.

    A figure is None as long as symbols stand for numbers.
    """

    d_in: Fraction
    measure: str
    figures: Mapping[str, Fraction | None]
    points: tuple[tuple[Fraction, Fraction | None], ...] = ()

    @classmethod
    def read(cls, x: Json) -> Claim:
        given = fields(x, "d_in", "measure", "loss")
        loss = fields(given["loss"])
        d_in, measure = _number(given["d_in"]), text(given["measure"])
        if "points" in loss:
            return cls(d_in, measure, {}, tuple([_point(point) for point in entries(loss["points"])]))
        return cls(d_in, measure, {name: _figure(value) for name, value in loss.items()})

    def written(self) -> Data:
        loss: Data = {name: _written(value) for name, value in self.figures.items()}
        if self.points:
            loss = {"points": [[number(x), _written(y)] for x, y in self.points]}
        return {"d_in": number(self.d_in), "measure": self.measure, "loss": loss}


@final
@dataclass(frozen=True, slots=True)
class SpaceData:
    """Which data it is about, and how far apart they are. See `dpcore.written.DOMAIN` and `METRIC`."""

    domain: Data
    metric: Data

    @classmethod
    def read(cls, x: Json) -> SpaceData:
        given = fields(x, "domain", "metric")
        return cls(fields(given["domain"]), fields(given["metric"]))

    def written(self) -> Data:
        return {"domain": self.domain, "metric": self.metric}


@final
@dataclass(frozen=True, slots=True)
class Document:
    """All that a certificate says."""

    version: str
    code: str
    neighbours: str
    space: SpaceData
    derivation: Inference
    claims: tuple[Claim, ...]
    assumptions: tuple[str, ...]
    attention: tuple[str, ...]
    evidence: tuple[str, ...]
    symbols: tuple[str, ...] = ()

    @classmethod
    def read(cls, x: Json) -> Document:
        """Refuses what is not written like a certificate; whether it holds is for the checker to say."""
        given = fields(x, "format", "dpcore", "code", "neighbours", "space", "derivation", "claims")
        if given["format"] != FORMAT:
            raise Malformed(f"Expected a certificate of the format {FORMAT}", expected=FORMAT)
        claims = tuple([Claim.read(claim) for claim in entries(given["claims"])])
        if not claims:
            raise Malformed("Expected at least one claim but there is none")
        try:
            derivation = Inference.read(given["derivation"])
        except RecursionError:
            raise Malformed("the derivation is nested too deep to be read") from None
        assumptions, attention, evidence = [
            _texts(fields(given, name)[name]) for name in ("assumptions", "attention", "evidence")
        ]
        version, code, neighbours = [text(given[name]) for name in ("dpcore", "code", "neighbours")]
        space, symbols = SpaceData.read(given["space"]), _texts(given.get("symbols", []))
        return cls(version, code, neighbours, space, derivation, claims, assumptions, attention, evidence, symbols)

    def written(self) -> Data:
        """As JSON holds it."""
        data: Data = {
            "format": FORMAT,
            "dpcore": self.version,
            "code": self.code,
            "neighbours": self.neighbours,
            "space": self.space.written(),
            "derivation": self.derivation.written(),
            "claims": [claim.written() for claim in self.claims],
            "assumptions": [*self.assumptions],
            "attention": [*self.attention],
            "evidence": [*self.evidence],
        }
        return {**data, "symbols": [*self.symbols]} if self.symbols else data


def canonical(data: Mapping[str, Json]) -> str:
    """The one text of a document."""
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=True) + "\n"


def version() -> str:
    """Of dpcore, as it is installed."""
    try:
        return metadata.version("dpcore")
    except metadata.PackageNotFoundError:
        return "unknown"


def _texts(x: Json) -> tuple[str, ...]:
    return tuple([text(each) for each in entries(x)])


def _number(x: Json) -> Fraction:
    return Fraction(known(read_number(text(x))))


def _figure(x: Json) -> Fraction | None:
    return None if x is None else _number(x)


def _point(x: Json) -> tuple[Fraction, Fraction | None]:
    point = entries(x)
    if len(point) != 2:
        raise Malformed(f"Expected a point of a curve and its value but got {len(point)} values")
    return _number(point[0]), _figure(point[1])


def _written(x: Fraction | None) -> Json:
    return None if x is None else number(x)
