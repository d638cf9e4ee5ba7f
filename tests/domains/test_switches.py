"""A new domain is an edit in few places: those that tell three or more domains apart are these."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import dpcore
from dpcore import domains

PACKAGE: Final = Path(dpcore.__file__).parent
DOMAINS: Final = {
    name
    for name in vars(domains)
    if isinstance(kind := getattr(domains, name), type)
    and issubclass(kind, domains.Domain)
    and kind not in (domains.Domain, domains.NumberDomain)
}
MANY: Final = 3

DISPATCHED: Final = {
    "assurance/neighbours.py _pairs",
    "assurance/strategies.py members_of",
    "assurance/universe.py _all",
    "assurance/universe.py _some",
}
"""Each case is registered beside the others, and a domain that has none is treated as any set of values."""

TABLES: Final = {
    "engines/numpy/lists.py READERS",
    "engines/numpy/reading.py READERS",
    "engines/queries/membership.py READERS",
}
"""A domain that is in none is read one value at a time."""

SWITCHES: Final = {
    "assurance/on_pairs.py content",
    "domains/reading.py _of_others",
    "domains/records.py __call__",
    "engines/numpy/arrays.py holds_rows",
    "engines/numpy/reading.py unread",
    "measurements/additive.py _bridge",
}


def _classes(node: ast.AST | None) -> set[str]:
    inside = ast.walk(node) if node is not None else ()
    return {part.id for part in inside if isinstance(part, ast.Name)} & DOMAINS


def _told_apart(function: ast.FunctionDef) -> set[str]:
    """The domains that a function asks for by `isinstance` or in the cases of a `match`."""
    asked: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            asked |= _classes(node.args[1])
        elif isinstance(node, ast.MatchClass):
            asked |= _classes(node.cls)
    return asked


def _registered(tree: ast.Module) -> dict[str, set[str]]:
    """The domains that are registered for each function of a module."""
    names: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register":
            names.setdefault(ast.unparse(node.func.value), set()).update(_classes(node.args[0]))
    return names


def _tables(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """The domains among the keys of each dict that has a name in a module."""
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Dict):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield ast.unparse(target), set().union(*(_classes(key) for key in node.value.keys))


def _places() -> tuple[set[str], set[str], set[str]]:
    """Whoever tells many domains apart: functions, functions that others are registered for, and tables.

    How certificates write a domain is left to the tests of certificates.
    """
    switches: set[str] = set()
    dispatched: set[str] = set()
    tables: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("certificates/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        switches |= {f"{place} {f.name}" for f in functions if len(_told_apart(f)) >= MANY}
        dispatched |= {f"{place} {name}" for name, kinds in _registered(tree).items() if len(kinds) >= MANY}
        tables |= {f"{place} {name}" for name, kinds in _tables(tree) if len(kinds) >= MANY}
    return switches, dispatched, tables


def test_domains_are_told_apart_in_these_places_and_no_others() -> None:
    assert len(DOMAINS) == 12
    assert _places() == (SWITCHES, DISPATCHED, TABLES)
