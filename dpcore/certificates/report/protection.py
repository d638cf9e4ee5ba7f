"""The second section: what is protected, from whom, and what data it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from dpcore.certificates.report.markup import Inner, Markup, join, table, tag
from dpcore.certificates.report.neighbours import Relation
from dpcore.parameters import Json
from dpcore.quoting import plain_or_quoted
from dpcore.written import DOMAIN


def protection(relation: Relation, neighbours: str, space: Mapping[str, Json]) -> Markup:
    """In words, then the input space."""
    return join(
        tag("p", tag("strong", "What. "), relation.protects, " ", relation.beside),
        tag("p", tag("strong", "Neighbours. "), f"Two inputs are 1 apart if they differ in this: {neighbours}."),
        tag("p", tag("strong", "From whom. "), "From everybody who sees what is released, whatever else they know, now "
            "or later. Who holds the data themselves sees them; from them nothing is protected."),
        tag("h3", "The data it is about"),
        _space(cast("dict[str, Json]", space["domain"])),
    )  # fmt: skip


def _space(domain: Mapping[str, Json]) -> Markup:
    each = domain.get("each")
    row = {**each} if isinstance(each, dict) else {}
    many = "" if domain.get("size") is None else f", {domain['size']} of them, which is public"
    if domain.get("kind") == "rows" and row.get("kind") == "fields" and isinstance(row.get("fields"), dict):
        fields = cast("dict[str, Json]", row["fields"])
        rows: list[tuple[Inner, ...]] = [(plain_or_quoted(name), DOMAIN.words(of)) for name, of in fields.items()]
        return table(("field", "what it can be"), rows, f"Rows{many}, each with these fields")
    if domain.get("kind") == "rows":
        return tag("p", f"Rows{many}, each: {DOMAIN.words(each)}.")
    return tag("p", f"{DOMAIN.words(dict(domain)).capitalize()}.")
