"""Tests that draw many examples: `make test` takes the first few of them, `make assurance` all, from the same sequence."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, TypeAlias

import pytest
from hypothesis import settings

Test: TypeAlias = Callable[..., None]

ALL: Final = os.environ.get("EXAMPLES") == "all"
FEWER, LEAST = 5, 6


def thorough(examples: int, others: settings | None = None) -> Callable[[Test], Test]:
    """So many examples are drawn, and a fifth of them in `make test`; with these other settings."""
    drawn = examples if ALL else max(examples // FEWER, min(LEAST, examples))

    def marked(test: Test) -> Test:
        found: Test = pytest.mark.thorough(settings(others, max_examples=drawn, deadline=None)(test))
        return found

    return marked
