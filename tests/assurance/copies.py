"""Copies of an arrow with a fault in one of its rules. The rules of the library stay as they are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import dpcore as dp
from dpcore.assurance.arrows import AnyArrow
from dpcore.calculus import Derivation, Raw, Release, Rule
from dpcore.core.origins import MADE, Arrow, Chain, Origin


def _named(function: Callable[..., object], names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the rule's parameters that the function asks for."""
    return tuple(name for name in names if name in inspect.signature(function).parameters)


def with_fault(
    arrow: object,
    rule: str,
    *,
    map: Callable[..., Raw] | None = None,
    run: Callable[..., object] | None = None,
) -> Arrow:
    """The same arrow, one rule of it with another map, or another function that is run."""
    assert isinstance(arrow, (dp.types.Transformation, dp.types.Measurement))
    found = cast(AnyArrow, arrow)
    assert rule in found.derivation.rules(), (rule, sorted(found.derivation.rules()))

    def changed(given: Rule) -> Rule:
        if given.name != rule:
            return given
        new_map, new_run = map or given.map, run or given.run
        asked = _named(new_map, given.map_names), _named(new_run, given.run_names)
        made = replace(given, map=new_map, run=new_run, map_names=asked[0], run_names=asked[1])
        if run is None:
            return made
        # What was said of the run is not said of another one; noise with a fault is still drawn at once.
        release = given.release if given.release is Release.NOISED else Release.BY_RUN
        return replace(made, release=release, on_arrays=False)

    return _again(found, changed)


def _again(arrow: AnyArrow, changed: Callable[[Rule], Rule]) -> Arrow:
    derivation = _tree(arrow.derivation, changed)
    origin = _origin(arrow.origin, changed)
    if isinstance(arrow, dp.types.Transformation):
        return cast(Arrow, dp.types.Transformation(arrow.input, arrow.output, derivation, origin, MADE))
    assert isinstance(arrow, dp.types.Measurement)
    return cast(Arrow, dp.types.Measurement(arrow.input, arrow.measure, derivation, origin, MADE))


def _origin(origin: Origin, changed: Callable[[Rule], Rule]) -> Origin:
    if isinstance(origin, Chain):
        return Chain(tuple(_again(cast(AnyArrow, link), changed) for link in origin.arrows))
    return origin


def _tree(derivation: Derivation, changed: Callable[[Rule], Rule]) -> Derivation:
    premises = tuple(_tree(premise, changed) for premise in derivation.premises)
    return Derivation(changed(derivation.rule), derivation.parameters, premises)
