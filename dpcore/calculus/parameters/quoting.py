"""Texts of others, which cannot pass for lines of ours: as the checkers show them, in the terminal too.

A name is in quotes, in printable ASCII, and cut off where it is long. What is not is escaped; so is every colon, and a space
at an end or after a space. However lines are folded, what begins with a word and a colon is ours, and no spaces push what
follows out of sight.
"""

from __future__ import annotations

import re
from typing import Final

LONG: Final = 64
"""Characters of a name that are shown."""


def quoted(x: str, most: int = LONG) -> str:
    """The text in quotes."""
    return f'"{spelt(x[:most])}"' + (f"... ({len(x)} characters)" if len(x) > most else "")


def pieces(x: str, most: int = 400) -> str:
    """A text with colons, one piece after the other."""
    return ": ".join(quoted(each, most) for each in x[:most].split(": "))


def plain_or_quoted(x: str) -> str:
    """A name that is a word or a number as it is, any other in quotes."""
    return x if re.fullmatch(r"[A-Za-z0-9_./+-]+", x) and len(x) <= LONG else quoted(x)


def sentence(x: str) -> str:
    """Words of ours with words of others among them: printable ASCII, and no space at an end or after another."""
    return re.sub(r"[^ -~]|(?<![^ ]) | (?![^ ])", lambda found: _escaped(found.group()), x)


def spelt(x: str) -> str:
    """The text with all escaped that could be taken for something else."""
    return re.sub(r'[^ -~]|[":\\]|(?<![^ ]) | (?![^ ])', lambda found: _escaped(found.group()), x)


def line(x: str) -> str:
    """A line of ours that has words of others in it: what is no printable ASCII is escaped, but no space and no quote."""
    return re.sub(r"[^ -~]", lambda found: _escaped(found.group()), x)


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    units = c.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
