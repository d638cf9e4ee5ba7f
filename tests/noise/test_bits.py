"""Uniform bits: exactly uniform below m, never the same twice, never without entropy."""

from __future__ import annotations

import ast
import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from flint import arb, fmpq

import dpcore.noise.bits
from dpcore.noise.bits import BitSource, SeededBits, SystemBits, WordSource, system_bits
from tests.noise.tools import mutant, outcomes, p_value

ROOT = Path(dpcore.noise.bits.__file__).parents[2]


class GivenWords(WordSource):
    """A pool of given words, handed out in the order given."""

    def __init__(self, words: list[int]) -> None:
        super().__init__()
        self._given = words

    def _refill(self) -> None:
        if not self._given:
            raise EOFError
        self._pool.extend(reversed(self._given))
        self._given = []


class OnlyBits(BitSource):
    """The inherited `below`, on top of the scripted bits."""

    def __init__(self, source: BitSource) -> None:
        self._source = source

    def bits(self, k: int) -> int:
        return self._source.bits(k)


@pytest.mark.parametrize("m", range(1, 18))
def test_below_is_exactly_uniform_on_any_bits(m: int) -> None:
    found, left = outcomes(lambda bits: OnlyBits(bits).below(m), smallest=1e-7)
    assert sorted(found) == list(range(m))
    assert all(p.overlaps(found[0]) for p in found.values())  # equal, every path being counted
    assert left < 0.05


@pytest.mark.parametrize("m", [*range(1, 18), 255, 256, 257])
def test_below_takes_every_word_to_its_leading_bits_and_rejects_the_rest(m: int) -> None:
    k = (m - 1).bit_length()
    source = GivenWords([(i << (64 - k)) | (i * 0x9E3779B97F4A7C15 % 2 ** (64 - k)) for i in range(2**k)])
    assert [source.below(m) for _ in range(m)] == list(range(m))
    with pytest.raises(EOFError):
        source.below(m)


def test_below_at_the_word_size() -> None:
    assert GivenWords([2**64 - 1]).below(2**64) == 2**64 - 1
    assert GivenWords([2**64 - 1, 5]).below(2**64 - 1) == 5
    assert GivenWords([7, 1 << 63, 2**64 - 1, 0]).below(2**64 + 1) == 7 + (1 << 127) >> 63
    assert GivenWords([2**64 - 1] * 2 + [3, 0]).below(2**64 + 1) == 3 >> 63


@pytest.mark.parametrize("k", [0, 1, 5, 63, 64])
def test_bits_of_one_word(k: int) -> None:
    word = 0x0123456789ABCDEF
    assert GivenWords([word]).bits(k) == word >> (64 - k)


@pytest.mark.parametrize("k", [65, 100, 128, 129, 1000])
def test_bits_of_several_words_use_each_word_once(k: int) -> None:
    words = [0xDEADBEEF00000001 * (i + 1) % 2**64 for i in range(-(-k // 64))]
    joined = sum(w << (64 * i) for i, w in enumerate(words))
    assert GivenWords(words).bits(k) == joined >> (64 * len(words) - k)


def test_the_seeded_bits_are_pinned() -> None:
    source = SeededBits(1)
    assert [source.bits(64) for _ in range(3)] == PINNED
    assert [SeededBits(2).below(10**40), SeededBits(2).below(6), SeededBits(2).bit()] == PINNED_BELOW
    assert SeededBits(1).bits(64) != SeededBits(2).bits(64)


PINNED = [2180819878394997792, 5539170619189737660, 14474060457401256977]
PINNED_BELOW = [5841426755181338085641915712505195584502, 5, 1]


@pytest.mark.parametrize("source", [SeededBits(3), SystemBits()])
@pytest.mark.parametrize("m", [2, 6, 100])
def test_below_looks_uniform(source: BitSource, m: int) -> None:
    draws = [source.below(m) for _ in range(50_000)]
    assert p_value(draws, {i: arb(fmpq(1, m)) for i in range(m)}) > 1e-12


def test_every_bit_of_a_long_draw_looks_fair() -> None:
    source, n = SystemBits(), 5_000
    draws = [source.bits(200) for _ in range(n)]
    for i in range(200):  # 200 times a deviation of 8 standard deviations: 3e-13
        assert abs(sum(d >> i & 1 for d in draws) - n / 2) < 8 * (n / 4) ** 0.5


def test_a_reduction_modulo_m_would_be_seen() -> None:
    faulty = mutant(
        dpcore.noise.bits, "            if r < m:\n                return r\n", "            return r % m\n"
    )
    source = faulty.SeededBits(3)
    assert p_value([source.below(6) for _ in range(50_000)], {i: arb(fmpq(1, 6)) for i in range(6)}) < 1e-9


@pytest.mark.parametrize("m", [0, -1, -(2**70)])
def test_nothing_lies_below_zero(m: int) -> None:
    with pytest.raises(ValueError, match=f"Expected a positive bound but got m={m}"):
        SeededBits(0).below(m)


def test_a_negative_number_of_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="Expected a number of bits but got k=-1"):
        SeededBits(0).bits(-1)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 1000])
