"""Packages that only some parts of dpcore need. Missing ones are named together with the extra that brings them."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from dpcore.errors import MissingExtra


@cache
def has(package: str) -> bool:
    """Whether it can be imported."""
    return find_spec(package) is not None


def require(package: str, extra: str) -> None:
    """Refuse to go on without the package."""
    if find_spec(package) is None:
        raise MissingExtra(f"{package} is not installed", expected=package, bridge=f"pip install 'dpcore[{extra}]'")
