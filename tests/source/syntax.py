"""The syntax of dpcore, for tests of what holds of every file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "dpcore"

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@final
@dataclass(frozen=True, slots=True)
class Function:
    """One function, and where it stands."""

    place: str
    node: FunctionNode

    @property
    def lines(self) -> int:
        """Of the body, from its first statement to its last; the docstring is none."""
        first = ast.get_docstring(self.node) is not None
        body = self.node.body[first:]
        return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0

    @property
    def decisions(self) -> int:
        """Ways through it at most: one, and one more for each branch, loop, handler, condition and part of a condition."""
        return 1 + sum(map(_ways, ast.walk(self.node)))


def _ways(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    branches = ast.If | ast.For | ast.While | ast.IfExp | ast.ExceptHandler | ast.Assert | ast.match_case
    return int(isinstance(node, branches))


def functions(source: str, place: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, FunctionNode):
            yield Function(f"{place}:{node.lineno} {node.name}", node)


def casts(source: str) -> int:
    """How often a type is asserted by `cast`, which a type checker believes."""
    calls = (node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return sum(isinstance(called, ast.Name) and called.id == "cast" for called in calls)


def files() -> dict[str, str]:
    """Every file of dpcore, by its path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))
    }
