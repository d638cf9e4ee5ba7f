"""The derivation of a bound as first-order data, which somebody checks who does not have dpcore.

    certificate = certify(measurement, d_in=1)
    certificate.save("total.cert.json")

    python -I -S check_certificate.py total.cert.json

The same pipeline gives the same bytes. With symbols it claims nothing until they are bound; then it is the certificate of
the pipeline with these numbers:

    certify(ages >> count() >> laplace(scale=symbol("b"))).bind(b=2)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Final, Protocol, TypeGuard, final, runtime_checkable

from dpcore.calculus import Derivation
from dpcore.calculus.parameters import Data, Json
from dpcore.certificates import decoding, symbolic
from dpcore.certificates.advice import advice
from dpcore.certificates.assembling import Head, assembled, tree_of, with_witnesses
from dpcore.certificates.checker_file import figures_of_checker
from dpcore.certificates.claims import Question, points_of
from dpcore.certificates.document import FORMAT, Claim, Document, Inference, SpaceData, canonical
from dpcore.certificates.evidence import Evidence, lines
from dpcore.core.origins import Arrow, Recorded
from dpcore.domains import Rows
from dpcore.errors import InvalidParameter, NotCertifiable, Vacuous
from dpcore.maps import Numeric, exact
from dpcore.measures import Measure
from dpcore.written import DOMAIN, MEASURE, METRIC

DEPTH: Final = 180
"""How deep a certificate may be nested; the checker's limit is a little higher."""


class Losing(Arrow, Protocol):
    """A measurement, or what is asked one question after another."""

    @property
    def measure(self) -> Measure: ...


@runtime_checkable
class Asked(Protocol):
    """A curator, who is certified by what was asked."""

    @property
    def transcript(self) -> Losing: ...


@runtime_checkable
class AtOrders(Protocol):
    """A filter of curves, which is certified at the orders of its budget."""

    @property
    def orders(self) -> tuple[Fraction, ...]: ...


