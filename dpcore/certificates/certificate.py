"""The derivation of a bound as first-order data, which somebody checks who does not have dpcore.

    certificate = certify(measurement, d_in=1)
    certificate.save("total.cert.json")

    python -I -S check_certificate.py total.cert.json

The same pipeline gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import cast, final

from dpcore.certificates import encoding, remarks
from dpcore.certificates.encoding import Json
from dpcore.certificates.language import LANGUAGE, REFUSED, parameters
from dpcore.certificates.refusals import NotCertifiable
from dpcore.certificates.rounding import lower, upper
from dpcore.certificates.witnesses import Found, witnessed
from dpcore.core import Measurement, a_measurement
from dpcore.derivation import Derivation, Raw
from dpcore.domains import Domain, Rows
from dpcore.errors import FreeSymbols, InvalidParameter, Vacuous
from dpcore.maps import Numeric, at_precision, ends, exact, known, numeral
from dpcore.measures import Measure, Tradeoff
from dpcore.metrics import Metric

FORMAT = "dpcore-certificate/1"
DEPTH = 180
"""How deep a certificate may be nested; the checker's limit is a little higher."""

BITS = 512
"""Bits of the balls that claims are read from: an auditor must find them tight."""

AnyMeasurement = Measurement[Domain, Metric, Measure, object]


@final
@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """A certificate, as its canonical text. Equal to another of the same bytes."""

    written: str

    def __post_init__(self) -> None:
        try:
            found = json.loads(self.written)
        except (ValueError, RecursionError) as error:
            raise InvalidParameter(f"Expected a certificate but got no JSON: {type(error).__name__}") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise InvalidParameter(f"Expected a certificate of the format {FORMAT}", expected=FORMAT)
        if _canonical(cast("dict[str, Json]", found)) != self.written:
            raise InvalidParameter("Expected a certificate as dpcore writes it: this text was changed by hand")

    @property
    def data(self) -> dict[str, Json]:
        """What it says, as JSON holds it."""
        return cast("dict[str, Json]", json.loads(self.written))

    def text(self) -> bytes:
        """The canonical bytes."""
        return self.written.encode("ascii")

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        Path(path).write_bytes(self.text())

    @classmethod
    def load(cls, path: str | Path) -> Certificate:
        """Read it from a file. Whether it holds is for the checker to say."""
        try:
            return cls(Path(path).read_bytes().decode("ascii"))
        except UnicodeDecodeError:
            raise InvalidParameter("Expected a certificate but got no text") from None

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.written)} bytes>"


def certify(measurement: object, d_in: Numeric = 1, *, at: Sequence[Numeric] | None = None) -> Certificate:
    """The certificate of what the measurement loses between inputs `d_in` apart.

    A loss that is a curve is certified at the points `at`: orders of RenyiDP, epsilons of Profile, false-positive rates of
    Tradeoff.
    """
    a_measurement(measurement)
    m = cast(AnyMeasurement, measurement)
    _certifiable(m)
    d = m.input.metric.check(d_in, m.input.domain)
    if d == 0 or (isinstance(m.input.domain, Rows) and m.input.domain.size == 0):
        raise Vacuous("between inputs that do not differ nothing is ever lost, and no certificate says so", produced=d)
    points = _points(m.measure, at)

    def evaluate(derivation: Derivation) -> list[Raw]:
        return at_precision(BITS, lambda: _figures(m, derivation, d, points))

    found = witnessed(m.derivation, evaluate)
    loss, lossless = _loss(m.measure, evaluate(found.derivation), points)
    tree = _tree(found.derivation, m.derivation, found)
    nodes = list(_nodes(tree))
    data: dict[str, Json] = {
        "format": FORMAT,
        "dpcore": _version(),
        "code": _code(),
        "neighbours": m.input.metric.words(),
        "space": {"domain": encoding.domain(m.input.domain), "metric": encoding.metric(m.input.metric)},
        "derivation": tree,
        "claims": [{"d_in": encoding.number(d), "measure": m.measure.name, "loss": loss}],
        "assumptions": remarks.assumptions(nodes),
        "attention": remarks.attention({cast(str, node["rule"]) for node in nodes}, lossless=lossless),
    }
    if _depth(data) > DEPTH:
        raise NotCertifiable(f"the derivation is nested more than {DEPTH} deep", left=m)
    return Certificate(_canonical(data))


