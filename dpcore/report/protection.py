"""What is protected, from whom, and what data it is about: the third section of the report. And the neighbour relation in
plain words, which the sections on tests and on beliefs speak of too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, final

from dpcore.calculus.parameters import Data, fields, text
from dpcore.calculus.parameters.quoting import plain_or_quoted, quoted
from dpcore.report.markup import Inner, Markup, join, table, tag
from dpcore.written import DOMAIN


@final
@dataclass(frozen=True, slots=True)
class Relation:
    """Words for one metric at one distance."""

    protects: str
    """What is protected."""

    beside: str
    """What is not, and is easily taken for it."""

    question: str
    """What a test has to decide: 'whether ...' or 'which ...'."""

    erased: str
    """How the data would be changed, for somebody's part in them to be gone: 'the release been made of ...'."""

    counts: str | None
    """What steps of 1 count, where distances are made of them: 'rows'."""


_PLAIN: Final[Mapping[str, Relation]] = {
    "SymmetricDistance": Relation(
        "Whether any one row is in the data at all, and everything that it says.",
        "A row is what is protected, not a person: somebody with several rows is protected less, as a group is.",
        "whether one row is in the data",
        "it been made with one row left out",
        "rows",
    ),
    "ChangeOneDistance": Relation(
        "What any one row says.",
        "How many rows there are is public. A row is what is protected, not a person: somebody with several rows is "
        "protected less, as a group is.",
        "whether one row is in the data, and not another one in its place",
        "it been made with one row replaced by any fixed one",
        "rows",
    ),
    "DiscreteDistance": Relation(
        "The value that is given, whichever it is: each of the possible values could have led to the same release.",
        "Each value is protected by itself, before anybody collects it.",
        "whether one value was the true one, and not another",
        "it been made of any fixed value",
        None,
    ),
    "EdgeDistance": Relation(
        "Whether any two nodes of the graph are joined.",
        "The nodes themselves are public. Somebody with many edges is protected less, as a group is.",
        "whether one edge is in the graph",
        "it been made with one edge left out",
        "edges",
    ),
    "NodeDistance": Relation(
        "How any one node of the graph is joined to the others.",
        "How many nodes there are is public.",
        "whether one node is joined to the others in one way, and not in another",
        "it been made with all edges of one node left out",
        "nodes",
    ),
}


def relation(metric: Data, d_in: Fraction) -> Relation:
    """The words for data `d_in` apart in this metric."""
    kind = text(metric["kind"])
    known = _of_persons(text(metric["person"])) if kind == "PersonDistance" else _PLAIN.get(kind)
    if known is None:
        return Relation(
            f"Which it is of any two inputs that are at most {d_in} apart.",
            "What differs by more is protected less.",
            "whether it was the one, and not the other",
            f"it been made of another input, at most {d_in} apart from the true one",
            None,
        )
    if d_in == 1 or known.counts is None:
        return known
    return replace(
        known,
        protects=f"{known.protects} The figures here are for {d_in} {known.counts} at a time.",
        question="whether it was the one, and not the other",
        erased=f"it been made of data that differ from the true ones in at most {d_in} {known.counts}",
    )


def _of_persons(who: str) -> Relation:
    return Relation(
        "Everything about any one person: all of their rows, and whether they are in the data at all.",
        f"Whose row it is, the field {quoted(who)} says; who stands under two names is protected as two.",
        "whether one person is in the data",
        "it been made with all rows of one person left out",
        "persons",
    )


def protection(relation: Relation, neighbours: str, space: Data) -> Markup:
    """In words, then the input space."""
    return join(
        tag("p", tag("strong", "What. "), relation.protects, " ", relation.beside),
        tag("p", tag("strong", "Neighbours. "), f"Two inputs are 1 apart if they differ in this: {neighbours}."),
        tag("p", tag("strong", "From whom. "), "From everybody who sees what is released, whatever else they know, now "
            "or later. Who holds the data themselves sees them; from them nothing is protected."),
        tag("h3", "The data it is about"),
        _space(fields(space["domain"])),
    )  # fmt: skip


def _space(domain: Data) -> Markup:
    if domain["kind"] != "rows":
        return tag("p", f"{DOMAIN.words(domain).capitalize()}.")
    each, size = fields(domain["each"]), domain.get("size")
    rows = "Rows" if size is None else f"Rows, {size} of them, which is public"
    if each["kind"] != "fields":
        return tag("p", f"{rows}, each: {DOMAIN.words(each)}.")
    cells: list[tuple[Inner, ...]] = [
        (plain_or_quoted(name), DOMAIN.words(of)) for name, of in fields(each["fields"]).items()
    ]
    return table(("field", "what it can be"), cells, f"{rows}, each with these fields")
