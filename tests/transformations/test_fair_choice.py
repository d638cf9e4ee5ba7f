"""Which rows of a person are kept: a fair choice, the same on every carrier, the same for the same key, and nothing else.

The class of faults that can no longer happen: what is kept depends on how large a person's values are, on the names of
fields, on the order of the data, on how the data are held, or on how often one row stands there beside another.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import cast
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore as dp
from dpcore.assurance import exhaust, falsify
from dpcore.assurance.falsification import Falsification
from dpcore.calculus import RULES
from dpcore.certificates.explaining import explained
from dpcore.domains import key
from dpcore.engines import Table
from dpcore.engines.doors import table
from dpcore.engines.numpy import keeping
from dpcore.engines.numpy.canonical import block_of, blocks_of, order_of
from dpcore.engines.numpy.columns import Floats, Ints, Multiples, column_of
from dpcore.engines.numpy.persons import numbered
from dpcore.engines.numpy.ranked import Ranked, Words
from dpcore.noise.bits import SeededBits
from dpcore.noise.row_keys import Blocks, CipherKey, Ranks, RowKey
from dpcore.transformations.bound_contributions import Keep
from tests.laws.arrows import transformation

Row = Mapping[str, object]


def of_one(*values: object) -> list[Row]:
    return [{"who": 1, "n": value} for value in values]


VISITS = dp.rows(dp.record(who=dp.integers(), n=dp.integers(0, 9)), dp.PersonDistance("who"))


class Listed(RowKey):
    """A stand-in for the cipher that ranks what it is asked for by a permutation."""

    def __init__(self, permutation: Sequence[int]) -> None:
        self.permutation = permutation

    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        entries = [row.tobytes() for row in np.hstack(list(message))]
        assert len(set(entries)) == len(entries)
        places = {entry: i for i, entry in enumerate(sorted(entries))}
        return np.array([self.permutation[places[entry]] for entry in entries], dtype=np.uint64)


def kept_of(values: Sequence[int], limit: int) -> Counter[tuple[int, ...]]:
    """What is kept of one person's values, over all orders that a key can give."""
    held = table(of_one(*values), VISITS.domain)
    found: Counter[tuple[int, ...]] = Counter()
    for permutation in itertools.permutations(range(len(values))):
        rows = held.fairly("who", limit, Listed(permutation)).in_memory()
        found[tuple(sorted(cast(int, cast(Row, row)["n"]) for row in rows))] += 1
    return found


@pytest.mark.parametrize("values", [(0, 0, 1), (0, 1, 2, 3), (0, 0, 0, 1), (0, 0, 1, 1), (5,), (2, 2)])
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_each_row_is_as_likely_to_be_kept(values: tuple[int, ...], limit: int) -> None:
    """Over all orders: the mean of what is kept is the mean of the rows, and {a, a, b} keeps b alone a third of the time."""
    found = kept_of(values, limit)
    average = sum((Fraction(sum(kept), len(kept)) * times for kept, times in found.items()), Fraction(0))
    assert average / found.total() == Fraction(sum(values), len(values))
    subsets = Counter(tuple(sorted(kept)) for kept in itertools.combinations(values, min(limit, len(values))))
    assert {kept: Fraction(n, found.total()) for kept, n in found.items()} == {
        kept: Fraction(n, subsets.total()) for kept, n in subsets.items()
    }


def test_two_a_and_one_b_by_the_cipher() -> None:
    """The same by AES under 4,000 keys: b alone a third of the time; a false alarm is rarer than one in 10^9 (6 sigma)."""
    one = VISITS >> dp.bound_contributions(1)
    n = 4000
    alone = sum(one(of_one(0, 0, 1), bits=SeededBits(seed)) == of_one(1) for seed in range(n))
    assert abs(alone - n / 3) < 6.2 * (n * 2 / 9) ** 0.5


def test_the_exact_distribution_averages_over_keys() -> None:
    mean = VISITS >> dp.bound_contributions(1) >> dp.select(dp.field("n", int)) >> dp.sum() >> dp.laplace(scale="1/40")
    found = mean.distribution(of_one(0, 0, 9))
    assert float(found.probability(0).lower) == pytest.approx(2 / 3, abs=1e-9)
    assert float(found.probability(9).lower) == pytest.approx(1 / 3, abs=1e-9)


