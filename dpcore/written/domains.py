"""Domains: for each its word, its class, its fields, and what its data are in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from dpcore.calculus.parameters import (
    AT_LEAST_0,
    COUNT,
    NUMBER,
    POSITIVE,
    ByName,
    Data,
    Json,
    Parameter,
    Variant,
    Varied,
)
from dpcore.calculus.parameters.words import plain
from dpcore.domains import (
    Booleans,
    Categories,
    Dates,
    Domain,
    Graphs,
    Integers,
    Numbers,
    Optional,
    Parts,
    Record,
    Rows,
    Text,
    Vector,
    integers,
)
from dpcore.maps import Exact
from dpcore.written.expressions import CONSTANTS
from dpcore.written.texts import DAY, NORM


@final
class DomainKind(Varied[Domain]):
    """A domain."""

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        self.decode(bound)  # its constructor refuses what it would not take


DOMAIN: Final = DomainKind("domain")
FIELDS: Final = ByName("fields", DOMAIN)
"""The domains of a record's fields, by their names."""


# ---- in words ----------------------------------------------------------------------------------------------------------


def _between(low: Json, high: Json) -> str:
    if low is None or high is None:
        return f" up to {plain(high)}" if high is not None else f" from {plain(low)}" if low is not None else ""
    return f" from {plain(low)} to {plain(high)}"


def _numbers(d: Data) -> str:
    step = "numbers" if d["step"] is None else f"multiples of {plain(d['step'])}"
    return step + _between(d["low"], d["high"])


def _vectors(d: Data) -> str:
    norm = "" if d["norm"] is None else f", of {plain(d['norm'])} norm at most {plain(d['bound'])}"
    return f"vectors of {plain(d['size'])} entries, each {DOMAIN.words(d['each'])}{norm}"


def _rows(d: Data) -> str:
    size = "" if d["size"] is None else f"{plain(d['size'])} "
    return f"{size}rows, each {DOMAIN.words(d['each'])}"


# ---- the table ---------------------------------------------------------------------------------------------------------

_Low = Parameter("low", NUMBER, nullable=True)
_High = Parameter("high", NUMBER, nullable=True)
_Each = Parameter("each", DOMAIN, held="of")
_Size = Parameter("size", COUNT)

DOMAINS: Final[tuple[Variant[Domain], ...]] = (
    Variant(
        "integers",
        Integers,
        (_Low, _High),
        lambda d: f"whole numbers{_between(d['low'], d['high'])}",
        integers,
    ),
    Variant("numbers", Numbers, (_Low, _High, Parameter("step", POSITIVE, nullable=True)), _numbers),
    Variant("booleans", Booleans, (), lambda d: "true or false"),
    Variant("text", Text, (), lambda d: "text"),
    Variant(
        "date",
        Dates,
        (Parameter("first", DAY, held="low", nullable=True), Parameter("last", DAY, held="high", nullable=True)),
        lambda d: f"dates{_between(d['first'], d['last'])}",
    ),
    Variant(
        "categories", Categories, (Parameter("values", CONSTANTS),), lambda d: f"one of {CONSTANTS.words(d['values'])}"
    ),
    Variant("optional", Optional, (_Each,), lambda d: f"{DOMAIN.words(d['each'])}, or null"),
    Variant("fields", Record, (Parameter("fields", FIELDS),), lambda d: FIELDS.words(d["fields"])),
    Variant(
        "vector",
        Vector,
        (_Each, _Size, Parameter("norm", NORM, nullable=True), Parameter("bound", AT_LEAST_0, nullable=True)),
        _vectors,
    ),
    Variant("rows", Rows, (_Each, Parameter("size", COUNT, nullable=True)), _rows),
    Variant(
        "parts",
        Parts,
        (_Each, Parameter("values", CONSTANTS, held="keys")),
        lambda d: f"parts {CONSTANTS.words(d['values'])}, each of rows that are {DOMAIN.words(d['each'])}",
    ),
    Variant(
        "graphs", Graphs, (Parameter("size", COUNT, held="nodes"),), lambda d: f"graphs of {plain(d['size'])} nodes"
    ),
)
"""Each kind of domain, as certificates have it."""

DOMAIN.variants.extend(DOMAINS)
