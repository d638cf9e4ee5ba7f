"""Enumerations as users have them, which the tests of this folder share."""

from __future__ import annotations

from enum import Enum


class Region(Enum):
    NORTH = "N"
    SOUTH = "S"


class Answer(Enum):
    YES = True
    NO = False
