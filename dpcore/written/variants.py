"""What has variants told apart by a word, each with fields of its own: domains, metrics. All that a certificate makes of
them are folds over one table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar, final

from dpcore.calculus.parameters import Data, Json, Kind, Parameter, Schema, fields, text
from dpcore.calculus.parameters.data import object_of
from dpcore.calculus.parameters.words import plain
from dpcore.errors import InvalidParameter, NotCertifiable

T_co = TypeVar("T_co", covariant=True)


@final
class Variant(NamedTuple, Generic[T_co]):
    """A class whose values are written field by field, and the words for one of them, as it is written."""

    kind: str
    of: type[T_co]
    fields: tuple[Parameter, ...]
    words: Callable[[Data], str]
    made: Callable[..., T_co] | None = None
    """What checks the fields that were read; where nothing else is said, the class."""

    def encode(self, value: object) -> Json:
        return {"kind": self.kind, **{each.name: each.encode(getattr(value, each.key)) for each in self.fields}}

    def decode(self, written: Data) -> T_co:
        return (self.made or self.of)(**{each.key: each.decode(written[each.name]) for each in self.fields})

    def definition(self) -> Schema:
        return object_of({"kind": {"const": self.kind}, **{each.name: each.schema() for each in self.fields}})


class Varied(Kind[T_co]):
    """One of several variants."""

    @abstractmethod
    def variants(self) -> tuple[Variant[T_co], ...]: ...

    def encode(self, value: object) -> Json:
        for variant in self.variants():
            if type(value) is variant.of:
                return variant.encode(value)
        raise NotCertifiable(f"a certificate has no word for {value!r}", produced=value)

    def decode(self, written: Json) -> T_co:
        variant, given = self.read(written)
        return variant.decode(given)

    def read(self, written: Json) -> tuple[Variant[T_co], Data]:
        """Which variant it is, and its fields."""
        kind = text(fields(written, "kind")["kind"])
        for variant in self.variants():
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
        return {"oneOf": [variant.definition() for variant in self.variants()]}