def test_fill_takes_the_words_as_they_come(n: int) -> None:
    words = [0x0123456789ABCDEF * (i + 1) % 2**64 for i in range(-(-n // 8))]
    out = bytearray(n)
    GivenWords(words).fill(memoryview(out))
    assert out == b"".join(word.to_bytes(8, "little") for word in words)[:n]


def test_the_seeded_fill_is_pinned_and_is_one_stream() -> None:
    whole, first, rest = bytearray(100_000), bytearray(70_001), bytearray(29_999)
    SeededBits(1).fill(memoryview(whole))
    source = SeededBits(1)
    source.fill(memoryview(first))
    source.fill(memoryview(rest))
    assert first + rest == whole
    assert int.from_bytes(whole[8184:8192], "little") == PINNED[0]  # the pool is emptied from its end


@pytest.mark.parametrize("source", [SeededBits(4), SystemBits()])
@pytest.mark.parametrize("n", [10**5, 3 * 10**6])
def test_every_byte_and_every_bit_of_a_fill_looks_uniform(source: BitSource, n: int) -> None:
    out = bytearray(n)
    source.fill(memoryview(out))
    assert p_value(out, {i: arb(fmpq(1, 256)) for i in range(256)}) > 1e-12
    assert len({bytes(out[at : at + 8]) for at in range(0, n, 8)}) == -(-n // 8)  # 2^-64 * (n/8)^2/2 < 1e-8


# ---- the system's source ---------------------------------------------------------------------------------------


def test_there_is_one_shared_source() -> None:
    assert system_bits() is system_bits()


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_source_cannot_be_duplicated(duplicate: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="a bit source cannot be copied: its copy would repeat it"):
        duplicate(SystemBits())


def test_two_sources_have_their_own_keys() -> None:
    a, b = SystemBits(), SystemBits()
    assert not {a.bits(64) for _ in range(3000)} & {b.bits(64) for _ in range(3000)}


def test_no_two_threads_get_the_same_word() -> None:
    source = SystemBits()
    start = threading.Barrier(8)
    drawn: list[list[int]] = [[] for _ in range(8)]

    def draw(mine: list[int]) -> None:
        start.wait()
        mine += [source.below(2**64) for _ in range(12_000)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=draw, args=(mine,)) for mine in drawn]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    words = [word for mine in drawn for word in mine]
    assert len(words) == 8 * 12_000
    assert len(set(words)) == len(words)  # two of 96,000 independent words agree with probability 3e-10


def test_no_two_threads_get_the_same_fill() -> None:
    source = SystemBits()
    start = threading.Barrier(6)
    drawn = [bytearray(8 * 100_000) for _ in range(6)]

    def draw(mine: bytearray) -> None:
        start.wait()
        view = memoryview(mine)
        for at in range(0, len(mine), 8 * 2500):
            source.fill(view[at : at + 8 * 2500])
            source.bits(64)

    threads = [threading.Thread(target=draw, args=(mine,)) for mine in drawn]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    words = {bytes(mine[at : at + 8]) for mine in drawn for at in range(0, len(mine), 8)}
    assert len(words) == 600_000  # two agree with probability 1e-8


def keys_asked_for(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    asked: list[int] = []
    real: Callable[[int], bytes] = os.urandom

    def counting(n: int) -> bytes:
        asked.append(n)
        return real(n)

    monkeypatch.setattr(os, "urandom", counting)
    return asked


def test_a_new_key_after_so_many_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert SystemBits.REKEY == 2**26
    asked = keys_asked_for(monkeypatch)
    monkeypatch.setattr(SystemBits, "REKEY", 2**15)
    source = SystemBits()
    words = [source.bits(64) for _ in range(10 * 2**15 // 8)]
    assert asked == [32] * 10
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("rekey", [2**13, 2**15, 2**20])
def test_a_new_key_after_so_many_bytes_of_fill(rekey: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = keys_asked_for(monkeypatch)
    monkeypatch.setattr(SystemBits, "REKEY", rekey)
    source = SystemBits()
    out = bytearray(4 * 2**20)
    source.fill(memoryview(out))
    assert asked == [32] * (4 * 2**20 // rekey)
    assert len({bytes(out[at : at + 8]) for at in range(0, len(out), 8)}) == len(out) // 8


def test_one_key_until_then(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = keys_asked_for(monkeypatch)
    source = SystemBits()
    for _ in range(20_000):
        source.bits(64)
    assert asked == [32]


def test_without_entropy_there_are_no_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(n: int) -> bytes:
        raise OSError("no entropy")

    monkeypatch.setattr(SystemBits, "REKEY", 2**13)
    source = SystemBits()
    first = [source.bits(64) for _ in range(2**13 // 8)]  # the whole of the first key
    monkeypatch.setattr(os, "urandom", fail)
    for _ in range(3):
        with pytest.raises(OSError, match="no entropy"):
            source.below(6)
        with pytest.raises(OSError, match="no entropy"):
            source.bits(200)
        with pytest.raises(OSError, match="no entropy"):
            SystemBits().bit()
        with pytest.raises(OSError, match="no entropy"):
            source.fill(memoryview(bytearray(100)))
    monkeypatch.undo()
    assert source.bits(64) not in first


FORK = """
import os, sys, threading
import dpcore.noise.bits as bits
source = bits.system_bits()
source.bits(64)
{before}
reading, writing = os.pipe()
def drawn():
    words = [source.bits(64) for _ in range(2000)]
    out = bytearray(16000)
    source.fill(memoryview(out))
    return words + [int.from_bytes(out[at : at + 8], "little") for at in range(0, 16000, 8)]
child = os.fork()
if child == 0:
    try:
        os.write(writing, repr(drawn()).encode())
    except OSError as error:
        os.write(writing, repr(str(error)).encode())
    os._exit(0)
os.close(writing)
with open(reading) as pipe:
    print(pipe.read())
os.waitpid(child, 0)
print(drawn())
"""


def parent_and_child(before: str) -> tuple[str, str]:
    """What a process and its forked child draw. In a process of its own: pytest has threads, which fork warns of."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK.format(before=before)],
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    child, parent = run.stdout.splitlines()
    return parent, child


def test_a_forked_child_draws_its_own_bits() -> None:
    parent, child = (set(ast.literal_eval(words)) for words in parent_and_child(""))
    assert len(parent) == len(child) == 4000
    assert not parent & child


def test_without_the_hook_it_would_repeat_its_parent() -> None:
    parent, child = (ast.literal_eval(words) for words in parent_and_child("bits._system_sources.clear()"))
    assert parent[:1000] == child[:1000]  # what was in the pool
    assert not set(parent[1024:]) & set(child[1024:])  # and then the key notices that the process is another


def test_a_forked_child_does_not_wait_for_a_thread_that_it_does_not_have() -> None:
    hold = "threading.Thread(target=source._keys._lock.acquire).start()"
    hold += "\nos.register_at_fork(after_in_parent=lambda: setattr(source, '_keys', bits._Keys()))"
    parent, child = (set(ast.literal_eval(words)) for words in parent_and_child(hold))
    assert not parent & child


def test_a_forked_child_without_entropy_has_no_bits() -> None:
    _, child = parent_and_child(
        "def fail(n): raise OSError('no entropy')\n"
        "os.register_at_fork(after_in_child=lambda: setattr(os, 'urandom', fail))"
    )
    assert child == "'no entropy'"
