"""What a rule does to rows, it asks of the table: none brings all rows here, and none knows how an engine holds them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpcore
from dpcore import engines
from dpcore.engines import Table

ROOM = Path(dpcore.__file__).parent
RULES = [file for folder in ("transformations", "measurements", "combinators") for file in (ROOM / folder).glob("*.py")]
ASKED_OF_TABLES = {"dpcore.engines": set(engines.__all__)}


def faults(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr == Table.in_memory.__name__:
            yield f"line {node.lineno} asks for all rows"
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("dpcore.engines"):
            names = {alias.name for alias in node.names}
            if not names <= ASKED_OF_TABLES.get(node.module, set()):
                yield f"line {node.lineno} imports {', '.join(sorted(names))} of {node.module}"


@pytest.mark.parametrize("file", RULES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_rule_stays_in_the_engine(file: Path) -> None:
    assert list(faults(file.read_text())) == []


@pytest.mark.parametrize(
    "source",
    [
        "rows = table.in_memory()",
        "from dpcore.engines import PythonRows, Table",
        "from dpcore.engines.doors import table",
    ],
)
def test_one_that_does_not_is_seen(source: str) -> None:
    assert list(faults(source))
