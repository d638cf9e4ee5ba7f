"""RULES.md, for reading, from RULES.toml: `python proofs/render_rules.py` writes it, and a test holds it current."""

from __future__ import annotations

import tomllib
from pathlib import Path

HERE = Path(__file__).parent

HEAD = """# The rules

What each rule states, where it is from, its theorem in Coq where it has one, and what follows it in
[`check_certificate.py`](check_certificate.py). Made from [`RULES.toml`](RULES.toml) by `render_rules.py`.

`d` is the input distance; an L2 distance, and `mu` of Gaussian differential privacy, come as their squares.

| rule | states | source | Coq | checker |
|---|---|---|---|---|
"""


def rendered() -> str:
    """The text of RULES.md."""
    rules: dict[str, dict[str, str]] = tomllib.loads((HERE / "RULES.toml").read_text(encoding="utf-8"))
    return HEAD + "".join(f"| `{name}` | {' | '.join(_cells(rule))} |\n" for name, rule in rules.items())


def _cells(rule: dict[str, str]) -> list[str]:
    coq = f"`{rule['coq']}`" if rule["coq"] else "assumed"
    return [cell.replace("|", "\\|") for cell in (rule["statement"], rule["source"], coq, f"`{rule['checker']}`")]


if __name__ == "__main__":
    (HERE / "RULES.md").write_text(rendered(), encoding="utf-8")
