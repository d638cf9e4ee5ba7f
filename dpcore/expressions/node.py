"""The four nodes that expressions are made of. Data: they compare by structure, print, serialise and can be read.

A node is read on one row (`on_row`), which is its meaning, and on domains (`shape`): every result lies in its shape.
Engines read it in their own way, and give what `on_row` gives on each row.
"""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final, TypeAlias, cast, final

from dpcore.calculus.parameters.data import Data
from dpcore.domains import Booleans, Categories, Dates, Domain, Integers, Numbers, Record, as_decimal, unwrapped
from dpcore.errors import Closed, InvalidExpression, InvalidParameter, looked_at
from dpcore.expressions.operation import Operation
from dpcore.expressions.operations import OPERATIONS
from dpcore.expressions.printing import ATOM, Printed
from dpcore.expressions.shapes import ALWAYS_NULL, DATE, NUMBER, TEXT, TRUTH, Shape, Unfit, kind, shape_of
from dpcore.maps import argument, exact, known

Plain: TypeAlias = int | Fraction | bool | str | datetime.date | None
"""The values that a constant can have."""


class Node(Closed, ABC):
    """A function of one row."""

    __slots__ = ()

    @abstractmethod
    def on_row(self, row: object) -> object: ...

    @abstractmethod
    def shape(self, rows: Domain) -> Shape:
        """What it can return on the rows of that domain. Refuses what cannot be read from them."""

    @abstractmethod
    def printed(self) -> Printed: ...

    @abstractmethod
    def data(self) -> Data:
        """The node as JSON holds it."""

    def children(self) -> tuple[Node, ...]:
        return ()

    def domain(self, rows: Domain) -> Domain:
        return self.shape(rows).domain()

    def on(self, rows: Domain) -> Node:
        """As rows of that domain understand it: see `Expression.on`."""
        return self


DECLARED: Final[Mapping[str, type]] = {"bool": bool, "int": int, "float": float, "str": str}
"""The types that a field may be declared to have."""


def _declared(node: Node, declared: str | None, domain: Domain) -> None:
    if declared is None:
        return
    values = shape_of(domain).values
    expected = {"bool": TRUTH, "int": "a whole number", "float": "numbers", "str": TEXT}[declared]
    fits = values is None or kind(values) == {"bool": TRUTH, "int": NUMBER, "float": NUMBER, "str": TEXT}[declared]
    if declared == "float" and fits and values is not None:
        fits = isinstance(values, Numbers)
    if declared == "int" and fits and values is not None:
        fits = values.types() <= {int}
    if not fits:
        raise InvalidExpression(
            f"Expected {expected} but got {domain!r} in {node.printed().text}",
            produced=domain,
            bridge="int in the place of float" if declared == "float" and isinstance(values, Integers) else None,
        )


@final
@dataclass(frozen=True, slots=True)
class Field(Node):
    """The value of one field of a record."""

    name: str
    declared: str | None = None

    def on_row(self, row: object) -> object:
        return cast("Mapping[str, object]", row)[self.name]

    def domain(self, rows: Domain) -> Domain:
        if not isinstance(rows, Record):
            raise InvalidExpression(
                f"there is no field {self.name!r}: the rows are single values", produced=rows, bridge="row()"
            )
        found = rows.domain(self.name)
        if found is None:
            names = [name for name, _ in rows.fields]
            import difflib  # only to say it better

            near = difflib.get_close_matches(self.name, names, n=1)
            raise InvalidExpression(
                f"there is no field {self.name!r}; the fields are {', '.join(map(repr, names))}",
                produced=self.name,
                expected=tuple(names),
                bridge=Field(near[0], self.declared).printed().text if near else None,
            )
        _declared(self, self.declared, found)
        return found

    def shape(self, rows: Domain) -> Shape:
        return shape_of(self.domain(rows))

    def printed(self) -> Printed:
        return Printed(f"field({self.name!r})" if self.declared is None else f"field({self.name!r}, {self.declared})")

    def data(self) -> Data:
        found: Data = {"op": "field", "name": self.name}
        return found if self.declared is None else {**found, "type": self.declared}


@final
@dataclass(frozen=True, slots=True)
class Row(Node):
    """The row itself, where rows are single values."""

    declared: str | None = None

    def on_row(self, row: object) -> object:
        return row

    def domain(self, rows: Domain) -> Domain:
        if isinstance(rows, Record):
            names = [name for name, _ in rows.fields]
            raise InvalidExpression(
                f"the rows are records, with the fields {', '.join(map(repr, names))}",
                produced=rows,
                bridge=f"field({names[0]!r})",
            )
        _declared(self, self.declared, rows)
        return rows

    def shape(self, rows: Domain) -> Shape:
        return shape_of(self.domain(rows))

    def printed(self) -> Printed:
        return Printed(f"row({self.declared or ''})")

    def data(self) -> Data:
        return {"op": "row"} if self.declared is None else {"op": "row", "type": self.declared}


