"""The table of claimed against true worst cases: one line for each example of the catalogue.

`make claimed` writes `docs/claimed_and_true.md` anew; the laws hold every line of it current.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dpcore.assurance.line import Line
from dpcore.calculus import Derivation
from dpcore.maps.bounds import Bound
from tests.laws.arrows import arrow
from tests.laws.catalogue import EXAMPLES, Example

FILE = Path(__file__).parents[2] / "docs" / "claimed_and_true.md"

HEAD = """# Claimed and true

For every rule of the calculus an arrow that uses it, tried on every pair of data sets of a small universe: the worst that
is true there beside what is claimed, at the least distance of which anything is claimed. An L2 distance is shown as its
square. Distances are exact; losses are those of exact output distributions of the running code. Where a claim is not
reached in its universe, the last column says why.

Made by `make claimed`. The tests hold every line current.

| arrow | last rule | d_in | of | true worst | claimed | |
|---|---|---|---|---|---|---|
"""


def row(example: Example, line: Line) -> str:
    """The line of an example."""
    said = "tight" if not example.slack else f"looser: {example.slack}"
    figure = line.figure.split(" at ")[0]
    rule = last_rule(arrow(example.build()).derivation)
    cells = (example.name, f"`{rule}`", str(line.d_in), figure, shown(line.true), shown(line.claimed), said)
    return f"| {' | '.join(cells)} |\n"


def last_rule(derivation: Derivation) -> str:
    return last_rule(derivation.premises[-1]) if derivation.rule.name == "chain" else derivation.rule.name


def shown(x: Bound | float) -> str:
    """Exact where it is short, else to four digits: the choice among equally bad pairs must not show."""
    if isinstance(x, float):
        return "infinite"
    known = x.printable
    return str(known) if known is not None and known.denominator < 1000 else f"{float(x):.4g}"


@cache
def written() -> frozenset[str]:
    """The lines that the file holds."""
    return frozenset(FILE.read_text(encoding="utf-8").splitlines(keepends=True))


def write() -> None:
    """The whole file, anew. `make claimed` calls it by way of pytest, which finds the packages of tests."""
    from tests.laws import checks  # which asks for `written`

    lines = [row(example, checks.nearest(example, checks.tried(example))) for example in EXAMPLES]
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(HEAD + "".join(lines), encoding="utf-8")