def test_one_key_for_all_parts_of_a_release() -> None:
    """`m & m`, and parts behind each other: both see the same rows, in a release and in the exact distribution."""
    of_rows = VISITS >> dp.bound_contributions(1)
    total = of_rows >> dp.select(dp.field("n", int)) >> dp.sum() >> dp.laplace(scale="1/40")
    twice = total & total
    assert {a == b for a, b in (twice.release(of_one(0, 3, 9)) for _ in range(50))} == {True}
    seen = twice.distribution(of_one(0, 9))
    assert {str(outcome) for outcome, p in seen.items() if p.upper > Fraction(1, 1000)} == {"(0, 0)", "(9, 9)"}
    stage = dp.adaptive(VISITS, [(dp.pure(360), lambda seen: total), (dp.pure(360), lambda seen: total)])
    assert {a == b for a, b in (stage.release(of_one(0, 3, 9)) for _ in range(50))} == {True}


def test_every_release_draws_a_key_and_equal_bits_give_equal_rows() -> None:
    one = VISITS >> dp.bound_contributions(1)
    data = of_one(*range(10))
    assert len({str(one(data)) for _ in range(60)}) > 1
    assert len({str(one(data, bits=SeededBits(3))) for _ in range(5)}) == 1


def test_no_bit_is_drawn_where_nothing_is_chosen() -> None:
    """A key is drawn when rows must go; which data need one is seen by nobody, for only the releaser sees the bits."""
    count = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=5)
    assert not count.derivation.asks("key")
    assert (VISITS >> dp.bound_contributions(2)).derivation.asks("key")


# ---- nothing but the rows' values ------------------------------------------------------------------------------------


def visits() -> dict[str, np.typing.NDArray[np.int64]]:
    """40,000 visits of 8,000 persons; who comes more often spends less at a time, as in the finding."""
    dice = np.random.default_rng(5)
    who = np.repeat(np.arange(8000), dice.integers(1, 10, 8000))
    spent = dice.integers(0, 241, len(who))
    return {"who": who, "spent": spent, "a_rand": dice.integers(0, 10**6, len(who))}


def mean_kept(columns: Mapping[str, np.typing.NDArray[np.int64]], limit: int, seed: int) -> float:
    fields = {name: dp.integers() for name in columns}
    kept = dp.rows(dp.record(**fields), dp.PersonDistance("who")) >> dp.bound_contributions(limit)
    rows = cast("list[dict[str, int]]", transformation(kept)(columns, bits=SeededBits(seed)))
    return sum(row["spent"] for row in rows) / len(rows)


def test_the_mean_of_visits() -> None:
    """An analyst's afternoon: the truth is about 120, the cheapest three visits of each person have a mean near 80.

    Without the random field, which in an order of all fields would stand before what was spent.
    """
    columns = {name: values for name, values in visits().items() if name != "a_rand"}
    truth = float(columns["spent"].mean())
    assert 119 < truth < 121
    assert abs(mean_kept(columns, 3, 1) - truth) < 3  # about 20,000 rows of standard deviation 70: 6 sigma
    cheapest = dp.rows(dp.record(who=dp.integers(), spent=dp.integers()), dp.PersonDistance("who"))
    first = transformation(cheapest >> dp.bound_contributions(3, keep=dp.first_by("spent")))
    rows = cast("list[dict[str, int]]", first(columns))
    assert sum(row["spent"] for row in rows) / len(rows) < 95


