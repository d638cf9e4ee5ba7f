"""Many releases on the same data: all noise of an additive mechanism drawn at once, anything else run again and again.

The transformations before the noise are deterministic, so they run once, unless a key decides what they choose: then
each release has a key of its own and runs whole. The rules that are run are the arrow's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore.calculus import Derivation, Release
from dpcore.core import Space
from dpcore.core.checks import within_budget
from dpcore.core.origins import Arrow, require_known
from dpcore.core.readings import draws_key
from dpcore.engines.doors import hand_out, receive
from dpcore.errors import all_are
from dpcore.functions import RELEASES, expect_no_data
from dpcore.noise.bits import BitSource
from dpcore.noise.row_keys import drawn

Releases: TypeAlias = Sequence[object] | NDArray[np.int64]


def many_releases(m: Arrow, data: object, n: int, bits: BitSource, *, flat: bool = False) -> Releases:
    """n releases of a measurement, independent if the bits are.

    `flat` is for whoever only asks how likely they are: releases that consist of whole numbers may then come as the rows
    of an array, whatever they are tuples or dicts of.
    """
    require_known(m)
    expect_no_data(RELEASES)
    received = receive(data, m.input.domain)
    if draws_key(m):
        return [hand_out(m.derivation.runner(drawn(bits))(received)) for _ in range(n)]
    return _many(m.derivation, received, n, bits, flat=flat)


def _many(derivation: Derivation, data: object, n: int, bits: BitSource, *, flat: bool) -> Releases:
    premises = derivation.premises
    match derivation.rule.release:
        case Release.CHAINED:
            for link in premises[:-1]:
                data = link.runner({"bits": bits})(data)
            return _many(premises[-1], data, n, bits, flat=flat)
        case Release.NOISED:
            return _noised(derivation, data, n, bits)
        case Release.THEN:
            function = derivation.parameters["function"]
            assert callable(function)
            return [function(release) for release in listed(_many(premises[0], data, n, bits, flat=False))]
        case Release.SAME:
            return _many(premises[0], data, n, bits, flat=flat)
        case Release.TOGETHER:
            return _abreast([_many(premise, data, n, bits, flat=flat) for premise in premises], flat=flat)
        case Release.JOINTLY:
            given = [first.runner({"bits": bits})(data) for first in premises[0::2]]
            pairs = zip(premises[1::2], given, strict=True)
            return _abreast([_many(second, each, n, bits, flat=flat) for second, each in pairs], flat=flat)
        case Release.BY_PART | Release.ON_EVERY_PART:
            return _by_part(derivation, data, n, bits, flat=flat)
        case Release.IN_STAGES:
            return _in_stages(derivation, data, n, bits)
        case Release.BY_RUN:
            run = derivation.runner({"bits": bits})
            return [hand_out(run(data)) for _ in range(n)]


def _abreast(columns: Sequence[Releases], *, flat: bool) -> Releases:
    return _stacked(columns) if flat and _whole(columns) else list(zip(*map(listed, columns), strict=True))


def _in_stages(derivation: Derivation, data: object, n: int, bits: BitSource) -> Releases:
    """A stage chooses once for all that saw the same so far; a choice is a function of that, as the rule assumes."""
    parameters = derivation.parameters
    space, choices, budgets = parameters["space"], parameters["choices"], parameters["budgets"]
    assert isinstance(space, Space)
    assert isinstance(choices, tuple)
    assert isinstance(budgets, tuple)
    seen: list[tuple[object, ...]] = [()] * n
    for stage, (choose, budget) in enumerate(zip(choices, budgets, strict=True)):
        alike: dict[str, list[int]] = {}  # by what they look like, as a release need not be hashable, and 1 is not True
        for i, releases in enumerate(seen):
            alike.setdefault(repr(releases), []).append(i)
        for places in alike.values():
            chosen = choose(seen[places[0]])
            derivation = within_budget(chosen, space, budget, stage)
            drawn = listed(_many(derivation, data, len(places), bits, flat=False))
            for i, release in zip(places, drawn, strict=True):
                seen[i] = (*seen[i], release)
    return seen


def _whole(columns: Sequence[Releases]) -> bool:
    return all(isinstance(column, np.ndarray) for column in columns)


def _stacked(columns: Sequence[Releases]) -> Releases:
    return np.column_stack([np.asarray(column, np.int64) for column in columns])


def _noised(derivation: Derivation, data: object, n: int, bits: BitSource) -> Releases:
    values = data if isinstance(data, list) else [data]
    flat = derivation.runner({"bits": bits})(values * n)
    assert isinstance(flat, list)
    if not isinstance(data, list):
        return np.array(flat, np.int64) if _fit(flat) else flat
    if _fit(flat):
        return np.array(flat, np.int64).reshape(n, len(values))
    return [flat[at : at + len(values)] for at in range(0, len(flat), len(values))] if values else [[]] * n


def _fit(flat: list[object]) -> bool:
    return all_are(flat, int) and max(flat) < 1 << 63 and min(flat) >= -(1 << 63)


def _by_part(derivation: Derivation, data: object, n: int, bits: BitSource, *, flat: bool) -> Releases:
    keys = derivation.parameters["keys"]
    assert isinstance(keys, tuple)
    assert isinstance(data, Mapping)
    same = derivation.rule.release is Release.ON_EVERY_PART
    parts = zip(keys, derivation.premises[:1] * len(keys) if same else derivation.premises, strict=False)
    columns = [_many(premise, data[key], n, bits, flat=flat) for key, premise in parts]
    if flat and columns and _whole(columns):
        return _stacked(columns)
    return [dict(zip(keys, released, strict=True)) for released in zip(*map(listed, columns), strict=True)]


def listed(releases: Releases) -> Sequence[object]:
    """As Python holds them."""
    held: Sequence[object] = releases.tolist() if isinstance(releases, np.ndarray) else releases
    return held


def joined(batches: Sequence[Releases]) -> Releases:
    """All batches as one."""
    if len(batches) == 1:
        return batches[0]
    arrays = [batch for batch in batches if isinstance(batch, np.ndarray)]
    if len(arrays) == len(batches):
        return np.concatenate(arrays)
    return [release for batch in batches for release in listed(batch)]
