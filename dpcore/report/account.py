"""The account of a filter as a timeline: what was asked, in words, what it cost, and what was left of the budget.

Costs are those derived again from the premises, at distance 1, in the figures that add up (of GaussianDP mu squared). What
the curator charged may be a little more, and never is less.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpcore.calculus import Premises
from dpcore.calculus.parameters import Data, Json, entries, fields, text
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.reading import Node, read
from dpcore.certificates.rules import rule_named
from dpcore.maps import ends, numeral
from dpcore.measures import MEASURES
from dpcore.report.markup import Inner, Markup, above, below, join, table, tag, value
from dpcore.report.released import said_of

ASKED = {f"filter_{measure.name}": measure for measure in MEASURES}


def accounts(certificate: Certificate) -> list[Markup]:
    """A table for each filter that the derivation rests on."""
    whole = fields(certificate.data["derivation"])
    return [_account(node, data) for node, data in _filters(read(certificate), whole)]


def _filters(node: Node, data: Data) -> Iterator[tuple[Node, Data]]:
    rule = rule_named(node.rule)
    if rule is not None and rule.premises is Premises.ANY_AT_1:
        yield node, data
        return
    for premise, written in zip(node.premises, entries(data["premises"]), strict=True):
        yield from _filters(premise, fields(written))


def _account(node: Node, data: Data) -> Markup:
    given = fields(data["parameters"])
    left, orders = _numbers(given["budget"]), _numbers(given.get("orders", []))
    names = ("mu squared",) if node.rule == "filter_gaussian" else ASKED[node.rule].figures
    if orders:
        names = tuple([f"epsilon at order {order}" for order in orders])
    rows: list[tuple[Inner, ...]] = [("", "the budget", "", _figures(left, down=True))]
    for number, (premise, written) in enumerate(zip(node.premises, entries(data["premises"]), strict=True), 1):
        asked, cost = "; ".join(said_of(fields(written))), _cost(premise, orders)
        if cost is None:
            rows.append((str(number), asked, value(None), value(None)))
            continue
        left = tuple([max(Fraction(0), x - y) for x, y in zip(left, cost, strict=True)])
        rows.append((str(number), asked, _figures(cost), _figures(left, down=True)))
    head = ("", "what was asked", f"what it cost ({', '.join(names)})", "what was left")
    said = "" if node.premises else "Nothing was asked yet. "
    whoever = "Whoever asks, and however he chooses by the answers: all of them together lose at most the budget."
    return join(
        tag("p", said, whoever), table(head, rows, "The questions, in the order in which they were first asked")
    )


def _numbers(written: Json) -> tuple[Fraction, ...]:
    return tuple([Fraction(text(figure)) for figure in entries(written)])


def _cost(premise: Node, orders: tuple[Fraction, ...]) -> tuple[Fraction, ...] | None:
    """None where it could not be worked out here."""
    value = premise.value
    if value is None:
        return None
    if callable(value):
        numbers = tuple([value(numeral(order)) for order in orders])
    else:
        numbers = value if isinstance(value, tuple) else (value,)
    return tuple([ends(numeral(number))[1] for number in numbers])


def _figures(figures: tuple[Fraction, ...], *, down: bool = False) -> Markup:
    return join(*(join(", " if i else "", (below if down else above)(x).html) for i, x in enumerate(figures)))
