"""Domains: the sets that data live in. A domain decides membership and inclusion, nothing else.

`member(x)` says whether, `offence(x)` says where not ("row 3, field 'age'"), and neither ever repeats the value.
`canonical(x)` is the one form in which the same member is computed with: a grid number becomes a `Fraction`.
"""

from dpcore.domains.bridges import bridge_for
from dpcore.domains.constructors import (
    booleans,
    categories,
    date,
    graphs,
    integers,
    listed,
    numbers,
    optional,
    text,
    vector,
)
from dpcore.domains.domain import (
    FEW,
    Array,
    Columns,
    Domain,
    Gives,
    IntArray,
    Norm,
    Normed,
    Of,
    Real,
    Takes,
    a_domain,
    as_call,
    expected_a,
    join,
    phantom,
)
from dpcore.domains.instances import by_name
from dpcore.domains.keys import Key, clashing, day_of, different, key, value_of
from dpcore.domains.missing import is_missing
from dpcore.domains.numeric import bind_bound, coarser, contains, raised, raised_norm, real, unwrapped
from dpcore.domains.records import record
from dpcore.domains.structures import Graphs, Optional, Parts, Record, Rows, Vector, norm_bound
from dpcore.domains.typed import Constant, as_decimal, as_typed, plainly
from dpcore.domains.values import (
    Booleans,
    Categories,
    Dates,
    Integers,
    NumberDomain,
    Numbers,
    Text,
)

__all__ = [
    "FEW",
    "Array",
    "Booleans",
    "Categories",
    "Columns",
    "Constant",
    "Dates",
    "Domain",
    "Gives",
    "Graphs",
    "IntArray",
    "Integers",
    "Key",
    "Norm",
    "Normed",
    "NumberDomain",
    "Numbers",
    "Of",
    "Optional",
    "Parts",
    "Real",
    "Record",
    "Rows",
    "Takes",
    "Text",
    "Vector",
    "a_domain",
    "as_call",
    "as_decimal",
    "as_typed",
    "bind_bound",
    "booleans",
    "bridge_for",
    "by_name",
    "categories",
    "clashing",
    "coarser",
    "contains",
    "date",
    "day_of",
    "different",
    "expected_a",
    "graphs",
    "integers",
    "is_missing",
    "join",
    "key",
    "listed",
    "norm_bound",
    "numbers",
    "optional",
    "phantom",
    "plainly",
    "raised",
    "raised_norm",
    "real",
    "record",
    "text",
    "unwrapped",
    "value_of",
    "vector",
]
