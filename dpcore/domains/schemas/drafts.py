"""A first draft of a record, as code, from the names and the dtypes of the columns of a table: no value is looked at.

What a dtype does not say stands as `...`, which every constructor refuses: bounds and categories taken from the data would
tell of the data, whatever noise comes later. So would the categories that some dtypes list.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from dpcore.domains.schemas.columns import Column, columns_in
from dpcore.domains.typed import as_decimal, is_keyword
from dpcore.errors import InvalidParameter

HEAD: Final = """\
# From the names and the dtypes of the columns alone. Fill in each `...` from what is known beforehand: bounds and categories
# that are taken from the data tell of the data. Columns may hold nulls whatever their dtype: dp.optional(...) goes around
# the domain of one that does.
"""

OPEN: Final = "..."
NO_DOMAIN: Final = 'no domain has values of this dtype: leave the column out, and say extra="ignore"'
KNOWN: Final = "or dp.categories(...), where the values are known beforehand"
OBJECTS: Final = (
    'dp.text() or dp.categories(...), where it holds texts; else leave the column out, and say extra="ignore"'
)
MIDNIGHT: Final = "if each moment is a midnight, in no zone: that is a day"

DOMAINS: Final = {
    r"u?int(8|16|32|64|128)?|u?(tiny|small|big|huge)int|u?integer": ("dp.integers(..., ...)", ""),
    r"float(16|32|64|128)?|halffloat|double|real": ("dp.numbers(..., ...)", ""),
    r"bool|boolean": ("dp.booleans()", ""),
    r"str|(large_)?string|string_view|stringdtype\(.*\)|(var)?char(\(\d+\))?|[<>=]u\d+": ("dp.text()", KNOWN),
    r"object": (OPEN, OBJECTS),
    r"category|(categorical|enum|dictionary)\b.*": ("dp.categories(...)", ""),
    r"date|date32\[day\]|date64\[ms\]|datetime64\[d\]": ("dp.date(..., ...)", ""),
    r"datetime64\[\w+\]|timestamp(\[\w+\]|_\w+)?|datetime\(time_unit='\w+', time_zone=none\)": (
        "dp.date(..., ...)",
        MIDNIGHT,
    ),
}
"""What the texts of dtypes in numpy, pandas, polars, Arrow, DuckDB and Spark mean, in small letters; and what to add."""

DECIMAL: Final = re.compile(r"decimal\d*\((precision=)?\w+, ?(scale=)?(?P<scale>-?\d+)\)")
MASKED: Final = re.compile(r"(UInt|Int|Float)\d+|boolean")
"""The dtypes of pandas that are chosen so that values may be missing."""


def draft(frame: object) -> str:
    """`dp.record(...)` for a table, a domain for a column by itself."""
    found = columns_in(frame)
    if isinstance(found, Column):
        return HEAD + _domain(found)[0]
    names = [column.name for column in found]
    if not names:
        raise InvalidParameter("Expected at least one column but got none")
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"Expected columns of different names but got {name!r} twice", produced=name)
    if all(map(is_keyword, names)):
        return "\n".join([HEAD + "dp.record(", *(_line(4, f"{c.name}=", c) for c in found), ")"])
    return "\n".join([HEAD + "dp.record(", "    **{", *(_line(8, f"{c.name!r}: ", c) for c in found), "    }", ")"])


def _line(indent: int, name: str, column: Column) -> str:
    domain, remark = _domain(column)
    return f"{' ' * indent}{name}{domain},{remark and f'  # {remark}'}"


def _domain(column: Column) -> tuple[str, str]:
    """The domain of the values, as code, and what is to be said beside it."""
    dtype = column.dtype.removesuffix("[pyarrow]").lower()
    decimal = DECIMAL.fullmatch(dtype)
    if decimal is not None:
        return f"dp.numbers(..., ..., {as_decimal(Fraction(10) ** -int(decimal['scale']))!r})", ""
    found = (meaning for said, meaning in DOMAINS.items() if re.fullmatch(said, dtype, re.DOTALL))
    domain, remark = next(found, (OPEN, NO_DOMAIN))
    if column.library == "pandas" and MASKED.fullmatch(column.dtype):
        return f"dp.optional({domain})", remark
    return domain, remark
