"""Keys: when two values are the same bin. Numbers by value, a truth value is no number, texts and days as they are."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np

from dpcore.domains import real

Key: TypeAlias = tuple[bool, Hashable]


def key_of(value: object) -> Key:
    """Equal keys for the same bin. A float is read as its shortest decimal, as everywhere."""
    if isinstance(value, (bool, np.bool_)):
        return True, bool(value)
    plain = value.item() if isinstance(value, (np.integer, np.str_, np.datetime64)) else value
    if isinstance(plain, (float, np.floating)):
        number = real(plain)
        return False, plain if number is None else number
    if not isinstance(plain, Hashable):
        raise TypeError(f"a {type(plain).__name__} cannot be a key")
    return False, plain
