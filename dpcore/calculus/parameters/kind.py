"""Parameters, and their kinds: how a certificate writes one, reads it back, tells it in words and describes it by schema."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar, final

from dpcore.calculus.parameters.data import (
    Data,
    Json,
    Malformed,
    Schema,
    entries,
    fields,
    list_of,
    object_of,
    or_null,
    ref,
    text,
)
from dpcore.calculus.parameters.formulas import DIGITS, number, read_number
from dpcore.calculus.parameters.quoting import plain_or_quoted
from dpcore.calculus.parameters.words import listed, plain
from dpcore.errors import DPError, InvalidParameter, NotCertifiable
from dpcore.maps import Exact

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False)
class Kind(ABC, Generic[T_co]):
    """What can stand at one place of a certificate."""

    name: str
    """Of its definition in the schema; without one it is written out in its place."""

    @abstractmethod
    def encode(self, value: object) -> Json:
        """The value as data. Whatever else it is, is `NotCertifiable`."""

    @abstractmethod
    def decode(self, written: Json) -> T_co:
        """The value that was written; what nobody wrote so is an error of the family."""

    @abstractmethod
    def definition(self) -> Schema:
        """What data are of this kind."""

    def schema(self) -> Schema:
        return ref(self.name) if self.name else self.definition()

    def words(self, written: Json) -> str:
        """What is written, to be read by people; whatever it is, as others may have written it."""
        return plain(written)

    @property
    def of_users(self) -> bool:
        """Whether functions of the user's own can stand in it."""
        return False

    def functions(self, written: Json) -> Iterator[str]:
        """The functions of the user's own in it, which are assumptions, by what a certificate calls them."""
        return iter(())

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        """Refuse what no constructor would have taken, now that there are numbers for symbols. `before` had the symbols."""


def a(of: type[T], value: object) -> T:
    """The value, which is one of these."""
    if not isinstance(value, of):
        raise NotCertifiable(f"a certificate writes no value of type {type(value).__name__} here", produced=value)
    return value


@dataclass(frozen=True, eq=False, repr=False)
class NumberKind(Kind[Exact]):
    """A set of numbers: in words, by membership, and by how they are written (as far as that can tell)."""

    says: str
    holds: Callable[[Fraction], bool]
    pattern: str

    def encode(self, value: object) -> Json:
        return number(value)

    def decode(self, written: Json) -> Exact:
        return read_number(written)

    def definition(self) -> Schema:
        said = "" if self.says == "a number" else f"a number {self.says}, "
        return {
            "description": f"{said}in lowest terms",
            "type": "string",
            "pattern": self.pattern,
            "maxLength": 2 * DIGITS + 2,
        }

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        if isinstance(bound, str) and not self.holds(Fraction(bound)):
            raise self.refused(f"Expected {name} to be a number {self.says} but got {name}={Fraction(bound)}", bound)

    def refused(self, why: str, written: str) -> DPError:
        return InvalidParameter(why, produced=Fraction(written))


@final
@dataclass(frozen=True, eq=False, repr=False)
class OneText(Kind[T]):
    """What is written as one text, by `write`, and read by `read`, which refuses what nobody wrote."""

    of: type[T]
    pattern: Schema
    write: Callable[[T], str]
    read: Callable[[str], T]

    def encode(self, value: object) -> Json:
        return self.write(a(self.of, value))

    def decode(self, written: Json) -> T:
        try:
            return self.read(text(written))
        except ValueError:
            raise Malformed(f"Expected a {self.name} but got another text", produced=written) from None

    def definition(self) -> Schema:
        return self.pattern


