"""What the lines of a ledger come to: each is checked, then added up. Nothing else says how much was spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from dpcore.errors import LedgerRefused
from dpcore.interaction.accounts import ANSWERED, CHARGED, FAILED, Charge, Entry, Figures, Place, fits, nothing, rises
from dpcore.interaction.ledgers.lines import LEDGER, SCHEMA, Line, Malformed, Terms, digest, texts


@final
@dataclass(slots=True)
class History:
    """The lines so far, of which the last is number `row`; the header is number 0."""

    name: str
    terms: Terms
    token: str
    home: str
    row: int
    hash: str
    kept: tuple[int, str]
    """The last row that was put on the disk before anybody went on, and its hash: a charge, as a rule."""
    charges: int = 0
    total: dict[Place, Figures] = field(default_factory=dict)

    @classmethod
    def begun(cls, name: str, row: int, text: str, hash_: str) -> History:
        """From the header, which must be the first row."""
        try:
            if row != 0:
                raise Malformed("is missing")
            line = _hashed(text, hash_)
            if line.fields.get("kind") != LEDGER:
                raise Malformed("is no header of a ledger")
            schema = line.number("schema")
            if schema > SCHEMA:
                raise LedgerRefused(
                    f"{name} was written by a later dpcore: schema {schema}, and this one knows {SCHEMA}"
                )
            terms = _terms(line)
            return cls(name, terms, line.text("token"), line.text("home"), 0, hash_, (0, hash_))
        except Malformed as why:
            raise bad_row(name, 0, str(why)) from None

    def spent(self, place: Place = ()) -> Figures:
        return self.total.get(place, nothing(self.terms.figures))

    def follow(self, row: int, text: str, hash_: str) -> Entry | tuple[int, str] | None:
        """Take in the next line, and give the charge, or the number of a charge and its outcome. Or refuse it by its row."""
        try:
            if row != self.row + 1:
                raise Malformed("is missing")
            line = _hashed(text, hash_)
            if line.text("before") != self.hash:
                raise Malformed("does not follow the row before it")
            found = self._taken(row, line, hash_)
        except Malformed as why:
            raise bad_row(self.name, self.row + 1, str(why)) from None
        self.row, self.hash = row, hash_
        return found

    def _taken(self, row: int, line: Line, hash_: str) -> Entry | tuple[int, str] | None:
        kind = line.text("kind")
        if kind == "charge":
            return self._charged(row, line, hash_)
        if kind == "settle":
            number, outcome = line.number("number"), line.text("outcome")
            if not 1 <= number <= self.charges or outcome not in (ANSWERED, FAILED):
                raise Malformed("settles no charge")
            return number, outcome
        if kind == "adopt":
            self.home = line.text("home")
            self.kept = row, hash_
            return None
        raise Malformed("is of no kind that there is")

    def _charged(self, row: int, line: Line, hash_: str) -> Entry:
        cost, place = line.figures("cost", self.terms.figures), line.texts("place")
        if line.number("number") != self.charges + 1 or len(place) % 2:
            raise Malformed("is not the next charge")
        text, certificate, asker = line.text("question"), line.optional("certificate"), line.text("asker")
        charge = Charge(cost, text, place, certificate, asker)
        risen = rises(charge, self.total)
        spent = risen[()]
        entry = Entry(self.charges + 1, charge, line.time(), CHARGED, spent)
        if [*line.texts("spent")] != texts(spent):
            raise Malformed("does not add up")
        if not fits(spent, self.terms.budget):
            raise Malformed("spends more than the budget")
        self.total.update(risen)
        self.charges += 1
        self.kept = row, hash_
        return entry


def bad_row(name: str, row: int, why: str) -> LedgerRefused:
    return LedgerRefused(f"{name} was damaged or edited: row {row} {why}")


def not_the_head(name: str, last: tuple[int, str], head: tuple[int, str]) -> LedgerRefused:
    """The chain ends elsewhere than its head says."""
    if last[0] == head[0]:
        return bad_row(name, last[0], "is not the head")
    return bad_row(name, min(last[0], head[0]) + 1, "is missing" if last < head else "stands after the head")


def _hashed(text: str, hash_: str) -> Line:
    if digest(text) != hash_:
        raise Malformed("is not what its hash says")
    return Line.read(text)


def _terms(line: Line) -> Terms:
    figures = line.number("figures")
    budget = None if line.fields.get("budget") is None else line.figures("budget", figures)
    orders = line.figures("orders", figures) if "orders" in line.fields else ()
    return Terms(line.text("measure"), figures, budget, line.text("space"), orders)
