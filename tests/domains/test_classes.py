"""A record read off a class is the one that would be written by hand, or the field that says too little is refused."""

from __future__ import annotations

import datetime
from collections import namedtuple
from collections.abc import Callable
from dataclasses import KW_ONLY, InitVar, dataclass, make_dataclass
from decimal import Decimal
from enum import Flag, IntEnum, StrEnum
from fractions import Fraction
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
)

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcore as dp
from dpcore.types import Domain
from tests.domains.enumerations import Answer, Region


class Size(IntEnum):
    SMALL = 1
    LARGE = 10


class Colour(StrEnum):
    RED = "red"


class Right(Flag):
    READ = 1
    WRITE = 2


@dataclass(frozen=True)
class Limit:
    """As annotated-types, msgspec and others write bounds."""

    ge: object = None
    gt: object = None
    le: object = None
    lt: object = None


Age = NewType("Age", int)

SAID: list[tuple[Any, Domain]] = [
    (int, dp.integers()),
    (bool, dp.booleans()),
    (float, dp.numbers()),
    (Decimal, dp.numbers()),
    (Fraction, dp.numbers()),
    (str, dp.text()),
    (datetime.date, dp.date()),
    (Age, dp.integers()),
    (Literal["N", "S"], dp.categories("N", "S")),
    (Literal[1, "one", True], dp.categories(1, "one", True)),
    (Literal["N", None], dp.optional(dp.categories("N"))),
    (Literal[Region.SOUTH, "W"], dp.categories("S", "W")),
    (Region, dp.categories("N", "S")),
    (Answer, dp.categories(True, False)),
    (Size, dp.categories(1, 10)),
    (Colour, dp.categories("red")),
    (int | None, dp.optional(dp.integers())),
    (Optional[Region], dp.optional(dp.categories("N", "S"))),  # noqa: UP045
    (Annotated[int, dp.integers(0, 120)], dp.integers(0, 120)),
    (Annotated[int, "years", dp.integers(0, 120), len], dp.integers(0, 120)),
    (Annotated[int, dp.integers(0, dp.symbol("oldest"))], dp.integers(0, dp.symbol("oldest"))),
    (Annotated[int, dp.categories(1, 2)], dp.categories(1, 2)),
    (Annotated[float, dp.numbers(0, 1, "0.01")], dp.numbers(0, 1, "0.01")),
    (Annotated[float, dp.integers(0, 9)], dp.integers(0, 9)),
    (Annotated[str, dp.categories("N", "S")], dp.categories("N", "S")),
    (Annotated[Region, dp.categories("S")], dp.categories("S")),
    (Annotated[datetime.date, dp.date("2020-01-01")], dp.date("2020-01-01")),
    (Annotated[int, dp.integers(0, 120)] | None, dp.optional(dp.integers(0, 120))),
    (Annotated[int | None, dp.optional(dp.integers(0, 120))], dp.optional(dp.integers(0, 120))),
    (Annotated[list[int], dp.vector(dp.integers(0, 9), 3)], dp.vector(dp.integers(0, 9), 3)),
    (Annotated[tuple[float, ...], dp.vector(dp.numbers(), 2)], dp.vector(dp.numbers(), 2)),
    (Annotated[tuple[int, float], dp.vector(dp.integers(), 2)], dp.vector(dp.integers(), 2)),
    (Annotated[int, Limit(ge=0, le=120)], dp.integers(0, 120)),
    (Annotated[int, Limit(gt=0), Limit(lt=120)], dp.integers(1, 119)),
    (Annotated[int, Limit(ge=0), Limit(gt=3), Limit(le=9)], dp.integers(4, 9)),
    (Annotated[int, Limit(gt=0.5, lt=Fraction(7, 2))], dp.integers(1, 3)),
    (Annotated[int, Limit(ge=Decimal("0.5"), le=3.5)], dp.integers(1, 3)),
    (Annotated[float, Limit(ge=0.1, le=1)], dp.numbers("0.1", 1)),
    (Annotated[int | None, Limit(ge=0)], dp.optional(dp.integers(0))),
    (Annotated[int, Limit(ge=0), dp.integers(0, 120)], dp.integers(0, 120)),
    (Annotated[int, Limit()], dp.integers()),
]  # fmt: skip

