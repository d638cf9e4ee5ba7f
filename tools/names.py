"""docs/names.md, every public name in its group with the first sentence said of it: `make names` writes it."""

from __future__ import annotations

from inspect import getdoc
from pathlib import Path

import dpcore as dp

PAGE = Path(__file__).resolve().parents[1] / "docs/names.md"
HEAD = """# The names

All that `import dpcore as dp` gives, in groups by what it is for: {count} names, in the order of `__init__.pyi`.
Names that have moved since the last release still work, with a warning that says where they are now. `make names` writes
this page.
"""


def first_sentence(value: object) -> str:
    """As a cell of a table."""
    said = " ".join((getdoc(value) or "").split("\n\n")[0].split())
    return said.split(". ")[0].rstrip(".:").replace("|", "\\|")


def groups() -> dict[str, list[str]]:
    """The sections of the stub, as the help of the module lists them."""
    lines = iter((dp.__doc__ or "").partition("\nNames, by what they are for\n")[2].splitlines())
    return {title: next(lines).strip().split(", ") for title in lines if title}


def page() -> str:
    lines = [HEAD.format(count=len(dir(dp)))]
    for title, names in groups().items():
        lines += [f"\n## {title}\n\n", "| | |\n|---|---|\n"]
        lines += [f"| `{name}` | {first_sentence(getattr(dp, name))} |\n" for name in names]
    return "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
