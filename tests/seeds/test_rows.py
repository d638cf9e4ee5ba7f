"""Every row of the lecture notes has a test, or is named here as one that waits.

Five sets of notes. A row is a definition, a theorem, an algorithm, an exercise or an attack, named by its set and by its
page or number there; `@pytest.mark.seed("000-14d")` stands on the tests of that row.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent

ROWS = {
    "000": (  # Composition of differential privacy (slides)
        "02 03 04a 04b 04c 05 06 07a 07b 08 09 10a 10b 11a 11b 12 13 14a 14b 14c 14d 14e 14f 14g 15a 15b 16 17a "
        "18a 18b 18c 18d 19 20a 20b 20c 21a 21b"
    ),
    "001": (  # Properties of differential privacy: composition, beliefs, secrecy (a chapter)
        "1a 1b 1.1 1.2 1.2b 1.4 1.5 1.6 1.7 1.7b 2a 2b 2.1 2.1b 2.1c 2.3i 2.3ii"
    ),
    "002": (  # General composition, given any granularity (slides)
        "03a 03b 04a 04b 06a 06b 07a 07b 07c 08a 09 10 11 12a 12b 12c 12d"
    ),
    "003": (  # Basics of differential privacy (slides)
        "04 04b 05 05b 09a 09b 09c 10 12 13 14 15 16a 16b 16c 16d 17 19 21a 21b 22 23 24 26a 26b 26c 27 28 29 30 31"
    ),
    "004": (  # Group privacy, composition, Lloyd's algorithm (notes)
        "1 2a 2b 2c 3a 3b 3c 4a 4b 4c 4d"
    ),
}

WAITING: dict[str, str] = {}
"""What has no test yet. To be shortened, never lengthened."""


def _names(rows: dict[str, str]) -> set[str]:
    return {f"{notes}-{row}" for notes, names in rows.items() for row in names.split()}


def _named(tree: ast.AST) -> Iterator[str]:
    """The rows that `pytest.mark.seed(...)` names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.seed":
            for name in node.args:
                assert isinstance(name, ast.Constant)
                yield str(name.value)


def _tested() -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py") if path != Path(__file__))
    return {name for source in sources for name in _named(ast.parse(source))}


def test_every_row_is_tested_or_waits() -> None:
    rows, waiting, tested = _names(ROWS), _names(WAITING), _tested()
    assert len(rows) == 114
    assert tested - rows == set(), "no such row"
    assert waiting & tested == set(), "waits no more"
    assert rows - tested == waiting, "has no test"
