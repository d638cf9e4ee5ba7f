"""The key of a release: what a transformation may depend on beside the data, drawn apart from them.

One key serves a whole derivation, so that every part of a release makes the same choices. For every key the
transformations are as stable as their maps say, so for every key the release meets its claim; and a release whose key was
drawn apart from the data meets it too, for no measure counts more of a mixture than of the worst of what is mixed:

    PureDP, ApproxDP, TotalVariation, Profile   `P(S) <= e^x Q(S) + delta` is linear in P and Q
    ZCDP, RenyiDP                               Renyi divergence is jointly quasi-convex
    GaussianDP, Tradeoff                        `E f(alpha_k) >= f(E alpha_k)`, the curve f being convex

Put otherwise: the key is a first stage, released too, whose loss is 0, and what follows it composes with nothing.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from dpcore.noise.bits import BitSource

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

Blocks: TypeAlias = NDArray[np.uint64]
"""Of each row 128 bits, as two words."""

Ranks: TypeAlias = NDArray[np.uint64]

MOST: Final = 1 << 24
"""So many blocks are encrypted at a time."""


class RowKey(ABC):
    """A choice of an order among rows, made apart from the data."""

    lasting: ClassVar[bool] = False
    """Whether a rank is the same whenever it is asked for, and 64 bits of which the first alone tell most rows apart."""

    @abstractmethod
    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        """The rank of each row, a function of the key and of its own blocks alone: row i has block i of each."""


@final
class CipherKey(RowKey):
    """Ranks by AES-256, the key drawn from a source of bits when it is first asked for.

    The blocks of a row are chained (CBC-MAC, Bellare, Kilian and Rogaway 2000) behind the number of blocks, so no
    message begins with another. Without the key the ranks are, up to the advantage against AES, those of a function
    drawn at random.
    """

    lasting = True

    def __init__(self, bits: BitSource) -> None:
        self._bits = bits
        self._cipher: CipherContext | None = None
        self._lock = threading.Lock()  # one key for all threads, and a cipher is used by one at a time

    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        with self._lock:
            return self._ranks(message)

    def _ranks(self, message: Sequence[Blocks]) -> Ranks:
        if self._cipher is None:
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

            drawn_key = self._bits.bits(256).to_bytes(32, "little")
            self._cipher = Cipher(algorithms.AES(drawn_key), modes.ECB()).encryptor()
        cipher = self._cipher  # each block by itself: the chaining is ours, many rows abreast
        state = np.array([[len(message), 0]], dtype="<u8")  # the same for all rows
        for block in message:
            state = _encrypted(cipher, state) ^ block.astype("<u8", copy=False)
        return _encrypted(cipher, state)[:, 0].astype(np.uint64)


def _encrypted(cipher: CipherContext, blocks: Blocks) -> Blocks:
    found = np.empty(16 * len(blocks) + 15, dtype=np.uint8)  # as long as the cipher asks for
    for at in range(0, len(blocks), MOST):
        cipher.update_into(blocks[at : at + MOST].data.cast("B"), found[16 * at :].data)
    return found[: 16 * len(blocks)].view("<u8").reshape(-1, 2)


def drawn(bits: BitSource) -> dict[str, object]:
    """What a release brings along: a source of bits, and one key out of it."""
    return {"bits": bits, "key": CipherKey(bits)}