@final
@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A constant. `of` is the type of the value, so that `True` and `1` are two constants."""

    of: str
    value: Plain

    def on_row(self, row: object) -> object:
        return self.value

    def shape(self, rows: Domain) -> Shape:
        return shape_of(self._domain())

    def _domain(self) -> Domain:
        value = self.value
        if value is None or isinstance(value, str):
            return Categories((value,))
        if isinstance(value, bool):
            return Booleans()
        if isinstance(value, datetime.date):
            return Dates(value, value)
        return Integers(value, value) if isinstance(value, int) else Numbers(value, value, abs(value))

    def printed(self) -> Printed:
        value = self.value
        if isinstance(value, datetime.date):
            return Printed(f"day({value.isoformat()!r})")
        if isinstance(value, Fraction):
            text = as_decimal(value)
            if text.startswith("ratio"):
                return Printed(text)
            return Printed(f"literal({text})", ATOM, text, is_number=True)
        number = isinstance(value, int) and not isinstance(value, bool)
        text = argument(value)
        return Printed(f"literal({text})", ATOM, text, is_number=number, is_null=value is None)

    def data(self) -> Data:
        if self.value is None or isinstance(self.value, (bool, str)):
            return {"op": self.of, "value": self.value}
        return {"op": self.of, "value": str(self.value)}


def day_in(x: object) -> datetime.date | None:
    """The day that a text reads as, `2020-01-31`."""
    if not isinstance(x, str):
        return None
    try:
        return datetime.date.fromisoformat(x)
    except ValueError:
        return None


def _dated(node: Node) -> Node:
    day = day_in(node.value) if isinstance(node, Literal) else None
    return node if day is None else Literal("date", day)


def literal_node(x: object) -> Literal:
    """The constant that was typed: the float 0.1 is one tenth."""
    if type(x) is int:
        return Literal("number", x)
    if x is None:
        return Literal("null", None)
    value = x if type(x) in (str, int, bool, float) else unwrapped(x)
    if isinstance(value, bool):
        return Literal("truth", value)
    if isinstance(value, str):
        return Literal("text", str(value))
    if type(value) is datetime.date:
        return Literal("date", value)
    written = isinstance(value, (int, float, Fraction, Decimal)) or hasattr(value, "free_symbols")
    if not written and looked_at(lambda: exact(value)) is None:
        raise InvalidExpression(
            f"Expected an expression, a number, a truth value, a text or a date but got a {type(x).__name__}",
            produced=type(x),
        )
    try:
        number = known(exact(value))
    except InvalidParameter as refusal:
        raise InvalidExpression(refusal.headline, produced=x) from None
    return Literal("number", int(number) if number.denominator == 1 else Fraction(number))


@final
@dataclass(frozen=True, slots=True)
class Apply(Node):
    """An operation, by its name in the table, applied to operands."""

    name: str
    operands: tuple[Node, ...]

    def __post_init__(self) -> None:
        operation = OPERATIONS.get(self.name)
        if operation is None:
            raise InvalidExpression(f"there is no operation {self.name!r}", produced=self.name)
        count = len(self.operands)
        if count < operation.arity or (count > operation.arity and not operation.more):
            raise InvalidExpression(f"Expected {operation.arity} operands for {self.name!r} but got {count}")
        if operation.constants is not None:
            self._check_constants(operation, self.operands[operation.constants :])

    def _check_constants(self, operation: Operation, operands: Sequence[Node]) -> None:
        values = [x.value for x in operands if isinstance(x, Literal) and x.value is not None]
        if len(values) < len(operands):
            raise InvalidExpression(f"Expected constants other than None in {self.printed().text}")
        complaint = operation.demand(*values)
        if complaint is not None:
            raise InvalidExpression(f"{complaint} in {self.printed().text}")

    @property
    def operation(self) -> Operation:
        return OPERATIONS[self.name]

    def children(self) -> tuple[Node, ...]:
        return self.operands

    def on_row(self, row: object) -> object:
        return on_values(OPERATIONS[self.name], [operand.on_row(row) for operand in self.operands])

    def shape(self, rows: Domain) -> Shape:
        shapes = [operand.shape(rows) for operand in self.operands]
        try:
            return _on_shapes(OPERATIONS[self.name], shapes)
        except Unfit as unfit:
            found = kind(unfit.met)
            met = repr(unfit.met) if found is None else f"{found}, {unfit.met!r},"
            raise InvalidExpression(
                f"Expected {unfit.expected} but got {met} in {self.printed().text}",
                produced=unfit.met,
                expected=unfit.expected,
            ) from None

    def on(self, rows: Domain) -> Node:
        operands = tuple([operand.on(rows) for operand in self.operands])
        dated = tuple(map(_dated, operands))
        if dated != operands:  # there is a text that reads as a day: what stands beside it?
            shapes = [operand.shape(rows) for operand in operands]
            if any(shape.values is not None and kind(shape.values) == DATE for shape in shapes):
                operands = dated
        return self if operands == self.operands else Apply(self.name, operands)

    def printed(self) -> Printed:
        return self.operation.printer([operand.printed() for operand in self.operands])

    def data(self) -> Data:
        return {"op": self.name, "of": [operand.data() for operand in self.operands]}


def on_values(operation: Operation, values: Sequence[object]) -> object:
    """The operation on the values of its operands."""
    if not operation.sees_nulls:
        for value in values:
            if value is None:
                return None
    return operation.row(*values)


def _on_shapes(operation: Operation, shapes: Sequence[Shape]) -> Shape:
    if operation.sees_nulls:
        return operation.shape(*shapes)
    values = [shape.values for shape in shapes if shape.values is not None]
    if len(values) < len(shapes):
        return ALWAYS_NULL
    found = operation.shape(*values)
    return Shape(found.values, found.null or any(shape.null for shape in shapes))