FIELDS = st.lists(st.sampled_from(SAID), min_size=1, max_size=5)


@given(FIELDS)
def test_a_dataclass_is_the_record_written_by_hand(said: list[tuple[Any, Domain]]) -> None:
    cls = make_dataclass("Row", [(f"f{i}", annotation) for i, (annotation, _) in enumerate(said)])
    by_hand = dp.record(**{f"f{i}": domain for i, (_, domain) in enumerate(said)})
    assert dp.record.of(cls) == by_hand
    assert eval(repr(dp.record.of(cls)), vars(dp)) == by_hand


typed_dict: Any = TypedDict
named_tuple: Any = NamedTuple


@pytest.mark.parametrize("i", range(len(SAID)))
def test_each_annotation_in_each_kind_of_class(i: int) -> None:
    annotation, domain = SAID[i]
    for cls in (
        make_dataclass("Row", [("f", annotation)]),
        make_dataclass("Row", [("f", Final.__getitem__(annotation))]),
        named_tuple("Row", [("f", annotation)]),
        typed_dict("Row", {"f": annotation}),
    ):
        assert dp.record.of(cls) == dp.record(f=domain)
        assert dp.record.of(cls, extra="ignore") == dp.record(f=domain, extra="ignore")


@dataclass
class Base:
    age: Annotated[int, dp.integers(0, 120)]
    many: ClassVar[int] = 0
    given: InitVar[int] = 0


@dataclass(slots=True)
class Person(Base):
    _: KW_ONLY
    region: Literal["N", "S"] = "N"
    pay: Annotated[float, dp.numbers(0, 9)] | None = None


class Named(NamedTuple):
    age: Annotated[int, dp.integers(0, 120)]
    region: Literal["N", "S"]
    pay: Annotated[float, dp.numbers(0, 9)] | None


class Keyed(TypedDict):
    age: Annotated[int, dp.integers(0, 120)]
    region: Required[Literal["N", "S"]]
    pay: Annotated[float, dp.numbers(0, 9)] | None


class Total(TypedDict, total=False):
    age: Required[Annotated[int, dp.integers(0, 120)]]
    region: Required[Literal["N", "S"]]
    pay: Required[Annotated[float, dp.numbers(0, 9)] | None]


BY_HAND: Final = dp.record(
    age=dp.integers(0, 120), region=dp.categories("N", "S"), pay=dp.optional(dp.numbers(0, 9))
)  # fmt: skip


@pytest.mark.parametrize("cls", [Person, Named, Keyed, Total])
def test_a_class_as_one_writes_it(cls: type[object]) -> None:
    """Also with annotations that are held as texts, as in this module; of the fields alone, inherited ones too."""
    assert dp.record.of(cls) == BY_HAND


def test_models_of_pydantic() -> None:
    """The bounds are said in `Field`, which takes them out of the annotation."""
    pydantic: Any = pytest.importorskip("pydantic")
    within = {"ge": 0, "le": 120}
    kinds: list[tuple[Any, Any, Domain]] = [
        (int, pydantic.Field(**within), dp.integers(0, 120)),
        (int, pydantic.Field(gt=0, lt=9), dp.integers(1, 8)),
        (int | None, pydantic.Field(default=None, ge=0), dp.optional(dp.integers(0))),
        (Annotated[int, pydantic.Field(**within)], ..., dp.integers(0, 120)),
        (Annotated[int, pydantic.Field(ge=0)] | None, ..., dp.optional(dp.integers(0))),
        (Annotated[int, dp.integers(0, 9)], ..., dp.integers(0, 9)),
        (Annotated[int, dp.integers(0, 9)], pydantic.Field(ge=0), dp.integers(0, 9)),
        (pydantic.PositiveInt, ..., dp.integers(1)),
        (pydantic.conint(ge=2, le=3), ..., dp.integers(2, 3)),
        (pydantic.confloat(ge=0), ..., dp.numbers(0)),
        (Region, ..., dp.categories("N", "S")),
    ]
    fields = {f"f{i}": (said, default) for i, (said, default, _) in enumerate(kinds)}
    expected = dp.record(**{f"f{i}": domain for i, (_, _, domain) in enumerate(kinds)})
    assert dp.record.of(pydantic.create_model("Row", **fields)) == expected
    described: Any = pydantic.dataclasses.dataclass(
        type("Row", (), {"__annotations__": {"age": int}, "age": pydantic.Field(**within)})
    )
    assert dp.record.of(described) == dp.record(age=dp.integers(0, 120))
    with pytest.raises(dp.errors.InvalidParameter, match="field 'f' of Row: there is no domain of list"):
        dp.record.of(pydantic.create_model("Row", f=(list[int], ...)))


