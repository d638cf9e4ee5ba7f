"""What the numbers of a release by key belong to: the keys, and the names of their columns.

A fold over the derivation. Of what a function of the user made of a release nothing is known: that comes as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

from dpcore.calculus import Derivation, Release, by_identity, unchanged
from dpcore.core.post_processing import affine_of
from dpcore.expressions import Expression
from dpcore.expressions.node import Field

FOUND: Final = "threshold_release"
"""The rule that finds its keys in the data."""


@final
@dataclass(frozen=True, slots=True)
class Cells:
    """What bins are called that are numbered: by a tuple each, of whose entries each has a name."""

    names: tuple[str, ...]
    keys: tuple[tuple[Hashable, ...], ...]


@final
@dataclass(frozen=True, slots=True)
class Labels:
    """The keys of a release, and what stands under each."""

    name: str | tuple[str, ...]
    """Of the column of keys, or of each entry of keys that are tuples."""
    keys: Sequence[Hashable] | None = None
    """Of a vector, in order; None where the release names them itself, or they are places from 0 on."""
    inner: Labels | None = None
    """Where a release by key stands under each key."""

    def __iter__(self) -> Iterator[str | tuple[str, ...]]:
        """The names of the columns of keys, from the outermost on."""
        yield self.name
        if self.inner is not None:
            yield from self.inner


def labels_of(derivation: Derivation, before: Sequence[Derivation] = ()) -> Labels | None:
    """Of what the derivation releases after these links; None where it is not by key, or not always."""
    premises, parameters = derivation.premises, derivation.parameters
    match derivation.rule.release:
        case Release.CHAINED:
            return labels_of(premises[-1], (*before, *premises[:-1]))
        case Release.SAME:
            return labels_of(premises[0], before)
        case Release.THEN if affine_of(parameters["function"]) is not None:
            return labels_of(premises[0], before)
        case Release.NOISED:
            return _of_vector(before)
        case Release.BY_PART:
            one = len(by_identity(premises[: len(_keys(derivation))])) == 1
            return Labels(_name(before[-1]) if before else "key", inner=labels_of(premises[0]) if one else None)
        case Release.ON_EVERY_PART:
            return Labels(_name(before[-1]) if before else "key", inner=labels_of(premises[0]))
    return Labels(_name(derivation)) if derivation.rule.name == FOUND else None


def _of_vector(before: Sequence[Derivation]) -> Labels:
    counted = next((link for link in reversed(before) if link.rule.run is not unchanged), None)
    bins = None if counted is None else counted.parameters.get("bins")
    cells = None if counted is None else counted.parameters.get("cells")
    if isinstance(cells, Cells):
        return Labels(cells.names, cells.keys)
    return Labels(_name(counted), bins) if counted is not None and isinstance(bins, tuple) else Labels("coordinate")


def _keys(derivation: Derivation) -> Sequence[Hashable]:
    keys = derivation.parameters["keys"]
    assert isinstance(keys, tuple)
    return keys


def _name(link: Derivation) -> str:
    """A field is the name of its column; what is computed of several, or by a function, has none of its own."""
    by = link.parameters.get("by")
    return by.node.name if isinstance(by, Expression) and isinstance(by.node, Field) else "key"
