"""The neighbour relation in plain words: what is protected, what a test would have to find out, what erasing means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast, final

from dpcore.parameters import Json
from dpcore.quoting import quoted


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


_ROWS = "Whether any one row is in the data at all, and everything that it says."
_PLAIN: Final[Mapping[str, tuple[str, str, str, str, str | None]]] = {
    "SymmetricDistance": (
        _ROWS,
        "A row is what is protected, not a person: somebody with several rows is protected less, as a group is.",
        "whether one row is in the data",
        "it been made with one row left out",
        "rows",
    ),
    "ChangeOneDistance": (
        "What any one row says.",
        "How many rows there are is public. A row is what is protected, not a person: somebody with several rows is "
        "protected less, as a group is.",
        "whether one row is in the data, and not another one in its place",
        "it been made with one row replaced by any fixed one",
        "rows",
    ),
    "DiscreteDistance": (
        "The value that is given, whichever it is: each of the possible values could have led to the same release.",
        "Each value is protected by itself, before anybody collects it.",
        "whether one value was the true one, and not another",
        "it been made of any fixed value",
        None,
    ),
    "EdgeDistance": (
        "Whether any two nodes of the graph are joined.",
        "The nodes themselves are public. Somebody with many edges is protected less, as a group is.",
        "whether one edge is in the graph",
        "it been made with one edge left out",
        "edges",
    ),
    "NodeDistance": (
        "How any one node of the graph is joined to the others.",
        "How many nodes there are is public.",
        "whether one node is joined to the others in one way, and not in another",
        "it been made with all edges of one node left out",
        "nodes",
    ),
}


def relation(metric: Mapping[str, Json], d_in: Fraction) -> Relation:
    """The words for data `d_in` apart in this metric."""
    kind = cast(str, metric["kind"])
    if kind == "PersonDistance":
        found = _person(cast(str, metric["person"]))
    elif kind in _PLAIN:
        found = Relation(*_PLAIN[kind])
    else:
        return Relation(
            f"Which it is of any two inputs that are at most {d_in} apart.",
            "What differs by more is protected less.",
            "whether it was the one, and not the other",
            f"it been made of another input, at most {d_in} apart from the true one",
            None,
        )
    if d_in == 1 or found.counts is None:
        return found
    return Relation(
        found.protects + f" The figures here are for {d_in} {found.counts} at a time.",
        found.beside,
        "whether it was the one, and not the other",
        f"it been made of data that differ from the true ones in at most {d_in} {found.counts}",
        found.counts,
    )


def _person(who: str) -> Relation:
    return Relation(
        "Everything about any one person: all of their rows, and whether they are in the data at all.",
        f"Whose row it is, the field {quoted(who)} says; who stands under two names is protected as two.",
        "whether one person is in the data",
        "it been made with all rows of one person left out",
        "persons",
    )
