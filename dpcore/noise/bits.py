"""Where uniform bits come from.

Guarantee. If the bits of a source are independent and uniform, `bits(k)` is uniform on [0, 2^k), `below(m)` is uniform
on [0, m) and `fill` sets uniform bytes, exactly, and every call is independent of every other. `SystemBits` replaces
true randomness by AES-256 in counter mode, so for it this holds up to the distinguishing advantage against AES-256,
provided that `os.urandom` is good. No bit is handed out twice: not to two threads, and not to a process and its forked
child, if the fork goes through Python (`os.fork`, `multiprocessing`) and not from a signal handler amid a draw.
"""

from __future__ import annotations

import os
import struct
import threading
import weakref
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, final

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext


class BitSource(ABC):
    """Independent uniform bits. `bits` is all that a new source must say."""

    @abstractmethod
    def bits(self, k: int) -> int:
        """Uniform on [0, 2^k)."""

    def below(self, m: int) -> int:
        """Uniform on [0, m): the first of a run of uniform draws from [0, 2^k), 2^k >= m, that lies below m."""
        if m < 1:
            raise ValueError(f"Expected a positive bound but got m={m}")
        k = (m - 1).bit_length()
        while (r := self.bits(k)) >= m:
            pass
        return r

    def bit(self) -> int:
        """Uniform on {0, 1}."""
        return self.bits(1)

    def fill(self, out: memoryview) -> None:
        """Set every byte of `out` uniformly on [0, 256): what the samplers of many values at once are fed with."""
        for at in range(0, len(out), 8):
            out[at : at + 8] = self.bits(64).to_bytes(8, "little")[: len(out) - at]


class WordSource(BitSource):
    """Bits cut from a pool of uniform 64-bit words. Every word is popped once, serves one call, and is forgotten.

    `list.pop` is atomic, so threads share the pool without a lock: a word goes to exactly one of them.
    """

    def __init__(self) -> None:
        self._pool: list[int] = []

    @abstractmethod
    def _refill(self) -> None:
        """Add fresh words to the pool."""

    def _word(self) -> int:
        while True:
            try:
                return self._pool.pop()
            except IndexError:  # another thread may empty the pool again, hence the loop
                self._refill()

    def bits(self, k: int) -> int:
        if k <= 64:
            if k < 0:
                raise ValueError(f"Expected a number of bits but got k={k}")
            return self._word() >> (64 - k)
        words = -(-k // 64)
        joined = b"".join([self._word().to_bytes(8, "little") for _ in range(words)])
        return int.from_bytes(joined, "little") >> (64 * words - k)

    def below(self, m: int) -> int:
        shift = 64 - (m - 1).bit_length()
        if shift < 0 or m < 1:
            return super().below(m)
        while True:  # the same rejection, written out: this is the innermost loop of every sampler
            try:
                r = self._pool.pop() >> shift
            except IndexError:
                self._refill()
                continue
            if r < m:
                return r


def _keystream(key: bytes) -> CipherContext:
    """AES-256-CTR from counter 0. Every key is used for one stream, so no nonce is needed."""
    # Imported with the first bit that is drawn: whoever only asks for a loss needs no cipher.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()


def _words(data: bytes) -> list[int]:
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


_REFILL: Final = 1 << 13  # bytes, that is 1024 words
_ZEROS: Final = memoryview(bytes(1 << 15))  # encrypted to give the keystream, so much at a time

_system_sources: weakref.WeakSet[SystemBits] = weakref.WeakSet()


class _Keys:
    """A lock and the stream of one key after another."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # re-entrant: a signal handler may draw while its thread is in here
        self._left = 0  # bytes that the current stream may still produce
        self._stream: CipherContext | None = None
        self._process = os.getpid()

    def octets(self, n: int) -> bytes:
        """The next n bytes, 2^15 at most."""
        with self._lock:
            process = os.getpid()  # should the after-fork hook have failed
            if self._stream is None or self._left < n or self._process != process:
                self._stream = _keystream(os.urandom(32))
                self._left = SystemBits.REKEY
                self._process = process
            self._left -= n
            return self._stream.update(_ZEROS[:n])


@final
class SystemBits(WordSource):
    """AES-256-CTR under keys from `os.urandom`, a new key every 2^26 bytes. For real releases.

    Threads may share it. A forked child throws away what it inherited and draws its own key before its first bit.
    If `os.urandom` fails, the call that needed it raises, and so does the next: there is nothing to fall back to.
    """

    REKEY: Final = 1 << 26

    def __init__(self) -> None:
        super().__init__()
        self._keys = _Keys()
        _system_sources.add(self)

    def __reduce__(self) -> str:
        raise TypeError("a bit source cannot be copied: its copy would repeat it")

    def _refill(self) -> None:
        pool = self._pool  # bound before the keys: after a fork, old keys must not fill the child's new pool
        pool.extend(_words(self._keys.octets(_REFILL)))

    def fill(self, out: memoryview) -> None:
        keys, piece = self._keys, min(len(_ZEROS), SystemBits.REKEY)
        for at in range(0, len(out), piece):
            out[at : at + piece] = keys.octets(min(piece, len(out) - at))

    def _forget(self) -> None:
        """Only forget: what raises in an after-fork hook is swallowed, so the new key is drawn, or fails, on demand.

        The lock goes too: a thread that does not exist here may hold it.
        """
        self._pool.clear()
        self._pool = []
        self._keys = _Keys()


def _forget_all() -> None:
    for source in _system_sources:
        source._forget()


os.register_at_fork(after_in_child=_forget_all)


@final
class SeededBits(WordSource):
    """FOR TESTS ONLY: the same bits for the same seed, on every machine. Noise from it protects nobody."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        from hashlib import sha256

        self._stream = _keystream(sha256(f"dpcore SeededBits {seed}".encode()).digest())

    def _refill(self) -> None:
        self._pool.extend(_words(self._stream.update(_ZEROS[:_REFILL])))

    def fill(self, out: memoryview) -> None:
        for at in range(0, len(out), len(_ZEROS)):
            out[at : at + len(_ZEROS)] = self._stream.update(_ZEROS[: len(out) - at])


_shared: Final = SystemBits()


def system_bits() -> SystemBits:
    """The source that every release draws from, shared by all threads of this process."""
    return _shared