def test_renaming_a_field_changes_nothing_but_the_draw() -> None:
    """Another name may draw other rows, by the same chances; before, it moved the mean by 14."""
    columns = visits()
    renamed = {("z_rand" if name == "a_rand" else name): values for name, values in columns.items()}
    assert abs(mean_kept(columns, 3, 2) - mean_kept(renamed, 3, 2)) < 4
    for name in ("a", "z"):
        space = dp.rows(dp.record(who=dp.integers(), **{name: dp.integers()}), dp.PersonDistance("who"))
        total = space >> dp.bound_contributions(1) >> dp.select(dp.field(name, int)) >> dp.clamp(0, 9) >> dp.sum()
        seen = (total >> dp.laplace(scale="1/40")).distribution([{"who": 1, name: 2}, {"who": 1, name: 7}])
        assert float(seen.probability(2).lower) == pytest.approx(0.5, abs=1e-9)


def test_what_is_kept_of_one_person_is_no_affair_of_others() -> None:
    one = VISITS >> dp.bound_contributions(2)
    mine, others = of_one(1, 2, 3, 3), [{"who": 2 + i % 3, "n": i % 10} for i in range(20)]
    for seed in range(20):
        together = one([*others, *mine], bits=SeededBits(seed))
        assert Counter(map(str, one(mine, bits=SeededBits(seed)))) == Counter(
            str(row) for row in together if row["who"] == 1
        )


# ---- the same on every carrier ---------------------------------------------------------------------------------------

MIXED = dp.record(
    who=dp.categories("a", "b"),
    whole=dp.optional(dp.integers()),
    tenth=dp.numbers(step="1/10"),
    third=dp.numbers(step="1/3"),
    real=dp.numbers(),
    day=dp.date(),
    yes=dp.booleans(),
    text=dp.text(),
)
MIXED_ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.sampled_from(["a", "b"]),
            "whole": st.none() | st.sampled_from([0, 1, -1, 2**62]),
            "tenth": st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(-3)]),
            "third": st.sampled_from([Fraction(1, 3), Fraction(2)]),
            "real": st.sampled_from([0.0, 0.1, -2.5, 3.0, 1e22, 2.0**60]),
            "day": st.dates(),
            "yes": st.booleans(),
            "text": st.sampled_from(["", "a", "\ud800", "\u00e9"]),
        }
    ),
    max_size=12,
)


def held_as(rows: Sequence[Row], *, typed: bool) -> dict[str, object]:
    """As numpy columns, of their own types or of Python objects."""

    def column(name: str) -> object:
        values = [row[name] for row in rows]
        if typed and name == "whole":
            return np.ma.MaskedArray(
                [0 if v is None else v for v in values], [v is None for v in values], dtype=np.int64
            )
        if typed and name in ("tenth", "real"):
            return np.array([float(cast(Fraction, v)) for v in values], dtype=np.float64)
        if typed and name == "day":
            return np.array(values, dtype="datetime64[D]")
        if typed and name == "yes":
            return np.array(values, dtype=np.bool_)
        found = np.empty(len(values), dtype=np.object_)
        found[:] = values
        return found

    return {name: column(name) for name, _ in MIXED.fields}


@given(MIXED_ROWS, st.integers(1, 3), st.integers(0, 3))
@settings(max_examples=60)
def test_the_same_rows_on_every_carrier(rows: list[Row], limit: int, seed: int) -> None:
    space = dp.rows(MIXED, dp.PersonDistance("who"))
    ways: tuple[Keep, ...] = ("random", dp.first_by("day"))
    for keep in ways:
        f = transformation(space >> dp.bound_contributions(limit, keep))
        plain = f(rows, bits=SeededBits(seed))
        for typed in (True, False):
            assert f(held_as(rows, typed=typed), bits=SeededBits(seed)) == plain
    g = transformation(dp.rows(MIXED) >> dp.filter(dp.field("yes", bool)))
    assert g(held_as(rows, typed=True)) == g(rows)


@given(st.lists(st.integers(0, 5), max_size=9), st.integers(1, 6), st.integers(0, 3))
def test_resize_on_every_carrier(values: list[int], size: int, seed: int) -> None:
    f = transformation(dp.rows(dp.integers(0, 5)) >> dp.resize(size, 3))
    plain = f(values, bits=SeededBits(seed))
    assert f(np.array(values, dtype=np.int64), bits=SeededBits(seed)) == plain
    assert f(np.array(values, dtype=np.object_), bits=SeededBits(seed)) == plain
    assert len(cast("list[int]", plain)) == size


