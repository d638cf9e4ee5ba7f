"""RULES.md, for reading, from RULES.toml and what Coq printed: `python proofs/render_rules.py` writes it."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).parent

HEAD = """# The rules

What each rule states, where it is from, its theorem in [Coq](coq/README.md) where it has one, its derivation with
[sympy](derivations/README.md) where it has one, and what follows it in [`check_certificate.py`](check_certificate.py). Made
from [`RULES.toml`](RULES.toml) by `render_rules.py`. {proved} of {all} rules are theorems; the rest are assumed.

`d` is the input distance; an L2 distance, and `mu` of Gaussian differential privacy, come as their squares.

| rule | states | source | Coq | sympy | checker |
|---|---|---|---|---|---|
"""

STATED = """
## The statements in Coq

As Coq prints them ([statements.txt](coq/statements.txt)); what their words mean stands in [coq/README.md](coq/README.md).

```
"""


def rendered() -> str:
    """The text of RULES.md."""
    rules: dict[str, dict[str, str]] = tomllib.loads((HERE / "RULES.toml").read_text(encoding="utf-8"))
    head = HEAD.format(proved=sum(bool(rule["coq"]) for rule in rules.values()), all=len(rules))
    table = "".join(f"| `{name}` | {' | '.join(_cells(rule))} |\n" for name, rule in rules.items())
    statements = (HERE / "coq" / "statements.txt").read_text(encoding="utf-8")
    return head + table + STATED + statements.strip("\n") + "\n```\n"


def _cells(rule: dict[str, str]) -> list[str]:
    coq = _linked("coq/theory", rule["coq"], rule["coq"].partition(".")[0] + ".v") if rule["coq"] else "assumed"
    sympy = _linked("derivations", rule["derivation"], rule["derivation"]) if "derivation" in rule else ""
    cells = (rule["statement"], rule["source"], coq, sympy, f"`{rule['checker']}`")
    return [cell.replace("|", "\\|") for cell in cells]


def _linked(folder: str, name: str, file: str) -> str:
    return f"[`{name}`]({folder}/{file})"


if __name__ == "__main__":
    (HERE / "RULES.md").write_text(rendered(), encoding="utf-8")
