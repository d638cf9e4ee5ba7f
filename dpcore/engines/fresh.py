"""Values that a user's function may change without changing ours."""

from __future__ import annotations


def fresh(value: object) -> object:
    """The value, its lists and records copied all the way down. Everything else that rows hold cannot be changed."""
    if isinstance(value, dict):
        return {name: fresh(inner) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    # The entries of a list are of one kind.
    return [fresh(inner) for inner in value] if value and isinstance(value[0], (list, dict)) else value.copy()