VALUES: list[object] = [
    *(None, True, False, 0, 1, -1, 2**63 - 1, -(2**63), 2**63, 10**5000),
    *(Fraction(1, 10), Fraction(1, 3), Fraction(-5, 2), Fraction(10**22), Fraction(1, 10**400)),
    *("", "1", "a", "\ud800"),
    *([1, 2], [2, 1], [True, 2], {"x": 1}, {"x": None}),
]


def test_blocks_tell_values_apart_and_only_by_their_value() -> None:
    blocks = [block_of(value) for value in VALUES]
    assert len(set(blocks)) == len(VALUES)
    assert all(0 <= part < 1 << 64 for block in blocks for part in block)
    assert block_of(1) == block_of(Fraction(1)) == block_of(1.0) == block_of(np.int8(1))
    assert block_of(0.1) == block_of(Fraction(1, 10))
    assert block_of(0.0) == block_of(-0.0)
    assert block_of({"x": 1, "y": 2}) == block_of({"y": 2, "x": 1})


@given(
    st.lists(st.integers(-(2**53), 2**53), min_size=1, max_size=9), st.sampled_from(["1", "1/10", "7/1000", "1/3", "5"])
)
def test_columns_have_the_blocks_of_their_values(counts: list[int], step: str) -> None:
    column = Multiples(np.array(counts, dtype=np.int64), Fraction(step), np.array([c % 5 == 0 for c in counts]))
    assert [tuple(block) for block in blocks_of(column).tolist()] == [block_of(v) for v in column.python()]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=9))
def test_floats_have_the_blocks_and_the_order_of_their_decimals(values: list[float]) -> None:
    column = Floats(np.array(values, dtype=np.float64))
    assert [tuple(block) for block in blocks_of(column).tolist()] == [block_of(v) for v in column.python()]
    order = order_of(column).tolist()
    for (i, x), (j, y) in itertools.pairwise(zip(order, column.python(), strict=True)):
        assert (i < j, i == j) == (key(x) < key(y), x == y)


@given(st.lists(st.sampled_from(VALUES), max_size=9))
def test_columns_of_anything_have_the_order_of_keys(values: list[object]) -> None:
    order = order_of(column_of(values)).tolist()
    for (i, x), (j, y) in itertools.combinations(list(zip(order, values, strict=True)), 2):
        assert (i < j, i == j) == (key(x) < key(y), key(x) == key(y))


# ---- ties, and rows that mix alike -----------------------------------------------------------------------------------


class Alike(RowKey):
    """A key that ranks all rows the same."""

    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        return np.zeros(len(message[0]), dtype=np.uint64)


def test_equal_ranks_go_by_the_values() -> None:
    """However the data are ordered: what is kept of a person is a function of that person's rows and the key."""
    found = set()
    for rows in itertools.permutations(of_one(3, 1, 2, 1)):
        held = table(list(rows), VISITS.domain)
        kept = held.fairly("who", 2, Alike()).in_memory()
        found.add(tuple(sorted(cast(int, cast(Row, row)["n"]) for row in kept)))
    assert found == {(1, 1)}


class Slow(RowKey):
    """The same ranks; but whoever asks sorts all rows by the whole of them."""

    def __init__(self, key: RowKey) -> None:
        self._key = key

    def ranks(self, message: Sequence[Blocks]) -> Ranks:
        return self._key.ranks(message)


@pytest.mark.parametrize("at_once", [1, 4, 1 << 21])
@pytest.mark.parametrize("room", [64, 9, 7])
@given(st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, 1 << 40]), st.integers(0, 2)), max_size=20), st.integers(1, 3))
def test_words_keep_what_whole_ranks_keep(room: int, at_once: int, pairs: list[tuple[int, int]], limit: int) -> None:
    """With copies, with few bits for the ranks, so that different rows share a word, and with few rows at a time: the very
    same rows."""
    held = table([{"who": who, "n": n} for who, n in pairs], VISITS.domain)
    key = CipherKey(SeededBits(1))
    whole = held.fairly("who", limit, Slow(key)).in_memory()
    with (
        mock.patch("dpcore.engines.numpy.ranked.ROOM", room),
        mock.patch("dpcore.engines.numpy.keeping.AT_ONCE", at_once),
    ):
        assert held.fairly("who", limit, key).in_memory() == whole