REFUSED: list[tuple[Any, str, str | None]] = [
    (datetime.datetime, "there is no domain of datetime", "datetime.date"),
    (bytes, "there is no domain of bytes", "int, float"),
    (complex, "there is no domain of complex", "int, float"),
    (object, "there is no domain of object", "int, float"),
    (Any, "there is no domain of Any", "int, float"),
    (None, "there is no domain of None", "int, float"),
    (Right, "there is no domain of Right", "int, float"),
    (Person, "there is no domain of Person", "int, float"),
    (int | str, "there is no domain of int | str", "int, float"),
    (int | str | None, "there is no domain of int | str | None", "int, float"),
    (list[int], "there is no domain of list[int]", "vector(integers(), size)"),
    (tuple[int, ...], "there is no domain of tuple[int, ...]", "vector(integers(), size)"),
    (dict[str, int], "there is no domain of dict[str, int]", "int, float"),
    (Literal[b"N"], "Expected categories that are text", None),
    (Annotated[bytes, dp.text()], "there is no domain of bytes", "int, float"),
    (Annotated[int, dp.text()], "text() holds what int does not", "integers()"),
    (Annotated[int, dp.numbers(0, 1)], "numbers(0, 1) holds what int does not", "integers()"),
    (Annotated[int, dp.booleans()], "booleans() holds what int does not", "integers()"),
    (Annotated[int, dp.categories(1, "2")], "categories(1, '2') holds what int does not", "integers()"),
    (Annotated[int, dp.optional(dp.integers())], "optional(integers()) holds what int does not", "integers()"),
    (Annotated[int | None, dp.integers(0)], "int | None holds None, and integers(0) does not", "optional(integers(0))"),
    (Annotated[Region, dp.text()], "text() holds what Region does not", "categories('N', 'S')"),
    (Annotated[list[str], dp.vector(dp.integers(), 2)], "integers() holds what str does not", "text()"),
    (Annotated[int, dp.vector(dp.integers(), 2)], "vector(integers(), 2) holds what int does not", "integers()"),
    (Annotated[int, dp.record(x=dp.integers())], "record(x=integers()) holds what int does not", "integers()"),
    (Annotated[int, dp.integers(), dp.integers(0)], "Expected one domain but got integers() and integers(0)", None),
    (Annotated[int, Limit(ge=0), dp.integers(-1)], "integers(-1) holds what int does not", "integers(0)"),
    (Annotated[float, Limit(gt=0)], "gt=0 leaves its bound out", "ge=0"),
    (Annotated[float, Limit(lt=0.5)], "lt=0.5 leaves its bound out", "le=0.5"),
    (Annotated[str, Limit(ge="a")], "Expected a finite number but got ge='a'", None),
    (Annotated[int, Limit(ge=float("inf"))], "Expected a finite number but got ge=inf", None),
    (Annotated[int, Limit(ge=3, le=2)], "Expected low <= high but got low=3, high=2", None),
    (Annotated[str, Limit(ge=1)], "there are no bounds in text()", "a domain in their place"),
    (Annotated[Region, Limit(ge=1)], "there are no bounds in categories('N', 'S')", "a domain in their place"),
    (Annotated[Literal[1, 2] | None, Limit(ge=1)], "there are no bounds in categories(1, 2)", "a domain in their place"),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(REFUSED)))
