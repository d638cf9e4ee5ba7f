"""The fields of a record as a class declares them: a dataclass, a NamedTuple, a TypedDict, a pydantic model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NotRequired, Required, get_origin, get_type_hints

from dpcore.domains.domain import Domain
from dpcore.domains.instances import described, names_of
from dpcore.domains.schemas.annotations import domain_of
from dpcore.errors import InvalidParameter, is_a

CLASSES: Final = "a dataclass, a NamedTuple, a TypedDict or a pydantic model"


def fields_of(cls: type[object]) -> tuple[tuple[str, Domain], ...]:
    """Each field with the domain that its annotation says; refused by its name where there is none."""
    if not is_a(cls, type):
        raise InvalidParameter(f"Expected a class but got a {type(cls).__name__}", produced=cls)
    fields: list[tuple[str, Domain]] = []
    for name, *said in _said_in(cls):
        try:
            fields.append((name, domain_of(*said)))
        except InvalidParameter as refusal:
            raise _of_a_field(cls, name, refusal) from None
    if not fields:
        raise InvalidParameter(f"Expected at least one field but {cls.__name__} has none", produced=cls)
    return tuple(fields)


def _of_a_field(cls: type[object], name: str, refusal: InvalidParameter) -> InvalidParameter:
    headline = f"field {name!r} of {cls.__name__}: {refusal.headline}"
    return InvalidParameter(headline, produced=refusal.produced, expected=refusal.expected, bridge=refusal.bridge)


def _said_in(cls: type[object]) -> Iterator[tuple[str, object, *tuple[object, ...]]]:
    """Each field, its annotation, and what pydantic took out of the annotation."""
    model = described(cls)
    if model is not None:
        for name, field in model.items():
            remarks: object = getattr(field, "metadata", None)
            yield name, getattr(field, "annotation", None), *(remarks if isinstance(remarks, list) else ())
        return
    required: object = getattr(cls, "__required_keys__", None)  # of a TypedDict
    names = names_of(cls)
    if names is None and required is None:
        raise InvalidParameter(
            f"Expected {CLASSES} but got the class {cls.__name__}", produced=cls, bridge="record(name=domain, ...)"
        )
    hints = _hints(cls)
    for name in hints if names is None else names:
        if isinstance(required, frozenset) and _may_lack(hints[name], name in required):
            refusal = InvalidParameter("a row may lack it", produced=cls, bridge="X | None, and the field in every row")
            raise _of_a_field(cls, name, refusal)
        yield name, hints.get(name)


def _hints(cls: type[object]) -> dict[str, object]:
    try:
        return get_type_hints(cls, include_extras=True)
    except Exception as error:
        said = f"the annotations of {cls.__name__} cannot be evaluated: {error}"
        raise InvalidParameter(said, produced=cls, bridge="a class at the top of its module") from None


def _may_lack(hint: object, required: bool) -> bool:
    """Whether a key of a TypedDict may be absent; Python itself does not see what an annotation held as a text says."""
    return get_origin(hint) is NotRequired or (not required and get_origin(hint) is not Required)
