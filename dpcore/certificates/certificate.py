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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import cast, final

from dpcore.certificates import decoding, encoding, symbolic
from dpcore.certificates.acceptance import refuse_what_no_checker_accepts
from dpcore.certificates.claims import Question, points_of
from dpcore.certificates.document import FORMAT, Data, assembled, canonical, tree_of, with_witnesses
from dpcore.certificates.encoding import Json
from dpcore.certificates.evidence import Evidence, lines
from dpcore.certificates.language import LANGUAGE
from dpcore.certificates.refusals import NotCertifiable
from dpcore.combinators.compose import a_measurement
from dpcore.core import Measurement
from dpcore.derivation import Derivation
from dpcore.domains import Domain, Rows
from dpcore.errors import InvalidParameter, Vacuous
from dpcore.maps import Numeric, exact
from dpcore.measures import Measure
from dpcore.metrics import Metric

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
        if canonical(cast("dict[str, Json]", found)) != self.written:
            raise InvalidParameter(
                "Expected the text as dpcore writes it; something else formatted or changed it",
                bridge="the commands dpcore verify, explain, report and diff, which read it however it is formatted",
            )

    @property
    def data(self) -> dict[str, Json]:
        """What it says, as JSON holds it."""
        return cast("dict[str, Json]", json.loads(self.written))

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols that still stand for numbers. While there are any, it claims nothing."""
        return frozenset(cast("list[str]", self.data.get("symbols", [])))

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


def reformatted(written: bytes) -> Certificate:
    """The certificate that a text says, however it is formatted: to the checker, too, the format means nothing."""
    try:
        found = json.loads(written.decode("utf-8"), parse_float=_bare, parse_constant=_bare, object_pairs_hook=_unique)
    except InvalidParameter:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidParameter(f"Expected a certificate but got no JSON: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise InvalidParameter(f"Expected a certificate of the format {FORMAT}", expected=FORMAT)
    return Certificate(canonical(cast("dict[str, Json]", found)))


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

    A loss that is a curve is certified at the points `at`: orders of RenyiDP, epsilons of Profile, false-positive rates of
    Tradeoff. What `assurance.falsify` and `assurance.exhaust` said of the measurement, or of an arrow in it, may stand in
    it as evidence; it proves nothing.
    """
    a_measurement(measurement)
    m = cast(AnyMeasurement, measurement)
    _certifiable(m)
    d = m.input.metric.check(d_in, m.input.domain)
    if d == 0 or (isinstance(m.input.domain, Rows) and m.input.domain.size == 0):
        raise Vacuous("between inputs that do not differ nothing is ever lost, and no certificate says so", produced=d)
    question = Question(m.input.metric, m.measure, d, points_of(m.measure, at))
    head: Data = {
        "neighbours": m.input.metric.words(),
        "space": {"domain": encoding.domain(m.input.domain), "metric": encoding.metric(m.input.metric)},
        "evidence": lines(evidence, repr(m)),
    }
    if not m.symbols:
        return _settled(head, tree_of(m.derivation), m.derivation, question)
    symbolic.refuse_what_binding_would_change(m)
    return _open(head, tree_of(m.derivation), question)


def _certifiable(m: AnyMeasurement) -> None:
    for rule in sorted(m.derivation.rules()):
        if rule not in LANGUAGE:
            raise NotCertifiable(
                f"the rule {rule} cannot be certified: it is not in the language of certificates", left=m, produced=rule
            )


def _settled(head: Data, tree: Data, derivation: Derivation, question: Question) -> Certificate:
    """The certificate of a derivation without symbols."""
    claim, lossless, found = question.answered(derivation)
    made = Certificate(
        canonical(assembled(head, with_witnesses(tree, found.derivation, found), claim, lossless=lossless))
    )
    refuse_what_no_checker_accepts(made.text())
    return made


def _open(head: Data, tree: Data, question: Question) -> Certificate:
    """The certificate of a derivation with symbols: it says first that it claims nothing."""
    data = assembled(head, tree, question.unanswered(), lossless=False)
    names: list[Json] = [*sorted(symbolic.symbols_in({**head, "derivation": tree}))]
    silent = f"nothing is claimed: no numbers stand yet for {', '.join(map(str, names))}"
    attention = [silent, *cast("list[Json]", data["attention"])]
    return Certificate(canonical({**data, "symbols": names, "attention": attention}))


def _bound(certificate: Certificate, values: Mapping[str, Numeric]) -> Certificate:
    free = certificate.symbols
    unknown = sorted(set(values) - free)
    if unknown:
        names = ", ".join(sorted(free)) or "none"
        raise InvalidParameter(f"no symbol is named {unknown[0]!r}; the free ones are: {names}", left=certificate)
    if not values:
        return certificate
    decoding.load_rules()
    given = {name: exact(value, name) for name, value in values.items()}
    data = certificate.data
    head = {name: symbolic.instantiated(data[name], given) for name in ("neighbours", "space", "evidence")}
    tree = cast(Data, symbolic.instantiated(data["derivation"], given))
    space = cast(Data, head["space"])
    symbolic.check(space, tree, cast(Data, data["derivation"]), given)
    question = _question(space, cast("list[Data]", data["claims"])[0])
    if symbolic.symbols_in({**head, "derivation": tree}):
        return _open(head, tree, question)
    return _settled(head, tree, decoding.derivation(tree), question)


def _question(space: Data, claim: Data) -> Question:
    loss = cast("dict[str, list[list[str]]]", claim["loss"])
    points = tuple(Fraction(point[0]) for point in loss.get("points", []))
    d = Fraction(cast(str, claim["d_in"]))
    return Question(decoding.metric(space["metric"]), decoding.measure(claim["measure"]), d, points)