@final
@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """A certificate, as its canonical text. Equal to another of the same bytes."""

    written: str
    _document: Document | None = field(init=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if canonical(_data(lambda: json.loads(self.written))) != self.written:
            raise InvalidParameter(
                "Expected the text as dpcore writes it; something else formatted or changed it",
                bridge="the commands dpcore verify, explain, report and diff, which read it however it is formatted",
            )

    @classmethod
    def of(cls, document: Document) -> Certificate:
        """The certificate that a document is."""
        data = document.written()
        if _depth(data) > DEPTH:
            raise NotCertifiable(f"the derivation is nested more than {DEPTH} deep")
        made = object.__new__(cls)
        object.__setattr__(made, "written", canonical(data))
        object.__setattr__(made, "_document", None)  # fields come in another order when it is read
        return made

    @property
    def data(self) -> Data:
        """What it says, as JSON holds it."""
        return _data(lambda: json.loads(self.written))

    @property
    def document(self) -> Document:
        """What it says, read once. What is not written as certificates are is refused."""
        document = self._document
        if document is None:
            document = Document.read(self.data)
            object.__setattr__(self, "_document", document)
        return document

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that still stand for numbers. While there are any, it claims nothing."""
        return frozenset(self.document.symbols)

    @property
    def advice(self) -> tuple[str, ...]:
        """What its claims are worth, beside being true: an epsilon above 1, a delta at or above 1/n. No file says so."""
        return advice(self.document)

    def bind(self, **values: Numeric) -> Certificate:
        """The certificate with numbers in the place of symbols; once none is left, with its claim."""
        return _bound(self, values)

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


def _depth(x: Json) -> int:
    inner = x.values() if isinstance(x, dict) else x if isinstance(x, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def reformatted(written: bytes) -> Certificate:
    """The certificate that a text says, however it is formatted: to the checker, too, the format means nothing."""
    return Certificate(canonical(_data(lambda: _strictly(written.decode("utf-8")))))


def _data(read: Callable[[], Json]) -> Data:
    """The JSON of a text that names the format of certificates."""
    try:
        x = read()
    except InvalidParameter:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidParameter(f"Expected a certificate but got no JSON: {type(error).__name__}") from None
    if not isinstance(x, dict) or x.get("format") != FORMAT:
        raise InvalidParameter(f"Expected a certificate of the format {FORMAT}", expected=FORMAT)
    return x


def _strictly(written: str) -> Json:
    x: Json = json.loads(written, parse_float=_bare, parse_constant=_bare, object_pairs_hook=_unique)
    return x


def _bare(number: str) -> Json:
    """Read as a float it would be another number than the one that is written."""
    raise InvalidParameter("Expected numbers as texts such as '1/2' but got a bare number", produced=number)


def _unique(pairs: list[tuple[str, Json]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidParameter("Expected each key once but got one twice")
    return found


def certify(
    measurement: object,
    d_in: Numeric = 1,
    *,
    at: Sequence[Numeric] | None = None,
    evidence: Sequence[Evidence] = (),
) -> Certificate:
    """The certificate of what the measurement loses between inputs `d_in` apart.

    Of an interactive arrow, or of a curator, that is what all answers together lose, however the questions are chosen.
    A loss that is a curve is certified at the points `at`: orders of RenyiDP, epsilons of Profile, false-positive rates of
    Tradeoff; that of a filter in RenyiDP, unless said otherwise, at the orders of its budget.
    What `assurance.falsify` and `assurance.exhaust` said of the measurement, or of an arrow in it, may stand in it as
    evidence; it proves nothing.
    """
    m = _losing(measurement.transcript if isinstance(measurement, Asked) else measurement)
    _certifiable(m)
    if at is None and isinstance(m, AtOrders):
        at = m.orders or None
    d = m.input.metric.check(d_in, m.input.domain)
    if d == 0 or (isinstance(m.input.domain, Rows) and m.input.domain.size == 0):
        raise Vacuous("between inputs that do not differ nothing is ever lost, and no certificate says so", produced=d)
    question = Question(m.input.metric, m.measure, d, points_of(m.measure, at))
    space = SpaceData(DOMAIN.encode(m.input.domain), METRIC.encode(m.input.metric))
    head = Head(m.input.metric.words(), space, () if type(evidence) is tuple and not evidence else lines(evidence, m))
    if not m.derivation.symbols and not m.input.free:
        return _settled(head, tree_of(m.derivation), m.derivation, question)
    symbolic.refuse_what_binding_would_change(m)
    return _open(head, tree_of(m.derivation), question)


def _losing(x: object) -> Losing:
    if not _has_loss(x):
        raise InvalidParameter(f"Expected a measurement but got a {type(x).__name__}", produced=x)
    return x


def _has_loss(x: object) -> TypeGuard[Losing]:
    return isinstance(x, Recorded) and hasattr(x, "measure")


def _certifiable(m: Losing) -> None:
    unspoken = sorted({part.rule.name for part in m.derivation.parts() if part.rule.writes is None})
    if unspoken:
        raise NotCertifiable(
            f"the rule {unspoken[0]} cannot be certified: it is not in the language of certificates",
            left=m,
            produced=unspoken[0],
        )


def _settled(head: Head, tree: Inference, derivation: Derivation, question: Question) -> Certificate:
    """The certificate of a derivation without symbols."""
    claim, lossless, found = question.answered(derivation)
    made = Certificate.of(assembled(head, with_witnesses(tree, found.derivation, found), claim, lossless=lossless))
    figures_of_checker(made.text())
    return made


def _open(head: Head, tree: Inference, question: Question) -> Certificate:
    """The certificate of a derivation with symbols: it says first that it claims nothing."""
    document = assembled(head, tree, question.unanswered(), lossless=False)
    names = _symbols(head.space, tree)
    silent = f"nothing is claimed: no numbers stand yet for {', '.join(names)}"
    return Certificate.of(replace(document, symbols=names, attention=(silent, *document.attention)))


def _symbols(space: SpaceData, tree: Inference) -> tuple[str, ...]:
    return tuple(sorted(symbolic.symbols_in({**space.written(), **tree.written()})))


def _bound(certificate: Certificate, values: Mapping[str, Numeric]) -> Certificate:
    free = certificate.symbols
    unknown = sorted(set(values) - free)
    if unknown:
        names = ", ".join(sorted(free)) or "none"
        raise InvalidParameter(f"no symbol is named {unknown[0]!r}; the free ones are: {names}", left=certificate)
    if not values:
        return certificate
    given = {name: exact(value, name) for name, value in values.items()}
    before = certificate.document
    space = SpaceData(symbolic.bound(before.space.domain, given), symbolic.bound(before.space.metric, given))
    tree = symbolic.bound_tree(before.derivation, given)
    symbolic.check(space, tree, before.derivation, given)
    head, question = Head(before.neighbours, space, before.evidence), _question(space, before.claims[0])
    if _symbols(space, tree):
        return _open(head, tree, question)
    return _settled(head, tree, decoding.derivation(tree), question)


def _question(space: SpaceData, claim: Claim) -> Question:
    points = tuple([x for x, _ in claim.points])
    return Question(METRIC.decode(space.metric), MEASURE.decode(claim.measure), claim.d_in, points)
