"""A ledger as lines of text, each of which holds the hash of the line before it.

A line is one JSON object in ASCII, without spaces, its keys in alphabetical order. The hash of a line is the SHA-256 of its
bytes, in hexadecimal; `before`, in every line but the first, is the hash of the line before. Rationals are texts, `1/10`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final, TypeAlias, final

from dpcore.errors import InvalidParameter
from dpcore.interaction.accounts import Charge, Figures

LEDGER: Final = "dpcore ledger"
SCHEMA: Final = 2
"""The form of these lines, and of the tables that hold them. A ledger of a later one is refused.

A header says 2 where it has orders, of which a reader of 1 would not know; else it is that of 1."""

Json: TypeAlias = str | int | Sequence[str] | None


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """What a ledger is an account of. All who open it must mean the same."""

    measure: str
    figures: int
    budget: Figures | None
    space: str
    """The SHA-256 of the text of the space."""

    orders: Figures = ()
    """Of a curve, the order of each figure."""


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def texts(figures: Figures) -> list[str]:
    """Each figure as a text, exactly. Python writes no number of more than some thousand digits, nor reads one."""
    try:
        return [str(each) for each in figures]
    except ValueError:
        raise InvalidParameter("Expected a cost that can be written in a ledger but it has too many digits") from None


def header(terms: Terms, token: str, home: str, time: datetime) -> str:
    """The first line. `token` is random; `home` is where the ledger stands, so that a copy elsewhere is known as one."""
    orders: Mapping[str, Json] = {"orders": texts(terms.orders)} if terms.orders else {}
    return _line(
        {
            **orders,
            "budget": None if terms.budget is None else texts(terms.budget),
            "figures": terms.figures,
            "home": home,
            "kind": LEDGER,
            "measure": terms.measure,
            "schema": SCHEMA if terms.orders else 1,
            "space": terms.space,
            "time": time.isoformat(),
            "token": token,
        }
    )


def charged(before: str, number: int, charge: Charge, spent: Figures, time: datetime) -> str:
    """`spent` is what was spent of the whole budget, this charge included."""
    return _line(
        {
            "asker": charge.asker,
            "before": before,
            "certificate": charge.certificate,
            "cost": texts(charge.cost),
            "kind": "charge",
            "number": number,
            "place": charge.place,
            "question": str(charge.question),
            "spent": texts(spent),
            "time": time.isoformat(),
        }
    )


def settled(before: str, number: int, outcome: str, time: datetime) -> str:
    return _line(
        {"before": before, "kind": "settle", "number": number, "outcome": outcome, "time": time.isoformat()},
    )


def adopted(before: str, home: str, time: datetime) -> str:
    """Somebody gave their word that no other copy is charged any more."""
    return _line({"before": before, "home": home, "kind": "adopt", "time": time.isoformat()})


def _line(fields: Mapping[str, Json]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def _rational(text: str) -> Fraction:
    """Read once: most charges of a ledger cost one of a few amounts."""
    return Fraction(text)


class Malformed(Exception):
    """A line that dpcore did not write, and why."""


@final
@dataclass(frozen=True, slots=True)
class Line:
    """The fields of a line, each asked for by the kind that it must have."""

    fields: Mapping[str, object]

    @classmethod
    def read(cls, line: str) -> Line:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise Malformed("it is no JSON") from None
        if not isinstance(found, dict):
            raise Malformed("it is no JSON object")
        return cls(found)

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        if not isinstance(found, str):
            raise Malformed(f"its {name} is no text")
        return found

    def number(self, name: str) -> int:
        found = self.fields.get(name)
        if type(found) is not int:
            raise Malformed(f"its {name} is no number")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        found = self.fields.get(name)
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise Malformed(f"its {name} is no list of texts")
        return tuple(found)

    def figures(self, name: str, how_many: int) -> Figures:
        try:
            found = tuple(map(_rational, self.texts(name)))
        except (ValueError, ZeroDivisionError):
            raise Malformed(f"its {name} is not rational") from None
        if len(found) != how_many or any(each.numerator < 0 for each in found):
            raise Malformed(f"its {name} is no loss")
        return found

    def time(self) -> datetime:
        try:
            return datetime.fromisoformat(self.text("time"))
        except ValueError:
            raise Malformed("its time is none") from None

    def optional(self, name: str) -> str | None:
        return None if name in self.fields and self.fields[name] is None else self.text(name)
