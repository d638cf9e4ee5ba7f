"""Releases by key, as type checkers know them: of a frame they come as a frame. When run, they are a dict and a list.

What a function makes of such a release is what the function gives: a dict or a list, and no release by key any more.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeVar

V = TypeVar("V")

if TYPE_CHECKING:

    class Keyed:
        """A release by key."""

    class ByKey(dict[Hashable, V], Keyed):
        """What is released of each part or key."""

    class Coordinates(list[V], Keyed):
        """A vector with noise: a number for each bin, or each coordinate."""

else:
    Keyed, ByKey, Coordinates = object, dict, list
