"""The theorems behind the rules: the name of each, the file that proves it, and what it states, as Coq printed it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from dpcore.report.markup import Markup, join, tag


@cache
def statements() -> Mapping[str, str]:
    """By its rule, whose name it has, all that Coq prints of a theorem. The file is beside this one in a wheel."""
    here = Path(__file__).with_name("statements.txt")
    file = here if here.is_file() else Path(__file__).parents[2] / "proofs" / "coq" / here.name
    printed = re.split(r"^(?=\S)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {each.split()[0].partition(".")[2]: each.rstrip() for each in printed if each}


def theorem(rule: str) -> Markup:
    """By name, with a link to what it states."""
    name = statements()[rule].split()[0]
    return join(
        "theorem ", tag("a", name, href=f"#theorem-{rule}"), f" in proofs/coq/theory/{name.partition('.')[0]}.v"
    )


def stated(rules: Iterable[str]) -> Markup:
    """What the theorems of these rules state, to be linked to."""
    return join(*(tag("pre", statements()[rule], id=f"theorem-{rule}", tabindex="0") for rule in rules))
