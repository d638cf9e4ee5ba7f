"""Premises that are made alike: the same rules in the same places, with other figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

from dpcore.certificates.reading import Node

Shape: TypeAlias = tuple[object, ...]


@final
@dataclass(frozen=True, slots=True)
class Member:
    """One of them: which premises it is, and its figures where members differ."""

    node: Node
    first: int
    times: int
    figures: tuple[str, ...] = ()

    @property
    def places(self) -> str:
        last = self.first + self.times - 1
        return str(self.first) if last == self.first else f"{self.first} to {last}"


@final
@dataclass(frozen=True)
class Alike:
    """All premises of one shape, in their order."""

    nodes: tuple[tuple[Node, int, int], ...]

    @cached_property
    def _differing(self) -> tuple[int, ...]:
        figures = [_figures(node) for node, _, _ in self.nodes]
        return tuple(i for i, column in enumerate(zip(*figures, strict=True)) if len({x for _, x in column}) > 1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what differs."""
        names = [name for name, _ in _figures(self.nodes[0][0])]
        return tuple(names[i] for i in self._differing)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        return tuple(
            Member(node, first, times, tuple(figures[i][1] for i in self._differing))
            for node, first, times in self.nodes
            for figures in [_figures(node)]
        )


def families(runs: list[tuple[Node, int]]) -> list[Alike]:
    """The premises by their shape, in the order in which the shapes are first met."""
    found: dict[Shape, list[tuple[Node, int, int]]] = {}
    place = 1
    for node, times in runs:
        found.setdefault(_shape(node), []).append((node, place, times))
        place += times
    return [Alike(tuple(members)) for members in found.values()]


def _shape(node: Node) -> Shape:
    return (node.rule, tuple(name for name, _ in node.parameters), tuple(map(_shape, node.premises)))


def _figures(node: Node) -> list[tuple[str, str]]:
    """All that was given to the node and to what it rests on, by name."""
    return [*_given(node)]


def _given(node: Node) -> Iterator[tuple[str, str]]:
    for name, said in node.parameters:
        yield f"{node.rule}: {name.replace('_', ' ')}", said
    for premise in node.premises:
        yield from _given(premise)
