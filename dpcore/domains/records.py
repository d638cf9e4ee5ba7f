"""The constructor of records: from domains by name, or from a class; and a first draft of one, for a table."""

from __future__ import annotations

from typing import Final, Literal, TypeVar, final, overload

from dpcore.domains.constructors import a_text, filled_in
from dpcore.domains.domain import Domain, a_domain
from dpcore.domains.structures import Parts, Record, Rows
from dpcore.errors import InvalidParameter, printed

T = TypeVar("T")


@final
class Records:
    """Values under names, `record(age=integers(0, 120), region=categories("N", "S"))`.

    With `extra="ignore"`, fields and columns that were not declared are left aside, where else they are refused.
    `record.of(Person)` reads the fields from a class, and `print(record.suggest(frame))` drafts them from the dtypes of a
    table.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "record"

    def __reduce__(self) -> str:
        return "record"

    @overload
    def __call__(self, /, **fields: Domain) -> Record: ...
    @overload
    def __call__(self, /, *, extra: Literal["ignore"], **fields: Domain) -> Record: ...
    def __call__(self, /, **fields: object) -> object:
        """The record of these fields."""
        ignored = a_text(fields.get("extra")) and fields["extra"] == "ignore"
        given = {name: domain for name, domain in fields.items() if not (ignored and name == "extra")}
        if not given:
            raise InvalidParameter("Expected at least one field but got none")
        filled_in(**{f"a domain for field {name!r}": domain for name, domain in given.items()})
        declared = {name: a_domain(domain, f"field {name!r}") for name, domain in given.items()}
        for name, domain in declared.items():
            if isinstance(domain, (Rows, Parts, Record)):
                raise InvalidParameter(f"Expected single values for field {name!r} but got {domain!r}", produced=domain)
        return Record(tuple(declared.items()), ignored)

    def of(self, cls: type[T], /, *, extra: Literal["ignore"] | None = None) -> Record[T]:
        """The record of a dataclass, a NamedTuple, a TypedDict or a pydantic model; its objects are rows.

        `Annotated[int, integers(0, 120)]` says the domain of a field, `Ge(0)`, `Field(ge=0)` and the like a bound of it.
        """
        from dpcore.domains.schemas.classes import fields_of

        if extra not in (None, "ignore"):
            raise InvalidParameter(f"Expected extra='ignore' but got extra={printed(extra)}", produced=extra)
        return Record(fields_of(cls), extra == "ignore")

    def suggest(self, frame: object, /) -> str:
        """Code to start from, from the names and the dtypes of the columns alone.

        Bounds and categories are left as `...`: taken from the data, they would not be private. No value is looked at.
        """
        from dpcore.domains.schemas.drafts import draft

        return draft(frame)


record: Final = Records()
