"""How hypothesis makes members of a domain: simple ones first, and such as lie at the constants of the arrow."""

from __future__ import annotations

import datetime
import itertools
from fractions import Fraction
from functools import singledispatch
from typing import Final, TypeAlias

from hypothesis import strategies as st

from dpcore.assurance.constants import Plain, numbers_among
from dpcore.domains import Dates, Domain, Graphs, Integers, NumberDomain, Optional, Parts, Record, Rows, Text, Vector
from dpcore.errors import InvalidParameter
from dpcore.maps import known

Members: TypeAlias = st.SearchStrategy[object]
Met: TypeAlias = tuple[Plain, ...]

MOST_ROWS: Final = 6


@singledispatch
def members_of(domain: Domain, met: Met, rows: int = MOST_ROWS) -> Members:
    """Members of the domain; of rows, so many at most. Of a domain that is not below, its elements."""
    elements = domain.elements()
    if not elements:
        raise InvalidParameter(f"no data of {domain!r} can be made up here", produced=domain)
    return st.sampled_from(list(elements))


@members_of.register(NumberDomain)
def _(domain: NumberDomain, met: Met, rows: int = MOST_ROWS) -> Members:
    low, high = (None if end is None else known(end) for end in (domain.low, domain.high))
    candidates = [*(end for end in (low, high) if end is not None), *numbers_among(met), 0, 1, -1]
    special = [x for x in dict.fromkeys(candidates) if domain.member(_of(domain, x))]
    near = (
        [st.sampled_from([_of(domain, x) for x in sorted(special, key=lambda x: abs(Fraction(x)))])] if special else []
    )
    if domain.grid is None:
        plain = st.fractions(
            None if low is None else Fraction(low), None if high is None else Fraction(high), max_denominator=20
        )
        return st.one_of(plain, *near)
    step = grid_step(domain)
    steps = st.integers(None if low is None else int(low / step), None if high is None else int(high / step))
    return st.one_of(steps.map(lambda k: _of(domain, k * step)), *near)


@members_of.register(Text)
def _(domain: Text, met: Met, rows: int = MOST_ROWS) -> Members:
    texts = [x for x in met if isinstance(x, str)]
    return st.one_of(st.sampled_from([*texts, "a", "b"]), st.text(max_size=4))


@members_of.register(Dates)
def _(domain: Dates, met: Met, rows: int = MOST_ROWS) -> Members:
    low, high = domain.low or datetime.date.min, domain.high or datetime.date.max
    special = [x for x in (*met, domain.low, domain.high) if type(x) is datetime.date and domain.member(x)]
    days = st.dates(low, high)
    return st.one_of(st.sampled_from(special), days) if special else days


@members_of.register(Optional)
def _(domain: Optional[Domain], met: Met, rows: int = MOST_ROWS) -> Members:
    return st.one_of(st.none(), members_of(domain.of, met))


@members_of.register(Record)
def records_of(domain: Record, met: Met, rows: int = MOST_ROWS) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({name: members_of(of, met) for name, of in domain.fields})


@members_of.register(Vector)
def vectors_of(domain: Vector[Domain], met: Met, rows: int = MOST_ROWS) -> st.SearchStrategy[list[object]]:
    vectors = st.lists(members_of(domain.of, met), min_size=domain.size, max_size=domain.size)
    return vectors.map(lambda v: _shortened(v, domain)).filter(domain.member)


@members_of.register(Rows)
def _(domain: Rows[Domain], met: Met, rows: int = MOST_ROWS) -> Members:
    least, most = (0, rows) if domain.size is None else (domain.size, domain.size)
    return st.lists(members_of(domain.of, met), min_size=least, max_size=most)


@members_of.register(Parts)
def _(domain: Parts[Domain], met: Met, rows: int = MOST_ROWS) -> Members:
    part = st.lists(members_of(domain.of, met), max_size=max(1, rows // 2))
    return st.fixed_dictionaries(dict.fromkeys(domain.keys, part))


@members_of.register(Graphs)
def graphs_of(domain: Graphs, met: Met = (), rows: int = MOST_ROWS) -> st.SearchStrategy[list[tuple[int, int]]]:
    edges = list(itertools.combinations(range(domain.nodes), 2))
    return st.lists(st.sampled_from(edges), unique=True) if edges else st.just([])


def grid_step(domain: Domain) -> Fraction:
    """The least distance of two numbers of the domain, or 1 where there is none."""
    return Fraction(known(domain.grid)) if isinstance(domain, NumberDomain) and domain.grid is not None else Fraction(1)


def _of(domain: Domain, x: int | Fraction) -> object:
    return int(x) if isinstance(domain, Integers) and x == int(x) else x


def _shortened(vector: list[object], domain: Vector[Domain]) -> list[object]:
    """A vector halved on its grid until it is within the bound on its norm."""
    if domain.norm is None or not isinstance(domain.of, NumberDomain):
        return vector
    step, numbers = grid_step(domain.of), [x for x in vector if isinstance(x, (int, Fraction))]
    while not domain.member(numbers) and any(numbers):
        numbers = [step * int(x / step / 2) for x in numbers]
        numbers = [int(x) for x in numbers] if isinstance(domain.of, Integers) else numbers
    return [*numbers]
