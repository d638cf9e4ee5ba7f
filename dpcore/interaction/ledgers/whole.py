"""One certificate of all that a ledger holds: the filter that answered, on every charge that it made.

Each charge stands in the ledger with the certificate of its question. Their derivations become the premises of the rule of
the filter, whose claim is the budget; and before anybody is given it, the checker follows it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from dpcore.calculus.parameters import upper
from dpcore.certificates.assembling import Head, assembled
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.checker_file import refuse_what_no_checker_accepts
from dpcore.certificates.claims import BITS
from dpcore.certificates.document import Claim, Document, Inference
from dpcore.errors import NotCertifiable
from dpcore.interaction.accounts import Entry, Figures
from dpcore.interaction.costs import raw
from dpcore.interaction.filters import FILTER, Budget
from dpcore.interaction.ledgers.history import History
from dpcore.maps import at_precision, numeral
from dpcore.measures import Measure
from dpcore.measures.measure import measure_named


def whole(history: History, entries: Sequence[Entry]) -> Certificate:
    """The certificate of a ledger with a budget, all of whose charges are about all data and have certificates."""
    measure = measure_named(history.terms.measure)
    budget = history.terms.budget
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
    parameters = {"budget": Budget.encode(budget), "source": first.space.metric}
    filtered = Inference(FILTER[measure.name].name, parameters, tuple([each.derivation for each in documents]), {})
    claim = Claim(Fraction(1), measure.name, dict(zip(measure.figures, _shown(measure, budget), strict=True)))
    head = Head(first.neighbours, first.space, ())
    made = Certificate.of(assembled(head, filtered, claim, lossless=not any(budget)))
    refuse_what_no_checker_accepts(made.text())
    return made


def _document(entry: Entry) -> Document:
    if entry.charge.place:
        raise NotCertifiable(
            f"charge {entry.number} is about a part of the data, and its certificate speaks of that part alone",
            bridge="dpcore ledger export FILE, which has the certificate of each question",
        )
    if entry.charge.certificate is None:
        raise NotCertifiable(f"charge {entry.number} has no certificate: no rule speaks of its question")
    return Document.read(json.loads(entry.charge.certificate))


def _shown(measure: Measure, budget: Figures) -> list[Fraction]:
    """The budget as losses are read, rounded up."""
    figures = at_precision(BITS, lambda: measure.shown(raw(tuple(map(numeral, budget)))))
    return [upper(numeral(each)) for each in (figures if isinstance(figures, tuple) else (figures,))]
