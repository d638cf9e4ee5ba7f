"""Numbers made of releases, by which two samples of them might be told apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcore.assurance.sampling import Releases, listed
from dpcore.distributions import settled

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.intp]

MOST_COORDINATES: Final = 64


def statistics(on_x: Releases, on_y: Releases, seen: int) -> Iterator[tuple[str, Floats, Floats]]:
    """Each with its values on either sample; what is learned from releases is learned from the first `seen` alone."""
    yield ("how much likelier it was", *_ratios(*_codes(on_x, on_y), seen))
    x, y = _coordinates(on_x), _coordinates(on_y)
    if x is None or y is None or x.shape[1] != y.shape[1]:
        return
    k = x.shape[1]
    together = np.zeros(len(x)), np.zeros(len(y))
    for i in range(k):
        name = "the release" if k == 1 else f"coordinate {i}"
        yield name, x[:, i], y[:, i]
        yield f"minus {name}", -x[:, i], -y[:, i]
        if (x[:, i] % 1).any() or (y[:, i] % 1).any():
            yield f"how many binary places has {name}", _last_bit(x[:, i]), _last_bit(y[:, i])
        for sum_of, ratio in zip(together, _ratios(*_unique(x[:, i], y[:, i]), seen), strict=True):
            sum_of += ratio
    if k > 1:
        yield ("how much likelier the coordinates were", *together)
        apart = x[:seen].mean(axis=0) - y[:seen].mean(axis=0)
        yield "the projection on the difference", x @ apart, y @ apart
        yield "minus the projection on the difference", -(x @ apart), -(y @ apart)


def _last_bit(values: Floats) -> Floats:
    """How many binary places a float has after the point: noise that is itself a float has as many as it pleases."""
    mantissa, exponent = np.frexp(values)
    whole = (mantissa * 2.0**53).astype(np.int64)
    trailing = np.log2(np.maximum(whole & -whole, 1).astype(np.float64))
    places: Floats = np.maximum(53.0 - exponent - trailing, 0.0)
    return places


def _ratios(x: Codes, y: Codes, seen: int) -> tuple[Floats, Floats]:
    """The logarithm of how much oftener each outcome was seen on x."""
    kinds = int(max(x.max(), y.max())) + 1
    often, other = (np.bincount(side[:seen], minlength=kinds) + 0.5 for side in (x, y))
    ratio = np.log(often / other)
    return ratio[x], ratio[y]


def _codes(on_x: Releases, on_y: Releases) -> tuple[Codes, Codes]:
    """The same number for the same outcome."""
    if isinstance(on_x, np.ndarray) and isinstance(on_y, np.ndarray):
        if on_x.ndim == 1:
            return _unique(on_x, on_y)
        rows = [np.ascontiguousarray(side).view(f"V{8 * side.shape[1]}").ravel() for side in (on_x, on_y)]
        return _by_dictionary([row.tobytes() for row in rows[0]], [row.tobytes() for row in rows[1]])
    return _by_dictionary([settled(r) for r in listed(on_x)], [settled(r) for r in listed(on_y)])


def _unique(x: NDArray[np.int64] | Floats, y: NDArray[np.int64] | Floats) -> tuple[Codes, Codes]:
    _, codes = np.unique(np.concatenate([x, y]), return_inverse=True)
    return codes[: len(x)], codes[len(x) :]


def _by_dictionary(x: list[Hashable], y: list[Hashable]) -> tuple[Codes, Codes]:
    number: dict[Hashable, int] = {}
    found = [np.array([number.setdefault(key, len(number)) for key in side], np.intp) for side in (x, y)]
    return found[0], found[1]


def _coordinates(releases: Releases) -> Floats | None:
    """Numbers as a table, where every release is a number, or as many numbers as every other."""
    if not isinstance(releases, np.ndarray):
        try:
            found = np.array([list(r) if isinstance(r, (list, tuple)) else r for r in releases], np.float64)
        except (TypeError, ValueError, OverflowError):
            return None
    else:
        found = releases.astype(np.float64)
    table = np.nan_to_num(found.reshape(len(found), -1))
    return table if found.ndim <= 2 and 0 < table.shape[1] <= MOST_COORDINATES else None