def test_what_says_too_little_is_refused_by_its_name(i: int) -> None:
    annotation, said, bridge = REFUSED[i]
    cls = make_dataclass("Row", [("known", int), ("f", annotation)])
    with pytest.raises(dp.errors.InvalidParameter) as refusal:
        dp.record.of(cls)
    assert refusal.value.headline.startswith(f"field 'f' of Row: {said}")
    assert refusal.value.bridge == bridge or (bridge is not None and bridge in str(refusal.value.bridge))


def test_a_key_that_may_be_absent() -> None:
    for cls in (Sometimes, Never):
        with pytest.raises(
            dp.errors.InvalidParameter, match=f"field 'pay' of {cls.__name__}: a row may lack it"
        ) as refusal:
            dp.record.of(cls)
        assert "X | None" in str(refusal.value.bridge)


class Sometimes(TypedDict):
    age: int
    pay: NotRequired[int]


class Never(TypedDict, total=False):
    pay: int


@pytest.mark.parametrize("cls", [int, dict, Region, type("Plain", (), {"__annotations__": {"age": int}}), Domain])
def test_a_class_of_another_kind(cls: type[object]) -> None:
    with pytest.raises(
        dp.errors.InvalidParameter, match="Expected a dataclass, a NamedTuple, a TypedDict or a pydantic"
    ):
        dp.record.of(cls)


def test_what_is_no_class() -> None:
    untyped: Any = dp.record.of
    for given_ in (3, None, Person(1), dp.record(age=dp.integers()), list[int], "Person"):
        with pytest.raises(dp.errors.InvalidParameter, match="Expected a class but got a"):
            untyped(given_)


def test_an_extra_of_another_kind() -> None:
    untyped: Any = dp.record.of
    with pytest.raises(dp.errors.InvalidParameter, match="Expected extra='ignore' but got extra='forbid'"):
        untyped(Person, extra="forbid")


def test_annotations_that_lead_nowhere() -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="the annotations of Row cannot be evaluated: name 'Nowhere'"):
        dp.record.of(make_dataclass("Row", [("f", "Nowhere")]))
    with pytest.raises(dp.errors.InvalidParameter, match="field 'f' of Row: there is no domain of None"):
        dp.record.of(namedtuple("Row", ["f"]))
    for empty in (make_dataclass("Row", []), typed_dict("Row", {})):
        with pytest.raises(dp.errors.InvalidParameter, match="Expected at least one field but Row has none"):
            dp.record.of(empty)


LEFT_OPEN: list[tuple[Callable[..., object], tuple[object, ...]]] = [
    (dp.integers, (..., 9)), (dp.integers, (0, ...)), (dp.numbers, (0, ...)), (dp.numbers, (0, 1, ...)),
    (dp.date, (..., "2020-01-01")), (dp.categories, (...,)), (dp.categories, ("N", ...)), (dp.categories, (["N", ...],)),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(LEFT_OPEN)))
def test_what_was_left_open_is_refused(i: int) -> None:
    constructor, arguments = LEFT_OPEN[i]
    with pytest.raises(
        dp.errors.InvalidParameter, match=r"but got `\.\.\.`, to be filled in from what is known beforehand"
    ):
        constructor(*arguments)


def test_a_field_left_open_is_refused_by_its_name() -> None:
    untyped: Any = dp.record
    with pytest.raises(dp.errors.InvalidParameter, match=r"Expected a domain for field 'age' but got `\.\.\.`"):
        untyped(age=...)


def test_any_name_can_be_a_field() -> None:
    """A record prints as code that makes it again, also where Python would read a name in another way."""
    for name in ("self", "extra", "class", "first name", "ﬁ", "fi", "__debug__", "größe", ""):
        record = dp.record(**{name: dp.integers()})
        assert eval(repr(record), vars(dp)) == record
