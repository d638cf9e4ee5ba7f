"""The table of all operations, by name. The names stand in certificates and are never given another meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpcore.expressions.operation import Operation
from dpcore.expressions.operations import arithmetic, choice, comparison, dates, logic, rounding, texts, vectors

OPERATIONS: Final[Mapping[str, Operation]] = {
    operation.name: operation
    for module in (arithmetic, rounding, comparison, logic, choice, dates, texts, vectors)
    for operation in module.TABLE
}