def test_few_rows_are_ranked_at_a_time() -> None:
    """As many as were said, and those of one person more: what is held meanwhile does not grow with the data."""
    rows = [{"who": i % 50, "n": i % 7} for i in range(1000)]
    asked: list[int] = []
    words = Ranked.words

    def counting(ranked: Ranked, places: Ints, copies: Ints | None = None) -> Words:
        asked.append(len(places))
        return words(ranked, places, copies)

    with (
        mock.patch("dpcore.engines.numpy.keeping.AT_ONCE", 100),
        mock.patch.object(Ranked, "words", counting),
    ):
        table(rows, VISITS.domain).fairly("who", 5, CipherKey(SeededBits(1)))
    assert sum(asked) >= 1000
    assert max(asked) <= 100 + 20


@given(st.lists(st.integers(-(1 << 62), 1 << 62)), st.sampled_from([0, 1, 0x9E3779B97F4A7C15]))
def test_persons_are_numbered_whatever_the_mix_is_worth(values: list[int], mix: int) -> None:
    with mock.patch("dpcore.engines.numpy.persons.MIX", np.uint64(mix)):
        found, above = numbered(Multiples(np.array([*values, *values, 1 << 62], dtype=np.int64)))
    pairs = set(zip([*values, *values, 1 << 62], found.tolist(), strict=True))
    assert len(pairs) == len({value for value, _ in pairs}) == len({number for _, number in pairs})
    assert all(0 <= number < above for _, number in pairs)


# ---- a stated order --------------------------------------------------------------------------------------------------


def test_a_stated_order_is_kept_and_is_said() -> None:
    latest = VISITS >> dp.bound_contributions(2, keep=dp.first_by(-dp.field("n", int)))
    assert [row["n"] for row in latest(of_one(4, 7, 1, 7))] == [7, 7]
    assert "keep=first_by(-field('n', int))" in repr(latest)
    certificate = dp.certify(latest >> dp.count() >> dp.laplace(scale=2))
    said = "bound_contributions_first_by_person: which rows of a person are kept is the analyst's choice, and may bias"
    assert said in cast("list[str]", certificate.data["attention"])
    assert "field('n'" in "\n".join(explained(certificate))
    fair = dp.certify(VISITS >> dp.bound_contributions(2) >> dp.count() >> dp.laplace(scale=2))
    assert fair.data["attention"] == []


def test_the_order_of_old_certificates() -> None:
    """`bound_contributions_person` is made no more; it means what it meant: first by all fields, in the order of names."""
    run = RULES["bound_contributions_person"].run
    rows = [{"who": 1, "n": n} for n in (5, 2, 9)] + [{"who": 0, "n": 4}]
    kept = cast("Table", run(table(rows, VISITS.domain), by="who", limit=2)).in_memory()
    assert Counter(map(str, kept)) == Counter(map(str, [*of_one(2, 5), {"who": 0, "n": 4}]))


@pytest.mark.parametrize("keep", ["first", None, 3, dp.field("n")])
def test_other_ways_to_keep_are_refused(keep: object) -> None:
    with pytest.raises(dp.errors.InvalidParameter, match="Expected keep to be 'random' or an order of rows"):
        dp.bound_contributions(1, keep)  # type: ignore[arg-type]
    with pytest.raises(dp.errors.InvalidExpression):
        VISITS >> dp.bound_contributions(1, keep=dp.first_by("nobody"))


# ---- what the tools find when it is put back -------------------------------------------------------------------------


FAIRLY = keeping.fairly


def broken(fault: object) -> Iterator[Falsification]:
    one = VISITS >> dp.bound_contributions(1)
    with mock.patch("dpcore.engines.numpy.keeping.fairly", fault):
        yield falsify(one)
        yield falsify(one >> dp.count() >> dp.laplace(scale=1))


