"""Parts that overlap: what one row can do to all of them at once is worked out from the filters that they begin with.

Argument. Let part i see the rows of which its condition c_i is True. A row r added or removed changes what part i is given
by that row if c_i(r) is True, and by nothing otherwise. So of two data sets 1 apart the losses are at most

    max over r of (sum over i with c_i(r) of loss_i(1))

and a group of d rows pays for d steps. Which conditions hold of a row is one whole number, the sum of 2^i over them: the
key. What keys there are is found by trying all values that the fields can have which the conditions read. Each part is
then given the rows whose key is one of its own, so that the bound holds whatever was found. Called by `compose_jointly`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Final, TypeAlias

from dpcore.calculus import Derivation, Premises, Raw, Reading, Release, Rule, Run, chain, rule
from dpcore.calculus.parameters import Parameter
from dpcore.core import Space
from dpcore.core.origins import Arrow, SomeSpace, rebuilt
from dpcore.domains import Domain, Record, Rows
from dpcore.engines import Table
from dpcore.errors import InvalidParameter
from dpcore.expressions import Expr, Expression, Value, literal
from dpcore.expressions.expr import apply
from dpcore.maps import Number, one_like
from dpcore.measures import MEASURES, Measure
from dpcore.metrics import ChangeOneDistance, SymmetricDistance
from dpcore.transformations.filter import filter_symmetric
from dpcore.transformations.to_metric import change_one_to_symmetric
from dpcore.written import CONSTANTS_OF_EACH
from dpcore.written.shared import Keyed

MOST_VALUES: Final = 100_000
"""So many combinations of values are tried."""

MOST_PARTS: Final = 60
"""So that a key is a whole number of 64 bits."""

MOST_PLACES: Final = 32_768
"""So many keys may stand in a certificate, each under every part that it belongs to: a megabyte or two."""

Conditions: TypeAlias = Sequence[Expression]


def _each_on_its_rows(
    table: Table, *parts: Run, by: Expression, touched: tuple[tuple[int, ...], ...]
) -> tuple[object, ...]:
    own = [Expression(apply("isin", by, *keys)) for keys in touched]
    return tuple([part(table.filter(condition)) for part, condition in zip(parts, own, strict=True)])


def _overlapping(measure: Measure) -> Rule:
    def overlapping(d: Number, *losses: Reading, touched: tuple[tuple[Number, ...], ...]) -> Raw:
        alone = [loss(one_like(d)) for loss in losses]
        own = [set(map(str, keys)) for keys in touched]
        costs = [
            measure.compose([loss for loss, its in zip(alone, own, strict=True) if key in its])
            for key in dict.fromkeys(str(key) for keys in touched for key in keys)
        ]
        return measure.group(d, measure.largest(costs))

    overlapping.__doc__ = """`max over k of (sum over i with k in touched_i of loss_i(1))`, lifted to d by group privacy.

    Part i is given the rows whose key, by the expression `by`, is one of `touched_i`: a row more or less touches the parts
    of its key, and no others.
    """
    return rule(
        run=_each_on_its_rows,
        name=f"overlapping_symmetric_{measure.name}",
        writes=(Keyed, Parameter("touched", CONSTANTS_OF_EACH)),
        premises=Premises.AT_1,
    )(overlapping)


OVERLAPPING = {measure.name: _overlapping(measure) for measure in MEASURES if measure.lifts and measure.composes}


def as_they_run(parts: Sequence[Arrow], space: SomeSpace) -> tuple[Arrow, ...]:
    """The parts that are given rows: on rows that come and go as they stand, else made again for such."""
    if not isinstance(space.domain, Rows) or not isinstance(space.metric, (SymmetricDistance, ChangeOneDistance)):
        raise _to_be_declared(f"of data in {space.metric} it is not known how one step moves several parts at once")
    if isinstance(space.metric, SymmetricDistance):
        return tuple(parts)
    return tuple([rebuilt(part, Space(Rows(space.domain.of), SymmetricDistance()), {}) for part in parts])


def derived(run: Sequence[Arrow], measure: Measure, space: SomeSpace) -> Derivation:
    """How all parts together are derived, as they run; a row that is replaced is one that goes and one that comes."""
    assert isinstance(space.domain, Rows)
    inner = _of_rows(run, measure, space.domain.of)
    if isinstance(space.metric, SymmetricDistance):
        return inner
    return Derivation(chain, {}, (Derivation(change_one_to_symmetric), inner))


def _of_rows(parts: Sequence[Arrow], measure: Measure, of: Domain) -> Derivation:
    if len(parts) > MOST_PARTS:
        raise _to_be_declared(
            f"there are {len(parts)} parts, and of at most {MOST_PARTS} it is worked out who is in which"
        )
    conditions = [list(_leading(part.derivation)) for part in parts]
    keys = sorted(_keys(conditions, of))
    touched = tuple([tuple([key for key in keys if key >> i & 1]) for i in range(len(parts))])
    places = sum(map(len, touched))
    if places > MOST_PLACES:
        raise _to_be_declared(
            f"the filters overlap in {len(keys)} ways, with {places} places in the parts, "
            f"and at most {MOST_PLACES} are written down"
        )
    for i, own in enumerate(touched):
        if not own:
            raise InvalidParameter(f"part {i} keeps no row that there can be", produced=parts[i])
    by: Expr[Value] = _bit(0, conditions[0])
    for i, of_part in enumerate(conditions[1:], 1):
        by = by + _bit(i, of_part)
    derivations = tuple([part.derivation for part in parts])
    return Derivation(OVERLAPPING[measure.name], {"by": by.structure(), "touched": touched}, derivations)


def _leading(part: Derivation) -> Iterator[Expression]:
    """The conditions of the filters that a part begins with: what it is given is of rows that meet all of them. They stand
    below a loss that is counted in another measure, and below what is made of a release."""
    while part.rule.release in (Release.SAME, Release.THEN):
        part = part.premises[0]
    links = part.premises if part.rule.release is Release.CHAINED else (part,)
    for link in links:
        condition = link.parameters.get("condition")
        if link.rule is not filter_symmetric or not isinstance(condition, Expression):
            return
        yield condition


def _bit(i: int, conditions: Conditions) -> Expr[Value]:
    bit: Expr[Value] = Expr(literal(1 << i).node)
    for condition in reversed(conditions):
        bit = Expr(apply("when", condition, bit, 0))
    return bit


def _keys(conditions: Sequence[Conditions], of: Domain) -> set[int]:
    """Of all rows that there can be, as far as the conditions read them."""
    found: set[int] = set()
    for row in _rows([condition for some in conditions for condition in some], of):
        holds = [all(condition.on_row(row) is True for condition in some) for some in conditions]
        found.add(sum(1 << i for i, its in enumerate(holds) if its))
    return found


def _rows(conditions: Conditions, of: Domain) -> Iterator[object]:
    if not isinstance(of, Record):
        yield from _values(of, "the rows") if conditions else [None]
        return
    fields = [(name, domain) for name, domain in of.fields if any(name in each.fields() for each in conditions)]
    values = [_values(domain, f"the field {name!r}") for name, domain in fields]
    if prod(map(len, values)) > MOST_VALUES:
        raise _to_be_declared(f"the fields that the filters read have more than {MOST_VALUES} combinations of values")
    for row in product(*values):
        yield dict(zip([name for name, _ in fields], row, strict=True))


def _values(domain: Domain, what: str) -> list[object]:
    values: tuple[Hashable, ...] | None = domain.elements()
    if values is None:
        raise _to_be_declared(f"the values of {what} are not a few that are known beforehand")
    return list(map(domain.canonical, values))


def _to_be_declared(why: str) -> InvalidParameter:
    return InvalidParameter(
        f"how far one step moves all parts together is not worked out: {why}",
        bridge="joint=[...], which declares it, or compose([...]) for the sum",
    )
