"""One certificate of all that a ledger holds: the filter that answered, on every charge that it made.

Each charge stands in the ledger with the certificate of its question. Their derivations become the premises of the rule of
the filter, whose claim is the budget; and before anybody is given it, the checker follows it.

The certificate of a question about a part is one about all data, `partition([key], by) >> parallel({key: question})`.
Those of one partition become one premise, as in a transcript (see `transcripts`): its parts cost what the dearest costs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple, final

from dpcore.calculus import chain
from dpcore.calculus.parameters import PLACES, Json, entries, fields, rounded_up, upper
from dpcore.certificates.assembling import Head, assembled
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.checker_file import figures_of_checker
from dpcore.certificates.claims import BITS
from dpcore.certificates.document import Claim, Document, Inference
from dpcore.errors import NotCertifiable
from dpcore.interaction.accounts import Entry, Figures, Place
from dpcore.interaction.costs import raw
from dpcore.interaction.filters import FILTER, Budget, Orders
from dpcore.interaction.ledgers.history import History
from dpcore.maps import at_precision, numeral
from dpcore.measures import Measure
from dpcore.measures.measure import measure_named
from dpcore.transformations.partition import partition_range_symmetric, partition_symmetric
from dpcore.written import CONSTANTS
from dpcore.written.ranges import is_range
from dpcore.written.shared import Range


def whole(history: History, entries: Sequence[Entry]) -> Certificate:
    """The certificate of a ledger with a budget, all of whose charges have certificates."""
    measure = measure_named(history.terms.measure)
    budget, orders = history.terms.budget, history.terms.orders
    if budget is None:
        raise NotCertifiable("an account without a limit promises nothing, so no certificate says so")
    documents = [_document(entry) for entry in entries]
    heads = {json.dumps([each.neighbours, each.space.written()], sort_keys=True) for each in documents}
    if len(heads) != 1:
        raise NotCertifiable(
            "nothing was charged yet, so no certificate says about which data"
            if not heads
            else "the charges are about data of several spaces"
        )
    first = documents[0]
    asked = [
        _Told(entry.number, entry.charge.place, of.derivation) for entry, of in zip(entries, documents, strict=True)
    ]
    parameters = {"budget": Budget.encode(budget), "source": first.space.metric}
    if orders:
        parameters["orders"] = Orders.encode(orders)
    filtered = Inference(FILTER[measure.name].name, parameters, tuple(_together(measure, asked)), {})
    claim = _claim(measure, budget, orders)
    head = Head(first.neighbours, first.space, ())
    lossless = not any(budget)
    try:
        return _accepted(head, filtered, claim, lossless=lossless)[0]
    except NotCertifiable:
        # A budget that is what one question loses is kept as our upper bound of it. The certificate of that question has
        # its witness in few digits, and so is a hair above: what the checker works out is claimed then.
        _, worked_out = _accepted(head, filtered, _loosened(claim), lossless=lossless)
        figures = dict(zip(claim.figures, map(_short_above, worked_out), strict=True))
        return _accepted(head, filtered, replace(claim, figures=figures), lossless=lossless)[0]


def _accepted(head: Head, filtered: Inference, claim: Claim, *, lossless: bool) -> tuple[Certificate, list[Fraction]]:
    """The certificate, and the figures that the checker works out for its claim."""
    made = Certificate.of(assembled(head, filtered, claim, lossless=lossless))
    return made, figures_of_checker(made.text())[0]


HAIR: Final = 1 + Fraction(1, 10**15)
"""How far above a budget what was asked may be derived to be, by the digits of its witnesses."""


def _loosened(claim: Claim) -> Claim:
    figures = {name: None if figure is None else figure * HAIR for name, figure in claim.figures.items()}
    return replace(claim, figures=figures)


def _short_above(figure: Fraction) -> Fraction:
    return figure if figure.denominator < 10**PLACES else rounded_up(figure)


@final
class _Told(NamedTuple):
    """A charge, where it was asked, and what is derived of it: about the data there."""

    number: int
    place: Place
    derivation: Inference


def _together(measure: Measure, asked: Sequence[_Told]) -> list[Inference]:
    """The derivation of each question, and of those of one partition together: in the order of their first questions."""
    of_partition: dict[str, list[_Told]] = {}
    for each in asked:
        if each.place:
            of_partition.setdefault(each.place[0], []).append(each)
    found: list[Inference] = []
    for each in asked:
        if not each.place:
            found.append(each.derivation)
        elif each is of_partition[each.place[0]][0]:
            found.append(_of_parts(measure, of_partition[each.place[0]]))
    return found


def _of_parts(measure: Measure, asked: Sequence[_Told]) -> Inference:
    """What some parts of one partition were asked: in each, the questions composed."""
    opened = [_opened(each) for each in asked]
    links, _, parted, parallel, _ = opened[0]
    if any(each.links != links or _but_keys(each.parted) != _but_keys(parted) for each in opened):
        raise NotCertifiable(f"charge {asked[0].number} and others of its partition are about different partitions")
    inside: dict[str, list[_Told]] = {}
    keys: dict[str, Json] = {}
    for of, part in zip(asked, opened, strict=True):
        keys[of.place[1]] = part.key
        inside.setdefault(of.place[1], []).append(_Told(of.number, of.place[2:], part.question))
    written = [*keys.values()]
    premises = tuple([_composed(measure, _together(measure, each)) for each in inside.values()])
    last = (_kept_apart(parted, written), replace(_with_keys(parallel, written), premises=premises))
    return Inference(chain.name, {}, (*links, *last), {})


def _composed(measure: Measure, questions: Sequence[Inference]) -> Inference:
    return questions[0] if len(questions) == 1 else Inference(f"compose_{measure.name}", {}, tuple(questions), {})


@final
class _Opened(NamedTuple):
    """What leads to one part, its key, and the question about it."""

    links: tuple[Inference, ...]
    key: Json
    parted: Inference
    parallel: Inference
    question: Inference


def _opened(told: _Told) -> _Opened:
    if len(told.derivation.premises) >= 2:
        *links, parted, parallel = told.derivation.premises
        keys = entries(parted.parameters.get("keys", [])) if parted.rule == partition_symmetric.name else []
        if len(keys) == len(parallel.premises) == 1:
            return _Opened(tuple(links), keys[0], parted, parallel, parallel.premises[0])
    raise NotCertifiable(
        f"charge {told.number} is about a part of the data, and its certificate, of an earlier dpcore, of that part alone",
        bridge="dpcore ledger export FILE, which has the certificate of each question",
    )


def _kept_apart(node: Inference, keys: list[Json]) -> Inference:
    """The partition by these keys, as `partition` writes it."""
    numbers = CONSTANTS.decode(keys)
    if not is_range(numbers) or "expression" not in fields(node.parameters["by"]):
        return _with_keys(node, keys)
    parameters = {"by": node.parameters["by"], Range.name: Range.encode(numbers)}
    return replace(node, rule=partition_range_symmetric.name, parameters=parameters)


def _with_keys(node: Inference, keys: list[Json]) -> Inference:
    return replace(node, parameters={**node.parameters, "keys": keys})


def _but_keys(node: Inference) -> Inference:
    return _with_keys(node, [])


def _document(entry: Entry) -> Document:
    if entry.charge.certificate is None:
        raise NotCertifiable(f"charge {entry.number} has no certificate: no rule speaks of its question")
    return Document.read(json.loads(entry.charge.certificate))


def _claim(measure: Measure, budget: Figures, orders: Figures) -> Claim:
    if orders:
        return Claim(Fraction(1), measure.name, {}, tuple(zip(orders, budget, strict=True)))
    return Claim(Fraction(1), measure.name, dict(zip(measure.figures, _shown(measure, budget), strict=True)))


def _shown(measure: Measure, budget: Figures) -> list[Fraction]:
    """The budget as losses are read, rounded up."""
    figures = at_precision(BITS, lambda: measure.shown(raw(tuple(map(numeral, budget)))))
    return [upper(numeral(each)) for each in (figures if isinstance(figures, tuple) else (figures,))]