def by_the_order_of_the_data(fields: object, by: str | None, limit: int, key: RowKey) -> object:
    columns = cast("Mapping[str | None, Multiples]", fields)
    seen: Counter[object] = Counter()
    kept = []
    for i, who in enumerate(columns[by].python()):
        seen[who] += 1
        if seen[who] <= limit:
            kept.append(i)
    return np.array(kept, dtype=np.int64)


def by_a_key_of_its_own(fields: object, by: str | None, limit: int, key: RowKey) -> object:
    """Drawn anew for each data set: then two data sets that do not differ are far apart."""
    columns = cast("Mapping[str | None, Multiples]", fields)
    return FAIRLY(columns, by, limit, CipherKey(SeededBits(hash(str(columns["n"].python())))))


@pytest.mark.parametrize("fault", [by_the_order_of_the_data, by_a_key_of_its_own])
def test_falsify_finds_a_choice_that_is_none(fault: object) -> None:
    assert all(result.findings for result in broken(fault))


def test_a_trade_off_curve_of_the_users_own_says_nothing_of_a_choice() -> None:
    """Two keys, two curves above the user's: their mean can lie below it where it is not convex."""
    rows = dp.rows(VISITS.domain.of)
    own = dp.measurement(len, rows, dp.Tradeoff(), lambda d: lambda alpha: 1 - alpha)
    for chosen in (VISITS >> dp.bound_contributions(1), dp.rows(VISITS.domain.of) >> dp.resize(3, {"who": 0, "n": 0})):
        with pytest.raises((dp.errors.MeasureMismatch, dp.errors.MetricMismatch)):
            chosen >> own  # type: ignore[operator]
    with pytest.raises(dp.errors.MeasureMismatch, match="may not be convex") as refusal:
        VISITS >> dp.bound_contributions(1) >> own
    assert "Profile" in str(refusal.value.bridge)
    VISITS >> dp.bound_contributions(1, keep=dp.first_by("n")) >> own  # by no key


# ---- resize ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_resize_is_stable_with_d_and_no_less(size: int) -> None:
    """Both cut, both filled up, and one of each, at distances up to 4, for several keys; and d is reached at each."""
    f = transformation(dp.rows(dp.integers(0, 2)) >> dp.resize(size, 0))
    found = exhaust(f, rows=4)
    assert found.sound, str(found)
    reached = {line.steps: line.true for line in found.lines if line.steps <= size}
    assert all(float(cast(float, getattr(true, "upper", true))) == steps for steps, true in reached.items())


def test_each_row_is_as_likely_to_be_cut() -> None:
    held = table([0, 0, 9], dp.types.Rows(dp.integers()))
    kept = Counter(
        tuple(sorted(map(str, held.fairly(None, 2, Listed(order)).in_memory())))
        for order in itertools.permutations(range(3))
    )
    assert kept == {("0", "0"): 2, ("0", "9"): 4}


def test_what_resize_refuses() -> None:
    with pytest.raises(dp.errors.DomainMismatch, match="what fills up is no row of these"):
        dp.rows(dp.integers(0, 9)) >> dp.resize(5, 10)
    with pytest.raises(dp.errors.DomainMismatch, match="what fills up is no row of these"):
        dp.rows(dp.record(a=dp.integers())) >> dp.resize(5, {"b": 1})
    with pytest.raises(dp.errors.InvalidParameter, match="Expected constants to fill up with"):
        dp.resize(5, dp.row() + 1)
    with pytest.raises(dp.errors.InvalidParameter, match="Expected size to be a whole number of at least 1"):
        dp.resize(0, 0)
    with pytest.raises(dp.errors.MetricMismatch):
        dp.rows(dp.integers(), dp.ChangeOneDistance()) >> dp.resize(5, 0)  # type: ignore[operator]


def test_a_stated_order_at_a_tie_goes_by_all_fields() -> None:
    held = table([{"who": 1, "n": n} for n in (3, 1, 2)], VISITS.domain)
    assert [cast(Row, row)["n"] for row in held.first_of_each("who", 2, dp.field("who")).in_memory()] == [1, 2]