@final
@dataclass(frozen=True, eq=False, repr=False)
class Many(Kind[tuple[T_co, ...]]):
    """Several of one kind."""

    of: Kind[T_co]
    least: int = 1
    unique: bool = False
    joined: Callable[[list[str]], str] = listed

    def encode(self, value: object) -> Json:
        return [self.of.encode(each) for each in a(tuple, value)]

    def decode(self, written: Json) -> tuple[T_co, ...]:
        return tuple([self.of.decode(each) for each in entries(written)])

    def definition(self) -> Schema:
        return list_of(self.of.schema(), least=self.least, unique=self.unique)

    def words(self, written: Json) -> str:
        return self.joined([self.of.words(each) for each in written]) if isinstance(written, list) else plain(written)

    @property
    def of_users(self) -> bool:
        return self.of.of_users

    def functions(self, written: Json) -> Iterator[str]:
        return (name for each in entries(written) for name in self.of.functions(each))

    def check(self, name: str, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        for now, then in zip(entries(bound), entries(before), strict=True):
            self.of.check(name, now, then, values)


@final
@dataclass(frozen=True, eq=False, repr=False)
class ByName(Kind[tuple[tuple[str, T_co], ...]]):
    """Several of one kind, by their names."""

    of: Kind[T_co]

    def encode(self, value: object) -> Json:
        return {name: self.of.encode(each) for name, each in a(tuple, value)}

    def decode(self, written: Json) -> tuple[tuple[str, T_co], ...]:
        return tuple((name, self.of.decode(each)) for name, each in fields(written).items())

    def words(self, written: Json) -> str:
        if not isinstance(written, dict):
            return plain(written)
        return "; ".join(f"{plain_or_quoted(name)}: {self.of.words(each)}" for name, each in written.items())

    def definition(self) -> Schema:
        return {"type": "object", "additionalProperties": self.of.schema()}


@final
class Parameter(NamedTuple):
    """A parameter of a rule, or a field of a domain or metric: one value, shared by all that have it.

    Scale = Parameter("scale", POSITIVE)
    """

    name: str
    kind: Kind[object]
    held: str = ""
    """What dpcore calls it, where that is another name."""

    nullable: bool = False

    @property
    def key(self) -> str:
        """What dpcore calls it."""
        return self.held or self.name

    def encode(self, value: object) -> Json:
        return None if self.nullable and value is None else self.kind.encode(value)

    def decode(self, written: Json) -> object:
        return None if self.nullable and written is None else self.kind.decode(written)

    def schema(self) -> Schema:
        return or_null(self.kind.schema()) if self.nullable else self.kind.schema()

    def check(self, bound: Json, before: Json, values: Mapping[str, Exact]) -> None:
        if bound is not None:
            self.kind.check(self.name, bound, before, values)


# ---- told apart by a word ----------------------------------------------------------------------------------------------


@final
class Variant(NamedTuple, Generic[T_co]):
    """A class whose values are written field by field, and the words for one of them, as it is written."""

    kind: str
    of: type[T_co]
    fields: tuple[Parameter, ...]
    words: Callable[[Data], str]
    made: Callable[..., T_co] | None = None
    """What checks the fields that were read; where nothing else is said, the class."""

    def encode(self, value: object) -> Data:
        return {"kind": self.kind, **{each.name: each.encode(getattr(value, each.key)) for each in self.fields}}

    def decode(self, written: Data) -> T_co:
        return (self.made or self.of)(**{each.key: each.decode(written[each.name]) for each in self.fields})

    def definition(self) -> Schema:
        return object_of({"kind": {"const": self.kind}, **{each.name: each.schema() for each in self.fields}})


@dataclass(frozen=True, eq=False, repr=False)
class Varied(Kind[T_co]):
    """One of several variants told apart by a word, each with fields of its own: domains, metrics."""

    variants: list[Variant[T_co]] = field(default_factory=list)
    """Entered once all are there, since some hold others."""

    def encode(self, value: object) -> Data:
        for variant in self.variants:
            if type(value) is variant.of:
                return variant.encode(value)
        raise NotCertifiable(f"a certificate has no word for {value!r}", produced=value)

    def decode(self, written: Json) -> T_co:
        variant, given = self.read(written)
        return variant.decode(given)

    def read(self, written: Json) -> tuple[Variant[T_co], Data]:
        """Which variant it is, and its fields."""
        kind = text(fields(written, "kind")["kind"])
        for variant in self.variants:
            if variant.kind == kind:
                return variant, fields(written, *(each.name for each in variant.fields))
        raise InvalidParameter(f"there is no {self.name} {kind!r}", produced=kind)

    def words(self, written: Json) -> str:
        try:
            variant, given = self.read(written)
        except InvalidParameter:
            return plain(written)
        return variant.words(given)

    def definition(self) -> Schema:
        return {"oneOf": [variant.definition() for variant in self.variants]}
