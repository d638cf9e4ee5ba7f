"""n draws from a layout of strips: trials by the ten thousand, of which those accepted are kept.

Guarantee. If the bits are independent and uniform, the n values returned are independent and each has exactly the
distribution of the layout (the theorem in `strips`). No value wraps: what does not fit into 64 bits makes the result a
list.

Why the order does not matter. Trials are independent and alike, so, given which of them were accepted, the values
accepted are independent draws. Any rearrangement, and any choice of n among them, that looks at which were accepted
only, and not at the values, gives independent draws again. So the gaps are filled with the last ones, and what is left
over is dropped.
"""

from __future__ import annotations

from typing import Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.noise.bernoulli import bernoulli_enclosed, bernoulli_exp
from dpcore.noise.bits import BitSource
from dpcore.noise.discrete_laplace import geometric
from dpcore.noise.fixed_point import Int64s
from dpcore.noise.strips import Strips, Tail, Words

Draws: TypeAlias = Int64s | list[int]
Far: TypeAlias = dict[int, int]
"""Values beyond 64 bits, by their position in an array that holds 0 there."""

CHUNK: Final = 1 << 16


def draw(strips: Strips, n: int, bits: BitSource) -> Draws:
    """n independent draws: an array, or a list if one of them does not fit into it."""
    out = np.empty(n, np.int64)
    all_far: Far = {}
    batch = Batch(strips, _trials_for(n))
    done = 0
    while done < n:
        x, far = batch.kept(_trials_for(n - done), bits)
        taken = min(n - done, len(x))
        out[done : done + taken] = x[:taken]
        all_far |= {done + i: value for i, value in far.items() if i < taken}
        done += taken
    if not all_far:
        return out
    values = out.tolist()
    for i, value in all_far.items():
        values[i] = value
    return values


def _trials_for(n: int) -> int:
    """How many trials to make at once for n draws: some more, as most but not all are accepted."""
    return min(CHUNK, n + (n >> 4) + 16)


@final
class Batch:
    """Room for so many trials at once, used again and again: fresh memory would cost more than the trials."""

    def __init__(self, strips: Strips, most: int) -> None:
        b = strips.b
        self._strips = strips
        # Bytes for b uniform bits, and one more that is dropped: read as a signed number, they stay positive.
        self._size = 0 if b == 0 else 1 if b < 8 else 2 if b < 16 else 4 if b < 32 else 8
        self._data = np.empty(most * (self._size + 4), np.uint8)
        self._cells = np.empty(most, np.intp)
        self._s = np.empty(most, np.int16)
        self._floor = np.empty(most, np.uint16)
        self._open = np.empty(most, np.bool_)
        self._x = np.empty(most, np.int64)

    def trials(self, m: int, bits: BitSource) -> tuple[Int64s, NDArray[np.intp], Far]:
        """m trials: their values, the positions of those rejected, rising, and the accepted values that are far."""
        strips, size = self._strips, self._size
        data = self._data[: m * (size + 4)]
        bits.fill(data.data)
        cells, s, floor, is_open, x = self._cells[:m], self._s[:m], self._floor[:m], self._open[:m], self._x[:m]
        np.copyto(cells, np.frombuffer(data, "<u2", m, m * size))
        first = np.frombuffer(data, "<u2", m, m * (size + 2))
        strips.strip_of.take(cells, out=s, mode="wrap")
        strips.floor_of.take(cells, out=floor, mode="wrap")
        np.left_shift(s, strips.b, out=x, dtype=np.int64)
        if size:
            inside = np.frombuffer(data, f"<i{size}", m)
            inside &= (1 << strips.b) - 1
            x |= inside
        np.greater_equal(first, floor, out=is_open)
        rest = np.flatnonzero(is_open)
        some = x[rest]
        accepted, far = decide(strips, s[rest].astype(np.int64), some, first[rest], bits)
        x[rest] = some
        return x, rest[~accepted], {int(rest[i]): value for i, value in far.items()}

    def kept(self, m: int, bits: BitSource) -> tuple[Int64s, Far]:
        """The values of those among m trials that are accepted."""
        x, rejected, far = self.trials(m, bits)
        kept = m - len(rejected)
        gaps = rejected[rejected < kept]
        behind = np.ones(m - kept, np.bool_)
        behind[rejected[len(gaps) :] - kept] = False
        movers = np.flatnonzero(behind) + kept
        x[gaps] = x[movers]
        if far:
            moved = dict(zip(movers.tolist(), gaps.tolist(), strict=True))
            far = {moved.get(i, i): value for i, value in far.items()}
        return x[:kept], far


def decide(strips: Strips, s: Int64s, x: Int64s, first: Words, bits: BitSource) -> tuple[NDArray[np.bool_], Far]:
    """Whether each x is accepted in its strip s, where the first 16 bits of U are given. In a tail, x is drawn here."""
    fresh = bytearray(2 * len(s))
    bits.fill(memoryview(fresh))
    prefix = first.astype(np.int64) << 16 | np.frombuffer(fresh, "<u2")
    low, high = strips.between(s, x)
    accepted = prefix < low
    tails = (s ^ (s >> 63)) == strips.J  # s, or -1 - s
    rest = (prefix < high) & ~accepted | tails
    far: Far = {}
    for i in np.flatnonzero(rest).tolist():
        if not tails[i]:
            accepted[i] = _exactly(strips, int(s[i]), int(x[i]), int(prefix[i]), bits)
            continue
        value = _in_tail(strips.tails[int(s[i] < 0)], bits)
        accepted[i] = value is not None
        if value is not None and not fits(value):
            far[i] = value
        x[i] = 0 if value is None or i in far else value
    return accepted, far


def fits(x: int) -> bool:
    """Whether x is an integer of 64 bits."""
    return -(1 << 63) <= x < 1 << 63


def _exactly(strips: Strips, s: int, x: int, prefix: int, bits: BitSource) -> bool:
    """The same for one x, where the first 32 bits of U are given and did not suffice."""
    return bernoulli_enclosed(lambda: strips.acceptance(s, x), bits, prefix, 32)


def _in_tail(tail: Tail, bits: BitSource) -> int | None:
    """The trial in a tail: x, or None if it is rejected."""
    word = bits.bits(64)
    if word >= tail.high or (word >= tail.low and not bernoulli_enclosed(tail.acceptance, bits, word, 64)):
        return None
    g = geometric(tail.rate.denominator, tail.rate.numerator, bits)
    if not bernoulli_exp(tail.f.quadratic * g * g, bits):
        return None
    return -(tail.least + g) if tail.negative else tail.least + g