# ---- the parts ---------------------------------------------------------------------------------------------------------


def _certifiable(m: AnyMeasurement) -> None:
    if m.symbols:
        name = min(m.symbols)
        raise FreeSymbols(
            f"{name} is still a symbol: a certificate is of numbers", left=m, bridge=f".bind({name}=...) first"
        )
    for rule in sorted(m.derivation.rules()):
        if rule not in LANGUAGE:
            reason = REFUSED.get(rule, "it is not in the language of certificates")
            raise NotCertifiable(f"the rule {rule} cannot be certified: {reason}", left=m, produced=rule)


def _points(measure: Measure, at: Sequence[Numeric] | None) -> tuple[Fraction, ...]:
    if (measure.variable is None) != (at is None):
        raise InvalidParameter(
            f"Expected points of the curve as at=[...] if the loss is a curve, and only then, but got at={at!r}",
            produced=measure,
        )
    found = tuple(Fraction(known(exact(x, "at"))) for x in at or ())
    low, high = {"renyi": (1, None), "profile": (0, None), "tradeoff": (0, 1)}.get(measure.name, (0, None))
    for x in found:
        if x < low or (measure.name == "renyi" and x == 1) or (high is not None and x > high):
            raise InvalidParameter(f"the curve of {measure!r} has no point at {x}", produced=x)
    if measure.variable is not None and not found:
        raise InvalidParameter("Expected at least one point in at")
    return found


def _figures(m: AnyMeasurement, derivation: Derivation, d: int | Fraction, points: tuple[Fraction, ...]) -> list[Raw]:
    raw = derivation.numbers()(m.input.metric.carry(numeral(d)))
    if callable(raw):
        return [raw(numeral(x)) for x in points]
    shown = m.measure.shown(raw)
    return list(shown) if isinstance(shown, tuple) else [shown]


def _loss(measure: Measure, figures: list[Raw], points: tuple[Fraction, ...]) -> tuple[Json, bool]:
    """The loss as it is claimed, rounded to the safe side; and whether there is none."""
    safe = lower if isinstance(measure, Tradeoff) else upper
    claimed = [safe(numeral(figure)) for figure in figures]
    if (measure.figures[-1] == "delta") and claimed and max(claimed[-1:] if not points else claimed) >= 1:
        raise Vacuous("a delta of 1 promises nothing, and no certificate says so", produced=measure)
    lossless = not any(any(ends(numeral(figure))) for figure in figures)
    if points:
        return {
            "points": [[encoding.number(x), encoding.number(y)] for x, y in zip(points, claimed, strict=True)]
        }, lossless
    return {name: encoding.number(y) for name, y in zip(measure.figures, claimed, strict=True)}, lossless


def _tree(derivation: Derivation, original: Derivation, found: Found) -> dict[str, Json]:
    """The derivation as data; rules by the names of the original one."""
    return {
        "rule": original.rule.name,
        "parameters": {**parameters(original.rule.name, original.parameters)},
        "premises": [_tree(p, q, found) for p, q in zip(derivation.premises, original.premises, strict=True)],
        "witness": found.witness.get(id(derivation), {}),
    }


def _nodes(tree: Mapping[str, Json]) -> Iterable[Mapping[str, Json]]:
    yield tree
    for premise in cast("list[dict[str, Json]]", tree["premises"]):
        yield from _nodes(premise)


def _depth(x: Json) -> int:
    inner = x.values() if isinstance(x, dict) else x if isinstance(x, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def _canonical(data: dict[str, Json]) -> str:
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=True) + "\n"


def _version() -> str:
    try:
        return version("dpcore")
    except PackageNotFoundError:
        return "unknown"


@cache
def _code() -> str:
    """A digest of the code of dpcore."""
    digest = hashlib.sha256()
    for name, content in sorted(_sources(files("dpcore"), "")):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _sources(folder: Traversable, place: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{place}{entry.name}/")
        elif entry.name.endswith(".py"):
            yield place + entry.name, entry.read_bytes()
