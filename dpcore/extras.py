"""Packages that only some parts of dpcore need. Missing ones are named together with the extra that brings them."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from dpcore.errors import MissingExtra


def has(package: str) -> bool:
    """Whether it can be imported: of what was imported already no file is looked for."""
    return sys.modules.get(package) is not None or find_spec(package) is not None


def require(package: str, extra: str) -> None:
    """Refuse to go on without the package."""
    if not has(package):
        raise MissingExtra(f"{package} is not installed", expected=package, bridge=f"pip install 'dpcore[{extra}]'")
