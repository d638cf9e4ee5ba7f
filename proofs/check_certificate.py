#!/usr/bin/env python3
"""Checks certificates of differential privacy. One file, the standard library, and nothing shared with who wrote them.

    python -I -S check_certificate.py FILE...        0 verified, 1 rejected, 2 not a certificate, 4 not decided

A certificate holds an input space (a domain of data and a metric on it), a derivation (a tree of rules), and claims: at a
distance d_in, a loss. The checker starts at the input space and follows the tree. For each transformation it works out
where the outputs lie and how far apart they can be; for each measurement, what its release costs. It compares that with
the claims. What is written beside a rule is checked against what was worked out, never taken on trust. Nothing is
searched for: an order alpha, or an epsilon, stands in the certificate as a witness.

Every map is monotone in every distance and loss, so an upper bound of the one gives an upper bound of the other: each
number below is the exact value or above it (of a trade-off curve, below it). Rationals are exact; exp, log and roots are
enclosed in the second part. L2 distances, and mu of Gaussian privacy, are carried as their squares.
"""
# fmt: off
# Formatted by hand: tables are to be read as tables, and what is one line of mathematics is one line here.
from __future__ import annotations

import gc
import hashlib
import json
import math
import os
import re
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import accumulate, groupby
from math import ceil, floor, gcd, isqrt
from typing import Callable, Dict, Generic, Iterator, List, Mapping, NamedTuple, Sequence, Tuple, TypeVar, Union

FORMAT, VERSION = "dpcore-certificate/1", "0.1.0"
BYTES, DEPTH, DIGITS, BITS = 1 << 26, 200, 1000, 192  # of a file, its nesting, a number at most; bits of precision
ZERO, ONE, LARGE, UNBOUNDED = Fraction(0), Fraction(1), Fraction(10 ** 3000), Fraction(10 ** 6000)
LABOUR, SPENT = 10 ** 7, [0, 0]  # how many microseconds, about, a certificate may ask for; has asked for; for such terms
ELSEWHERE = 0  # what a term of a sum costs besides; whoever makes certificates says how long the proved checker takes
NOTES: set[Tuple[str, str]] = set()  # what was relied on: "rule" and name; "filed" and assumption; "told" and it in full
T = TypeVar("T")
Figures = Tuple[Fraction, ...]

# ---- reading: one encoding, and whatever is written in another way is refused with its place -----------------------------
class Rejected(Exception):
    """Why; and where. One that is not raised stands where JSON held what no certificate holds, until its place is known."""
    place: Tuple[str, ...] = ()
def need(condition: object, why: str) -> None:
    if not condition:
        raise Rejected(why)
def at(place_: object, call_: Callable[..., T], *arguments: object) -> T:
    try:
        return call_(*arguments)
    except Rejected as rejected:
        rejected.place = (str(place_), *rejected.place)
        raise
def a(kind: type[T], x: object) -> T:
    if not isinstance(x, kind):
        raise Rejected(str(x) if isinstance(x, Rejected) else "expected a " + kind.__name__)
    return x
def text(x: object) -> str: return a(str, x)
def quoted(x: str, most: int = 64) -> str:
    """A text of others, which cannot pass for one of ours: in quotes, printable ASCII, and cut off where it is long.

    What is not is escaped; so is every colon, and a space at an end or after a space. So however lines are folded, what
    begins with a word and a colon is ours, and no spaces push what follows out of sight."""
    return '"%s"' % spelt(x[:most]) + ("... (%d characters)" % len(x) if len(x) > most else "")
def spelt(x: str) -> str:
    return re.sub('[^ -~]|[":\\\\]|(?<![^ ]) | (?![^ ])', lambda found: escaped(found.group()), x)
def escaped(c: str) -> str:
    n = ord(c)
    units = [n] if n < 1 << 16 else [0xd800 + (n - (1 << 16) >> 10), 0xdc00 + (n & 0x3ff)]
    return "\\" + c if c in '"\\' else "".join(["\\u%04x" % unit for unit in units])
def pieces(x: str, most: int = 400) -> str:  # of a text with colons, one after the other
    return ": ".join([quoted(each, most) for each in x[:most].split(": ")])
def listing(table: Sequence[Sequence[object]]) -> str: return "; ".join(" ".join(map(str, row)) for row in table)
def assume(filed: str, told: str) -> None:
    """What nobody proved: in the words that stand in certificates; and in full: of what, and who must see to it."""
    NOTES.update((("filed", filed), ("told", told)) if told else (("filed", filed),))
def brackets(data: bytes) -> Iterator[int]:
    """Those outside of texts, from a mebibyte at a time."""
    plain, inside = data.replace(b"\\\\", b"").replace(b'\\"', b""), 0
    for start in range(0, len(plain), 1 << 20):
        parts = plain[start:start + (1 << 20)].split(b'"')
        yield from re.sub(rb"[^][{}]+", b"", b"".join(parts[inside::2]))
        inside ^= 1 - len(parts) % 2
def parse(data: bytes) -> object:
    spend(2 * data.count(b",") + 4 * (data.count(b"[") + data.count(b"{")))  # before there is a value of it in memory
    written = data.decode("utf-8")
    depths = accumulate(1 if bracket in b"[{" else -1 for bracket in brackets(data))
    need(max(depths, default=0) <= DEPTH, "nested more than %d deep" % DEPTH)
    def unique(pairs: List[Tuple[str, object]]) -> object:
        return dict(pairs) if len(dict(pairs)) == len(pairs) else Rejected("a key is repeated")
    there_was = Rejected("a bare number; numbers are texts such as '1/2'")  # one for all, however many there are
    def bare(number: str) -> object: return there_was
    return json.loads(written, parse_int=bare, parse_float=bare, parse_constant=bare, object_pairs_hook=unique)
def record(x: object, names: str) -> Given:
    """The fields of these names and no others, each read in the one way that belongs to its name."""
    written, wanted, given = a(dict, x), names.split(), Given()
    strays = written.keys() ^ {*wanted}
    need(not strays, "missing or unknown field " + quoted(min(strays)) if strays else "")
    vars(given).update({name: at(name, READ[name], written[name]) for name in wanted})
    return given
@lru_cache(maxsize=1 << 16)
def fraction(written: str) -> Fraction:
    need(re.match("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?\\Z", written), "expected a rational number such as '1/2'")
    need(max(map(len, written.split("/"))) <= DIGITS, "a number of more than %d digits" % DIGITS)
    need(str(Fraction(written)) == written, "a number not in lowest terms")
    return Fraction(written)
def maybe(read: Callable[[object], T], missing: T, x: object) -> T: return missing if x is None else read(x)
def listed(read: Callable[[object], T], x: object, most: int = BYTES) -> Tuple[T, ...]:
    need(0 < len(a(list, x)) <= most, "expected at least one, and at most %d" % most)
    return tuple([at(i, read, each) for i, each in enumerate(a(list, x))])
def one_of(words: Sequence[str], x: object) -> str:
    if x not in words:
        raise Rejected("unknown " + quoted(text(x)))
    return text(x)
class Function(NamedTuple):
    """A function of the user's own, which is the same where name and digest are."""
    name: str
    digest: str
    @property
    def filed(self) -> str: return "%s (%.16s)" % self
    @property
    def told(self) -> str: return "%s (sha256 %s)" % (quoted(self.name), self.digest)
def opaque(x: object) -> Function: return Function(**vars(record(x, "name digest")))
def constant(x: object) -> Tuple[str, object]:  # a value with its type: true is not 1
    given = record(x, "op value")
    return one_of([*CONSTANTS], given.op), at("value", CONSTANTS[given.op], given.value)
def ranged(x: object) -> Tuple[Tuple[str, object], ...]:  # whole numbers, by the first and the last
    first, *others = listed(NUMBER, x)
    more = [end - first for end in others if whole(first) and whole(end) and 0 < end - first < 1 << 16]
    need(len(more) == len(others) == 1, "expected the first and the last of whole numbers, two to 65536")
    spend(3 * int(more[0]))
    return tuple([("number", first + i) for i in range(int(more[0]) + 1)])
def spoken(kinds: str, x: object) -> Tuple[str, object]:  # of a row: an expression, several by name, or a function
    kind = one_of(kinds.split(), next(iter(a(dict, x)), None))
    return kind, vars(record(x, kind))[kind]

# ---- numbers: an enclosure is a pair (low, high) with low <= true value <= high ------------------------------------------
def spend(steps: int, terms: int = 0) -> None:
    SPENT[0] += steps + ELSEWHERE * terms
    SPENT[1] += ELSEWHERE * terms
    need(SPENT[0] < LABOUR, "more work than a certificate may ask for")
KNOWN: List[Callable[[], None]] = []  # forgets what is remembered, as each certificate has to pay for its own
def remembered(work: Callable[..., T]) -> Callable[..., T]:
    """What was worked out, under a text of the numbers: their hashes can be chosen to be equal, those of texts cannot."""
    found: Dict[str, T] = {}
    def known(*xs: Fraction) -> T:
        spend(4)
        key = " ".join(["%x/%x" % x.as_integer_ratio() for x in xs])
        if len(found) >= 1 << 16:
            found.clear()
        if key not in found:
            KNOWN.extend([] if found else [found.clear])
            found[key] = work(*xs)
        return found[key]
    return known
def short(x: Fraction, most: int = 1 << 14) -> Fraction:
    """The number, or one just above it of a sixteenth of so many bits, where it has grown beyond all use."""
    p, q = x.numerator.bit_length(), x.denominator.bit_length()
    spend(3 + (max(p, q) ** 2 >> 17))
    need(abs(p - q) < 1 << 17, "a number too large or too small to follow")
    unit = Fraction(2) ** (p - q - (most >> 4)) if max(p, q) >= most else ONE
    return ceil(x / unit) * unit if max(p, q) >= most else x
def total(xs: Sequence[Fraction]) -> Fraction:
    level = list(xs)
    while len(level) > 1:  # by halves, which keeps denominators short
        level = [short(x + y) for x, y in zip(level[::2], level[1::2])] + level[len(level) & ~1:]
    return level[0]
def power(x: Fraction, k: int) -> Fraction:
    """x^k, or just above it."""
    half = power(short(x * x, 1 << 11), k // 2) if k > 1 else ONE
    return short(half * x, 1 << 11) if k % 2 else half
@remembered
def exp(x: Fraction) -> Tuple[Fraction, Fraction]:
    """`(e^y)^(2^h)`, y = x/2^h < 1/4, by Taylor; to more bits where x is close to 0, so that e^x - 1 is known as well.

    In units of 2^-n, rounded down: y is off by less than 1, each of i terms by less than 2, and what is left out is less
    than 2. Each squaring then takes a bound to a bound."""
    need(x <= 8000, "exp of more than 8000 is not followed")
    if x < 0:
        least, most = exp(min(-x, Fraction(8000)))
        return ZERO if x < -8000 else 1 / most, 1 / least
    p, q = x.numerator.bit_length(), x.denominator.bit_length()
    n, h = BITS + 32 + max(0, q - p), max(0, p - q + 3) if x else 0
    need(n < 1 << 14, "exp of a number so close to 0 is not followed")
    spend(50 + (n * n >> 17))
    y, term, low, i = (x.numerator << n) // (x.denominator << h), 1 << n, 1 << n, 0
    while term:
        i += 1
        term = (term * y >> n) // i
        low += term
    high = low + (2 * i + 4 if x else 0)
    for _ in range(h):
        low, high = low * low >> n, (high * high >> n) + 1
    return Fraction(low, 1 << n), Fraction(high, 1 << n)
@remembered
def log(x: Fraction) -> Fraction:
    """`log x <= y + (x e^-y - 1)` for every y, as log z <= z - 1: above, wherever y began; each round doubles its bits."""
    z, y = abs(x - 1), Fraction(math.log(x.numerator) - math.log(x.denominator))
    n = BITS + 8 + max(0, z.denominator.bit_length() - z.numerator.bit_length())
    for _ in range(n.bit_length() - 4):
        y = Fraction(ceil((y + x / exp(y)[0] - 1) * 2 ** n), 2 ** n)
    return y if z else ZERO
def root(x: Fraction) -> Fraction:
    """An upper bound: `2^n sqrt(x) < r + 1` for r = isqrt(4^n x); the root itself where it is rational."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    n = BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    exactly = p * p == x.numerator and q * q == x.denominator
    return Fraction(p, q) if exactly else Fraction(isqrt((x.numerator << 2 * n) // x.denominator) + 1, 1 << n)
def bell(z: int, n: int) -> Tuple[int, int]:
    """(s, e) with `|s - 2^n (integral of e^(-t^2/2) from 0 to x)| <= e`, x = z/2^BITS >= 0: `x - x^3/(2 3) + x^5/(8 5) ...`

    Each x^(2i+1)/(2^i i!) is off by at most i e^(x^2/2) units: a unit lost at j grows by (x^2/2)^(i-j) j!/i!, which is at
    most e^(x^2/2) < 2^(x^2). Once i is past x^2/2 they fall, and what is left out is less than the next one."""
    power, square, s, i = z << n - BITS, z * z, 0, 0
    while power not in (0, -1) or 2 * i << 2 * BITS < square:
        s, i = s + power // (2 * i + 1), i + 1
        power = (-power * square >> 2 * BITS) // (2 * i)
    spend(10 * i)
    return s, (2 * i + 2) << -(-square >> 2 * BITS)
@lru_cache(maxsize=1 << 10)
def half_bell(n: int) -> Tuple[int, int]:
    """Below and above 2^n times the whole integral: beyond x >= 1 it is less than e^(-x^2/2), here less than 2^-n."""
    s, e = bell((isqrt(2 * n) + 1) << BITS, 4 * n)
    return (s - e) >> 3 * n, (s + e >> 3 * n) + 2
@remembered
def normal(x: Fraction) -> Tuple[Fraction, Fraction]:
    """P(N > x) for standard normal N: to more bits where x is large, so that small tails are known as well."""
    if x < 0 or x > 64:
        low, high = normal(min(abs(x), Fraction(64)))
        low = low if abs(x) <= 64 else ZERO
        return (low, high) if x > 0 else (1 - high, 1 - low)
    z, n = floor(x * 2 ** BITS), BITS + 64 + (2 * ceil(x * x) + 255) // 256 * 256
    (s, e), (t, f), (least, most) = bell(z, n), bell(z + 1, n), half_bell(n)
    return Fraction(max(0, least - t - f), 2 * most), Fraction(most - s + e, 2 * least)
@remembered
def theta(m: int, v: Fraction) -> Tuple[Fraction, Fraction]:
    """`sum over j >= 0 of e^(-((m+j)^2 - m^2)/(2v))`, by `t_(j+1) = t_j a_j`, `a_(j+1) = a_j e^(-1/v)`.

    In units of 2^-BITS, rounded down: a_j is off by at most 3j + 2, t_j by at most 3j^2, and what is left out after i is
    at most t_i/(1 - e^(-1/(2v))) <= (3 i^2 + 1)(1 + 2v)."""
    need(v <= 1 << 30, "more noise than is summed here")
    spend(16 * isqrt(ceil(v)))
    a_j, b = [floor(exp(y)[0] * 2 ** BITS) for y in (-(2 * m + 1) / (2 * v), -1 / v)]
    t, s, i = 1 << BITS, 0, 0
    while t:
        s, i, t, a_j = s + t, i + 1, t * a_j >> BITS, a_j * b >> BITS
    return Fraction(s, 1 << BITS), Fraction(s + i ** 3 + (3 * i * i + 1) * (1 + 2 * ceil(v)), 1 << BITS)
def discrete(m: int, v: Fraction) -> Tuple[Fraction, Fraction]:
    """P(Z >= m) for discrete Gaussian Z of parameter v = sigma^2 on the whole numbers."""
    if m <= 0:
        low, high = discrete(1 - m, v)
        return 1 - high, 1 - low
    first, tail, half = exp(-m * m / (2 * v)), theta(m, v), theta(0, v)
    return first[0] * tail[0] / (2 * half[1] - 1), first[1] * tail[1] / (2 * half[0] - 1)

# ---- domains and metrics -------------------------------------------------------------------------------------------------
Metric = Tuple[object, ...]  # its kind, and what else belongs to it
DOMAINS = {"integers": "low high", "numbers": "low high step", "booleans": "", "text": "", "date": "first last",
           "categories": "values", "optional": "each", "fields": "fields", "vector": "each size norm bound",
           "rows": "each size", "parts": "each values", "graphs": "size"}
OWN = {"Granularity": "how far apart data are, says the function %s",  # two relations of a user: see told
       "PathGranularity": "which data are one step apart, says the function %s; data k apart are joined by k steps"}
METRICS = {"SymmetricDistance": "one row more or one row less", "NodeDistance": "all edges of one node drawn anew",
           "ChangeOneDistance": "one row replaced by another; the number of rows is public",
           "PersonDistance": "all rows of one person (%s) added or removed", "DiscreteDistance": "another value",
           "AbsoluteDistance": "a number that differs by 1", "L1Distance": "a vector that differs by 1 in L1",
           "L2Distance": "a vector that differs by 1 in L2", "LInfDistance": "a vector that differs by 1 in LInf",
           "RangeDistance": "scores that all rise, or all fall, by at most 1", "PartDistance": "%s, in any of the parts",
           "EdgeDistance": "one edge more or one edge less", **dict.fromkeys(OWN, "one step of %s")}
MORE = {"PersonDistance": " person", "PartDistance": " within", **dict.fromkeys(OWN, " name function rows")}
WHOLE = "Symmetric ChangeOne Person Discrete Part Edge Node PathGranularity"  # distances are whole, and made of steps of 1
ROWS, CHANGED, L1, L2, LINF, RANGE, DISCRETE, ABSOLUTE, EDGE, NODE, MOVED = [
    (name + "Distance",) for name in "Symmetric ChangeOne L1 L2 LInf Range Discrete Absolute Edge Node Moved".split()]
class Domain(NamedTuple):
    """What data can be. Whole numbers are numbers of step 1."""
    kind: str
    low: Fraction = -UNBOUNDED
    high: Fraction = UNBOUNDED
    step: Fraction = ZERO  # 0 where they are any numbers
    each: Tuple[Domain, ...] = ()  # one, or none
    size: Fraction = ZERO  # 0 where it is not known
    values: Tuple[Tuple[str, object], ...] = ()
    fields: Mapping[str, Domain] = {}
    norm: str = ""
    bound: Fraction = UNBOUNDED
    first: str = ""
    last: str = ""
    @property
    def row(self) -> Domain: return self.each[0]
class Space(NamedTuple):
    """Data, and how far apart they are, by the same bound in each of the metrics."""
    domain: Domain
    metrics: Tuple[Metric, ...]
UNKNOWN, TRUTH = Domain("unknown"), Domain("booleans")
@remembered
def number(low: Fraction, high: Fraction, step: Fraction = ZERO) -> Domain:
    """The multiples of step from low to high; what is large enough is without bound."""
    need(max(x.denominator for x in (low, high, step, 1 / (step or ONE))) < 10 ** 2700, "a number too small to follow")
    spend(3 + (max(x.denominator.bit_length() for x in (low, high, step)) ** 2 >> 17))
    low = -UNBOUNDED if low <= -LARGE else min(LARGE, ceil(low / step) * step if step else low)
    high = UNBOUNDED if high >= LARGE else max(-LARGE, floor(high / step) * step if step else high)
    need(low <= high, "there is no number from low to high")
    return Domain("number", low, high, step)
def vector(size: Union[int, Fraction], low: Fraction, step: Fraction = ONE, high: Fraction = UNBOUNDED) -> Domain:
    return Domain("vector", each=(number(low, high, step),), size=Fraction(size))
def domain(x: object) -> Domain:
    kind = one_of([*DOMAINS], a(dict, x).get("kind"))
    given = record(x, "kind " + DOMAINS[kind])
    need(kind not in ("vector", "graphs") or given.size, "expected a size")
    whole_or_not = {"integers": ONE, "numbers": vars(given).get("step", ZERO)}
    return number(given.low, given.high, whole_or_not[kind]) if kind in whole_or_not else Domain(**vars(given))
def metric(x: object) -> Metric:
    kind = one_of([*METRICS], a(dict, x).get("kind"))
    return tuple(vars(record(x, "kind" + MORE.get(kind, ""))).values())
def words(way: Metric) -> str:
    inner = [words(a(tuple, x)) if way[0] == "PartDistance" else text(x) for x in way[1:2]]
    spend(sum(map(len, inner)) >> 7)
    return METRICS[text(way[0])] % (*inner,)
def told(way: Metric) -> str:
    """The same in full: with the function that says how far apart data are, and the author's words as such."""
    if way[0] in OWN:
        by = OWN[text(way[0])] % a(Function, way[2]).told
        return "one step of %s, in the words of its author; %s" % (quoted(text(way[1])), by)
    if way[0] == "PersonDistance":
        return "all rows of one person, whom the field %s names, added or removed" % quoted(text(way[1]))
    return told(a(tuple, way[1])) + ", in any of the parts" if way[0] == "PartDistance" else words(way)
def plain(way: Metric) -> str: return text(way[0]).replace("Distance", "")
def under(metrics: str, *ways: Metric) -> bool: return any(plain(way) in metrics.split() for way in ways)
def measures(way: Metric, of: Domain) -> bool:
    """Whether any two members of the domain have such a distance."""
    if under("Symmetric ChangeOne Person", way):
        return of.kind == "rows" and (not under("Person", way) or way[1] in of.row.fields)
    if under("L1 L2 LInf Range", way):
        return of.kind == "vector" and of.row.kind == "number"
    if under("Part", way):
        return of.kind == "parts" and way[1] in (ROWS, CHANGED)
    kinds = {"Edge": "graphs", "Node": "graphs", "Absolute": "number", **dict.fromkeys(OWN, of.kind)}
    return of.kind == kinds.get(plain(way), of.kind) and not (way == DISCRETE and of.kind in ("rows", "parts"))
def there(of: Domain) -> Domain: return of.each[0] if of.kind == "optional" else of  # where it is not missing
def length(of: Domain, norm: str) -> Fraction:
    """The most that the norm of a vector can be, squared for L2."""
    squares, most = 2 if norm == "L2" else 1, max(abs(of.row.low), abs(of.row.high))
    by_entries = most if norm == "LInf" else of.size * most ** squares
    return min(by_entries, of.bound ** squares) if of.norm == norm else by_entries
def holds(declared: Domain, of: Domain) -> bool:
    """Whether what rules read off the declared domain (bounds, grids, fields) is true of the other."""
    if declared.kind == "optional":
        some = there(of)._replace(values=tuple(value for value in there(of).values if value[0] != "null"))
        return (bool(of.values) and not some.values) or holds(declared.each[0], some)
    if declared.kind == of.kind == "number":
        finer = not declared.step or (of.step > 0 and (of.step / declared.step).denominator == 1)
        return finer and declared.low <= of.low and of.high <= declared.high
    if declared.kind == of.kind == "vector" and not declared.norm:
        return declared.size == of.size and holds(declared.each[0], of.each[0])
    spend(bulk(of.values) + bulk(declared.values))
    if declared.kind == "date" and (of.kind == "date" or {kind for kind, _ in of.values} == {"date"}):
        spans = [(text(day), text(day)) for _, day in of.values] or [(of.first, of.last)]  # in order as texts
        return all((not declared.first or declared.first <= first) and (not declared.last or "" < last <= declared.last)
                   for first, last in spans)
    texts = of.kind == "categories" and {kind for kind, _ in of.values} == {"text"} and declared.kind == "text"
    within = of.kind == declared.kind == "categories" and {*map(str, of.values)} <= {*map(str, declared.values)}
    return declared == of or texts or within

def bulk(known: Sequence[Tuple[str, object]]) -> int:
    """How many microseconds it takes to write them."""
    return sum([3 + (sum(map(int.bit_length, x.as_integer_ratio())) ** 2 >> 20 if isinstance(x, Fraction) else
                     len(x) >> 7 if isinstance(x, str) else 0) for _, x in known])
def some(things: Sequence[T], say: Callable[[T], str], between: str = ", ") -> str:
    rest = "%sand %d more" % (between, len(things) - 8) if len(things) > 8 else ""
    return between.join([say(each) for each in things[:8]]) + rest
def value_in_words(x: Tuple[str, object]) -> str:
    kind, value = x
    plainly = {"null": "missing", "truth": str(value).lower(), "number": str(value)}
    return plainly[kind] if kind in plainly else quoted(text(value))
def in_words(of: Domain) -> str:
    """What data of the domain can be."""
    spend(10)
    if of.kind == "number":
        ends = (" from %s", of.low), (" to %s", of.high)
        low, high = ["" if abs(end) == UNBOUNDED else word % end for word, end in ends]
        return ("whole numbers" if of.step == 1 else "multiples of %s" % of.step if of.step else "numbers") + low + high
    if of.kind == "date":
        return "dates" + " from %s" % quoted(of.first) * bool(of.first) + " to %s" % quoted(of.last) * bool(of.last)
    each, size = in_words(of.row) if of.each else "", "%s of them" % of.size
    norm = ", of a norm (%s) of at most %s" % (of.norm, of.bound) if of.norm and of.bound != UNBOUNDED else ""
    fields = some(sorted(of.fields.items()), lambda field: "%s: %s" % (quoted(field[0]), in_words(field[1])), "; ")
    return {"booleans": "true or false", "text": "texts", "categories": "one of " + some(of.values, value_in_words),
            "optional": "missing, or " + each, "fields": "{%s}" % fields,
            "vector": "vectors (%s, %s%s)" % (each, size, norm), "graphs": "graphs of %s nodes" % of.size,
            "rows": "rows (%s%s)" % (each, ", " + size if of.size else ""),
            "parts": "parts (%s) for each of %s" % (each, some(of.values, value_in_words))}.get(of.kind, "anything")
def spelled(e: object) -> str:
    """A row expression that was read."""
    its = a(dict, e)
    spend(5)
    if its["op"] in CONSTANTS:
        return value_in_words(constant(e))
    if its["op"] in ("row", "field"):
        return "row" if its["op"] == "row" else "field(%s)" % quoted(its["name"])
    return "%s(%s)" % (its["op"], ", ".join(map(spelled, its["of"])))

# ---- row expressions: the values they can take, where they are made of the operations below ------------------------------
def grid(x: Fraction, y: Fraction) -> Fraction:  # the coarsest that holds both
    spend(3 + (max(sum(map(int.bit_length, z.as_integer_ratio())) for z in (x, y)) ** 2 >> 18))
    return x and y and Fraction(gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)
# One that holds all: `number`, which finds out whether it is followed, is asked before it grows further.
def coarsest(xs: Sequence[Fraction]) -> Fraction: return reduce(lambda x, y: number(ZERO, ZERO, grid(x, y)).step, xs)
def plus(x: Domain, y: Domain) -> Domain: return number(x.low + y.low, x.high + y.high, grid(x.step, y.step))
def minus(x: Domain) -> Domain: return number(-x.high, -x.low, x.step)
def times(x: Domain, y: Domain) -> Domain:
    ends, (p, q) = [s * t for s in x[1:3] for t in y[1:3]], [abs(d.low) if d.low == d.high else d.step for d in (x, y)]
    return number(min(ends), max(ends), p * q if any(ends) else ONE)
def clip(x: Domain, low: Domain, high: Domain) -> Domain:
    need(low.low == low.high <= high.low == high.high, "expected constants, low <= high")
    step = grid(x.step, abs(low.low)) if x.low < low.low != 0 else x.step
    step = grid(step, abs(high.low)) if x.high > high.low != 0 else step
    return number(min(max(x.low, low.low), high.low), max(min(x.high, high.low), low.low), step)
def rounded(x: Domain, step: Domain) -> Domain:
    need(step.low == step.high > 0, "expected a positive constant as the step")
    return number(round(x.low / step.low) * step.low, round(x.high / step.low) * step.low, step.low)
def entry(x: Domain, place: Domain) -> Domain:
    need(place.low == place.high and whole(place.low) and 0 <= place.low < x.size, "no such entry")
    return x.each[0]
def each_rounded(x: Domain, step: Domain) -> Domain:
    need(x.each[0].kind == "number", "other entries than numbers")
    return Domain("vector", each=(rounded(x.each[0], step),), size=x.size)
ARITHMETIC: Dict[str, Tuple[int, Callable[..., Domain]]] = {
    "add": (2, plus), "subtract": (2, lambda x, y: plus(x, minus(y))), "negate": (1, minus), "multiply": (2, times),
    "clip": (3, clip), "round": (2, rounded)}
TRUTHS = "lt le gt ge equals differs isin between and or xor not starts_with contains is_null".split()
VECTORS: Dict[str, Callable[[Domain, Domain], Domain]] = {"entry": entry, "round": each_rounded}
OTHERS = ("divide floor_divide modulo abs minimum maximum when fill_null lower upper strip length year month day weekday "
          "days_since vector").split()  # functions of their operands too, whose values are not followed here
CASED: Dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "strip": str.strip}
def plainly(of: Domain) -> bool:
    """Whether its texts are ASCII: of others case and blanks are not followed, as not everybody has one table of them."""
    return all(text(value).isascii() for kind, value in of.values if kind == "text")
def numeric(of: Domain) -> Domain:
    """Categories that are numbers (and null), as numbers; of whole ones the step is 1."""
    known = [value for _, value in of.values if isinstance(value, Fraction)]
    spend(bulk(of.values))
    if not known or {kind for kind, _ in of.values} > {"number", "null"}:
        return of
    return number(min(known), max(known), ONE if all(map(whole, known)) else coarsest([*map(abs, known)]))
def cased(change: Callable[[str], str], inner: List[Domain]) -> Domain:
    found = tuple([(kind, change(text(value))) for kind, value in inner[0].values if kind == "text"])
    spend(3 * len(inner[0].values) + (sum([len(known) for _, known in found]) >> 7))
    others = [kind for kind, _ in inner[0].values if kind != "text"]
    if not found or len(inner) > 1 or {*others} > {"null"} or not plainly(inner[0]):
        return Domain("text")
    known = Domain("categories", values=found)
    return Domain("optional", each=(known,)) if others else known
def values(e: object, row: Domain) -> Domain:
    """A domain of what the expression gives on rows of a domain; `UNKNOWN` where an operation is not followed."""
    op = text(a(dict, e).get("op"))
    if op in CONSTANTS:
        kind, value = constant(e)
        if isinstance(value, Fraction):
            return number(value, value, ONE if value.denominator == 1 else abs(value))
        return TRUTH if kind == "truth" else Domain("categories", values=((kind, value),))
    need(op in ("row", "field", *TRUTHS, *ARITHMETIC, *VECTORS, *OTHERS), "unknown operation " + quoted(op))
    typed = " type" if op in ("field", "row") and "type" in a(dict, e) else ""
    given = record(e, "op " + {"field": "name", "row": ""}.get(op, "of") + typed)
    if op in ("row", "field"):
        need(op == "row" or given.name in row.fields, "no such field")
        return row if op == "row" else row.fields[given.name]
    operands = [at("of/%d" % i, values, each, row) for i, each in enumerate(given.of)]
    inner = [there(d) for d in operands]
    if op in CASED:
        return cased(CASED[op], inner)
    if op in OTHERS or (op not in TRUTHS and UNKNOWN in inner):
        return UNKNOWN
    null = ("null", None) in [value for d in inner if op in ARITHMETIC for value in d.values]
    missing = op != "is_null" and (null or inner != operands)
    inner = [numeric(d) for d in inner] if op in ARITHMETIC else inner
    kinds = [d.kind for d in inner]
    if op in VECTORS and kinds == ["vector", "number"]:
        found = VECTORS[op](*inner)
    else:
        need(op in TRUTHS or kinds == ["number"] * ARITHMETIC.get(op, (-1,))[0], "other operands than numbers, so many")
        found = TRUTH if op in TRUTHS else ARITHMETIC[op][1](*inner)
    return Domain("optional", each=(there(found),)) if missing else found
def follow(space: Space, e: object, *declared: Domain) -> Domain:
    """The domain of the values, which is that or part of what is declared."""
    found = values(e, space.domain.row)
    believed = found == UNKNOWN or (text(DICT(e)["op"]) in CASED and not all(plainly(there(each)) for each in declared))
    need(believed or any(holds(each, found) for each in declared), "values outside the domain declared for them")
    if believed:
        assume("its values stay in the domain declared for them: " + json.dumps(e, sort_keys=True),
               "the values of the row expression %s stay in: %s%swork it out" % (spelled(e), in_words(declared[-1]), RELY))
    return found

# ---- what can stand in a certificate: each name of a field is read in one way, wherever it stands ------------------------
def whole(x: Fraction) -> bool: return x.denominator == 1
def rationals(says: str, holds: Callable[[Fraction], object]) -> Callable[[object], Fraction]:
    def read(x: object) -> Fraction:
        need(holds(fraction(text(x))), "expected a number " + says)
        return fraction(text(x))
    return read
def from_whole(least: int) -> Callable[[object], Fraction]:
    return rationals("that is whole, from %d" % least, lambda x: x >= least and whole(x))
def different(read: Callable[[object], T], x: object) -> Tuple[T, ...]:
    need(len({*map(str, listed(read, x))}) == len(LIST(x)), "expected different ones, but one is there twice")
    return listed(read, x)
LEAST, POSITIVE = rationals("from 0", lambda x: x >= 0), rationals("above 0", lambda x: x > 0)
UNIT, ORDER = rationals("between 0 and 1", lambda x: 0 < x < 1), rationals("above 1", lambda x: x > 1)
NUMBER = rationals("", lambda x: True)
TABLE = partial(listed, partial(listed, LEAST))
DICT, LIST = partial(a, dict), partial(a, list)
CONSTANTS: Dict[str, Callable[[object], object]] = {
    "null": partial(a, type(None)), "truth": partial(a, bool), "text": text, "number": NUMBER, "date": text}
class Field(Generic[T]):
    def __init__(self, read: Callable[[object], T]) -> None: self.read = read
    def __get__(self, given: object, kind: object) -> T: raise AttributeError("a field that was not read")
class Given:
    """The fields that were read, under their names."""
    scale = threshold_scale = query_scale = sigma_squared = mu = d_in = Field(POSITIVE)
    column = epsilon = Field(LEAST)
    delta = slack = p = q = Field(UNIT)
    alpha, at_most = Field(ORDER), Field(partial(maybe, UNIT, ZERO))
    a, at_least, threshold = Field(from_whole(0)), Field(from_whole(2)), Field(rationals("that is whole", whole))
    limit = k = hits = b = reach = width = degree = Field(from_whole(1))
    size = rows = Field(partial(maybe, from_whole(1), ZERO))
    low, high = Field(partial(maybe, NUMBER, -UNBOUNDED)), Field(partial(maybe, NUMBER, UNBOUNDED))
    step, bound = Field(partial(maybe, POSITIVE, ZERO)), Field(partial(maybe, LEAST, UNBOUNDED))
    norm = Field(partial(maybe, partial(one_of, ["L1", "L2", "LInf"]), ""))
    first = last = Field(partial(maybe, text, ""))
    kind = op = name = type = person = rule = format = dpcore = code = neighbours = measure = Field(text)
    losses = joint = promised = Field(TABLE)
    budget = Field(partial(listed, LEAST))
    epsilons, alphas = Field(partial(listed, LEAST, most=10 ** 4)), Field(partial(listed, UNIT, most=10 ** 4))
    orders = Field(partial(listed, ORDER, most=10 ** 4))
    candidates, guess = Field(partial(different, NUMBER)), Field(partial(listed, NUMBER))
    keys = bins = answers = values = Field(partial(different, constant))
    touched = Field(partial(listed, partial(different, constant)))
    guesses = Field(partial(listed, partial(listed, from_whole(0))))
    domain, each, output, range = Field(domain), Field(lambda x: (domain(x),)), Field(lambda x: domain(x)), Field(ranged)
    fields = Field(lambda x: {name: at(name, domain, of) for name, of in a(dict, x).items()})
    within = source = target = metric = Field(metric)
    space, function, map = Field(lambda x: record(x, "domain metric")), Field(opaque), Field(opaque)
    by = condition = Field(partial(spoken, "expression function"))
    order, fill = Field(partial(spoken, "expression")), Field(partial(spoken, "expression record"))
    to, choices = Field(partial(spoken, "expression record function")), Field(partial(listed, opaque))
    expression = record = parameters = witness = loss = Field(DICT)
    premises, claims = Field(LIST), Field(partial(listed, lambda x: x, most=1000))
    of = queries = Field(partial(listed, lambda x: x))
    derivation = value = Field(lambda x: x)
    digest = Field(lambda x: one_of(re.findall("\\A[0-9a-f]{64}\\Z", text(x)), x))
    assumptions = attention = evidence = names = Field(lambda x: different(text, x) if x else tuple(LIST(x)))
READ: Dict[str, Callable[[object], object]] = {
    name: field.read for name, field in vars(Given).items() if isinstance(field, Field)}
# ---- transformations -----------------------------------------------------------------------------------------------------
def row_map(space: Space, its: Given) -> Domain:
    kind, to = its.to
    said: Dict[str, object] = DICT(to) if kind == "record" else {"": to}
    declared = its.domain.fields if kind == "record" else {"": its.domain}
    need(said.keys() == declared.keys() and (kind != "record" or its.domain.kind == "fields"), "other fields than declared")
    for name, of in declared.items() if kind != "function" else ():
        at("to/" + name, follow, space, said[name], of)
    for who in [way[1] for way in space.metrics if under("Person", way)]:
        owner = DICT(said.get(text(who), {})) if kind == "record" else {}
        need((owner.get("op"), owner.get("name")) == ("field", who), "the field that says whose row it is must be kept")
    return space.domain._replace(each=(its.domain,))
def same(space: Space, its: Given) -> Domain: return space.domain
def unsized(space: Space, its: Given) -> Domain: return space.domain._replace(size=ZERO)
def sized(space: Space, its: Given) -> Domain:
    need(0 < space.domain.size == vars(its).get("size", space.domain.size), "not the size of the data, or none is known")
    return space.domain
def enlarged(space: Space, its: Given) -> Domain:
    need(space.domain.kind == "rows" and its.rows == space.metrics[0][-1], "no rows, or not as many as the metric says")
    apart = "differ by at most %s d rows, for every d" % its.rows
    name, function = text(space.metrics[0][1]), a(Function, space.metrics[0][2])
    assume("data d apart in the user's metric " + apart,
           "data d apart in the metric %s (words of its author), which the function %s measures, %s%s"
           % (quoted(name), function.told, apart, RELY + "read the function"))
    return space.domain
def kept(space: Space, its: Given) -> Domain:
    need(("PersonDistance", its.person) in space.metrics, "bounds the rows of others than those whom the metric protects")
    return unsized(space, its)
def resized(space: Space, its: Given) -> Domain:
    kind, fill = its.fill
    said: Dict[str, object] = DICT(fill) if kind == "record" else {"": fill}
    declared = dict(space.domain.row.fields) if kind == "record" else {"": space.domain.row}
    need(its.size > 0 and said.keys() == declared.keys(), "expected a size, and a constant for every field")
    for name, of in declared.items():
        one_of([*CONSTANTS], DICT(said[name]).get("op"))
        at("fill/" + name, follow, space, said[name], of)
    return space.domain._replace(size=its.size)
def dropped(space: Space, its: Given) -> Domain:
    row, names = space.domain.row, {*its.names}
    spend(len(row.fields))
    fields = {name: there(of) if name in names else of for name, of in row.fields.items()}
    return unsized(space, its)._replace(each=(row._replace(fields=fields) if names else there(row),))
def new_rows(space: Space, its: Given) -> Domain: return Domain("rows", each=(its.domain,))
def counted(space: Space, its: Given) -> Domain: return number(ZERO, UNBOUNDED, ONE)
def by_degree(space: Space, its: Given) -> Domain: return vector(int(its.degree) + 1, ZERO)
def in_threes(space: Space, its: Given) -> Domain:
    need(sized(space, its).size > 1, "fewer than two nodes")
    return counted(space, its)
def tallied(space: Space, its: Given) -> Domain: return vector(len(its.bins), ZERO)
def one_bin(space: Space, its: Given) -> Domain:
    need(len(its.bins) == 1, "more than one bin")
    return tallied(space, its)
def partition(space: Space, its: Given) -> Domain:
    need("keys" in vars(its) or its.by[0] == "expression", "a function is kept with a list of keys")
    return Domain("parts", each=space.domain.each, values=vars(its).get("keys") or its.range)
def summed(space: Space, its: Given) -> Domain:
    row = space.domain.row
    inside = row.kind == "number" and row.step and its.low <= row.low and row.high <= its.high
    need(inside, "expected rows on a grid, from low to high")
    return number(-UNBOUNDED, UNBOUNDED, row.step)
def entries(space: Space, its: Given) -> Domain:
    need(space.domain.row.kind == "vector" and space.domain.row.each[0].step, "expected rows that are vectors on a grid")
    need(vars(its).get("size", space.domain.row.size) == space.domain.row.size, "another size than that of the rows")
    return space.domain.row.each[0]
def vector_sum(space: Space, its: Given) -> Domain: return vector(its.size, -UNBOUNDED, entries(space, its).step)
def clipped(space: Space, its: Given) -> Domain:
    _, low, high, step = entries(space, its)[:4]
    around = vector(space.domain.row.size, min(ZERO, low), step, max(ZERO, high))
    need(its.domain == around._replace(norm=its.norm, bound=its.bound), "not the domain of the clipped vectors")
    return space.domain._replace(each=(its.domain,))
def unit_queries(space: Space, its: Given) -> Domain:
    found = [at("queries/%d" % i, follow, space, each, TRUTH, number(ZERO, ONE)) for i, each in enumerate(its.queries)]
    return vector(len(found), ZERO, coarsest([ONE if x == TRUTH else x.step for x in found]))
def linear_queries(space: Space, its: Given) -> Domain:
    found = unit_queries(space, its)  # which reads them: what is told of them below is of expressions
    if its.column < len(its.queries):
        step, few = words(space.metrics[0]).partition(";")[0], "by at most %s in all" % its.column
        assume("%s moves the answers to its linear queries %s" % (step, few),
               "%s moves the answers to these linear queries %s: %s%s"
               % (step, few, some(its.queries, spelled, "; "), RELY + "work it out"))
    return found
def errors(space: Space, its: Given) -> Domain:
    alone = under("Absolute", space.metrics[0])
    of, many = (space.domain, ONE) if alone else (space.domain.row, space.domain.size)
    fit = (alone or space.domain.kind == "vector") and of.kind == "number" and of.step and many == len(its.guess)
    need(fit and all((c / of.step).denominator == 1 for c in its.guess), "expected a guess on the grid of each entry")
    return number(ZERO, UNBOUNDED, of.step) if alone else vector(len(its.guess), ZERO, of.step)
def marginal_errors(space: Space, its: Given) -> Domain:
    need(len(its.queries) == len(its.guesses), "expected a guess for each marginal")
    for i, each in enumerate(its.queries):
        at("queries/%d" % i, values, each, space.domain.row)
    return vector(len(its.queries), ZERO)
def quantiles(space: Space, its: Given) -> Domain:
    need(space.domain.row.kind == "number" and its.a <= its.b, "expected rows of numbers, and a <= b")
    return vector(len(its.candidates), -UNBOUNDED, high=ZERO)

Losing = Callable[..., Union[Fraction, Figures]]  # the figures at d; of a curve, at a point of it; one, or several
def once(d: Fraction, its: Given) -> Fraction: return d
def twice(d: Fraction, its: Given) -> Fraction: return 2 * d
def half(d: Fraction, its: Given) -> Fraction: return d / 2
def squared(d: Fraction, its: Given) -> Fraction: return d * d
Leaf = Tuple[str, Union[str, Tuple[Metric, ...]], str, Callable[[Space, Given], Domain], Losing]
# Moved: of rows that a filter left of replaced ones, d apart, at most d/2 leave and at most d/2 enter. No input is so.
S, C, P = "Symmetric", "ChangeOne", "Person"
# rule: metrics in, metrics out (none: the same), parameters, what comes out, and how far apart it can be at d
TRANSFORMATIONS: Dict[str, Leaf] = {
    "row_map": ("Symmetric ChangeOne Person", (), "to domain", row_map, once),
    "filter_symmetric": (S, (), "condition", unsized, once), "filter_person": (P, (), "condition", unsized, once),
    "filter_change_one": (C, (ROWS, MOVED), "condition", unsized, twice),
    "drop_nulls_symmetric": (S, (), "names", dropped, once), "drop_nulls_person": (P, (), "names", dropped, once),
    "drop_nulls_change_one": (C, (ROWS, MOVED), "names", dropped, twice),
    "flat_map_symmetric": (S, (ROWS,), "function domain limit", new_rows, lambda d, its: its.limit * d),
    "bound_contributions_person": (P, (ROWS,), "person limit", kept, lambda d, its: its.limit * d),
    "bound_contributions_fair_person": (P, (ROWS,), "person limit", kept, lambda d, its: its.limit * d),
    "bound_contributions_first_by_person": (P, (ROWS,), "person order limit", kept, lambda d, its: its.limit * d),
    "resize_symmetric": (S, (CHANGED,), "size fill", resized, once), "count_symmetric": (S, (ABSOLUTE,), "", counted, once),
    "count_change_one": (C, (ABSOLUTE,), "", counted, lambda d, its: ZERO),
    "count_filtered": ("Moved", (ABSOLUTE,), "", counted, half),
    "sum_symmetric": (S, (ABSOLUTE,), "low high", summed, lambda d, its: d * max(abs(its.low), abs(its.high))),
    "sum_change_one": (C, (ABSOLUTE,), "low high", summed, lambda d, its: d * (its.high - its.low)),
    "sum_filtered": ("Moved", (ABSOLUTE,), "low high", summed,
                     lambda d, its: d / 2 * max(its.high - its.low, abs(its.low), abs(its.high))),
    "vector_sum_symmetric": (S, (L1, LINF), "bound size", vector_sum, lambda d, its: d * its.bound),
    "vector_sum_change_one": (C, (L1, LINF), "bound size", vector_sum, lambda d, its: 2 * d * its.bound),
    "vector_sum_l2_symmetric": (S, (L2,), "bound size", vector_sum, lambda d, its: d * d * its.bound),
    "vector_sum_l2_change_one": (C, (L2,), "bound size", vector_sum, lambda d, its: 4 * d * d * its.bound),
    "clip_norm_rows": ("Symmetric ChangeOne", (), "bound norm domain", clipped, once),
    "histogram_symmetric": (S, (L1, LINF, RANGE), "by bins", tallied, once),
    "histogram_l1_change_one": (C, (L1, RANGE), "by bins", tallied, twice),
    "histogram_linf_change_one": (C, (LINF,), "by bins", tallied, once),
    "histogram_l2_symmetric": (S, (L2,), "by bins", tallied, squared),
    "histogram_l2_change_one": (C, (L2,), "by bins", tallied, lambda d, its: 2 * d * d),
    "histogram_one_bin_change_one": (C, (L1, LINF, RANGE), "by bins", one_bin, once),
    "histogram_one_bin_l2_change_one": (C, (L2,), "by bins", one_bin, squared),
    "histogram_linf_filtered": ("Moved", (LINF,), "by bins", tallied, half),
    "histogram_l2_filtered": ("Moved", (L2,), "by bins", tallied, lambda d, its: d * d / 2),
    "histogram_one_bin_filtered": ("Moved", (L1, LINF, RANGE), "by bins", one_bin, half),
    "histogram_one_bin_l2_filtered": ("Moved", (L2,), "by bins", one_bin, lambda d, its: d * d / 4),
    "linear_queries_symmetric": (S, (L1,), "queries column", linear_queries, lambda d, its: its.column * d),
    "linear_queries_change_one": (C, (L1,), "queries column", linear_queries, lambda d, its: its.column * d),
    "linear_queries_linf_symmetric": (S, (LINF,), "queries", unit_queries, once),
    "linear_queries_linf_change_one": (C, (LINF,), "queries", unit_queries, once),
    "absolute_errors": ("Absolute L1 L2 LInf", (), "guess", errors, once),
    "marginal_errors_symmetric": (S, (LINF,), "queries guesses", marginal_errors, once),
    "quantile_scores_symmetric": (S, (LINF,), "candidates a b", quantiles, lambda d, its: d * max(its.a, its.b - its.a)),
    "quantile_scores_change_one": (C, (LINF,), "candidates a b", quantiles, lambda d, its: d * its.b),
    "quantile_scores_filtered": ("Moved", (LINF,), "candidates a b", quantiles, lambda d, its: d / 2 * its.b),
    "partition_symmetric": (S, (("PartDistance", ROWS),), "by keys", partition, once),
    "partition_change_one": (C, (("PartDistance", CHANGED),), "by keys", partition, once),
    "partition_range_symmetric": (S, (("PartDistance", ROWS),), "by range", partition, once),
    "partition_range_change_one": (C, (("PartDistance", CHANGED),), "by range", partition, once),
    "change_one_to_symmetric": (C, (ROWS, MOVED), "", same, twice),
    "symmetric_to_change_one": (S, (CHANGED,), "", sized, lambda d, its: Fraction(d // 2)),
    "l1_to_l2": ("L1", (L2,), "", same, squared), "l2_to_linf": ("L2", (LINF,), "", same, lambda d, its: root(d)),
    "l1_to_linf": ("L1", (LINF,), "", same, once), "l1_to_range": ("L1", (RANGE,), "", same, once),
    "range_to_linf": ("Range", (LINF,), "", same, once), "linf_to_range": ("LInf", (RANGE,), "", same, twice),
    "l2_to_l1": ("L2", (L1,), "size", sized, lambda d, its: root(its.size * d)),
    "linf_to_l1": ("LInf", (L1,), "size", sized, lambda d, its: its.size * d),
    "linf_to_l2": ("LInf", (L2,), "size", sized, lambda d, its: its.size * d * d),
    "edge_to_node": ("Edge", (NODE,), "", same, once),
    "node_to_edge": ("Node", (EDGE,), "size", sized, lambda d, its: (its.size - 1) * d),
    "edge_count_edge": ("Edge", (ABSOLUTE,), "degree", counted, once),
    "edge_count_node": ("Node", (ABSOLUTE,), "degree", counted, lambda d, its: its.degree * d),
    "degree_histogram_edge": ("Edge", (L1,), "degree", by_degree, lambda d, its: 4 * d),
    "degree_histogram_node": ("Node", (L1,), "degree", by_degree, lambda d, its: 4 * its.degree * d),
    "triangles_edge": ("Edge", (ABSOLUTE,), "size", in_threes, lambda d, its: (its.size - 2) * d),
    "granularity_to_symmetric": ("Granularity PathGranularity", (ROWS,), "rows", enlarged, lambda d, its: its.rows * d)}

# ---- measurements --------------------------------------------------------------------------------------------------------
MEASURES = {"pure": "epsilon", "approx": "epsilon delta", "zcdp": "rho", "renyi": "points", "gaussian": "mu",
            "total_variation": "delta", "profile": "points", "tradeoff": "points", "approximate_zcdp": "rho delta"}
def noisy(space: Space, its: Given) -> Domain:
    of, step = space.domain.row if space.domain.kind == "vector" else space.domain, vars(its).get("step", ONE)
    need(of.step and (of.step / step).denominator == 1, "the values do not lie on the grid of the noise")
    return space.domain
def answered(space: Space, its: Given) -> Domain:
    of = {"booleans": (("truth", False), ("truth", True)), "categories": space.domain.values}.get(space.domain.kind, (0,))
    need({*map(str, of)} <= {*map(str, its.answers)} and len(its.answers) == its.k >= 2, "not all answers that can be given")
    return space.domain
def rather_true(space: Space, its: Given) -> Domain:
    need(its.p * its.k >= 1, "p < 1/k, of k answers")
    return answered(space, its)
def one_of_two(space: Space, its: Given) -> Domain:
    need(2 * its.p >= 1, "p < 1/2")
    return answered(space, its)
def encoded(space: Space, its: Given) -> Domain:
    need(its.q < its.p, "expected q < p")
    return answered(space, its)
def threshold_release(d: Fraction, its: Given) -> Figures:
    tail = exp((1 - its.at_least) / its.scale)[1] / (1 + exp(-1 / its.scale)[0])  # P(1 + noise >= at_least)
    return grouped("approx", d, 1 / its.scale, tail)
def gaussian_profile(d: Fraction, its: Given, x: Fraction) -> Fraction:
    k, v = Fraction(d // its.step), its.sigma_squared / (its.step * its.step)
    return noise_between(k, v, x) if k else ZERO
@remembered
def noise_between(k: Fraction, v: Fraction, x: Fraction) -> Fraction:
    """`P(Z > eps v/d - d/2) - e^eps P(Z > eps v/d + d/2)`, d and v = sigma^2 counted in steps.

    Who sums term by term takes those from the first to the second, and beyond it, or from 0, while they are large enough."""
    def above(y: Fraction) -> Tuple[Fraction, Fraction]: return discrete(floor(y) + 1, v)
    far, widths = ceil(max(ZERO, x * v / k + k / 2)), isqrt(ceil(v)) + 1
    beyond = far if v >= 4096 and far < 4 * widths else min(16 * widths, 90 * ceil(k / x) if x else 16 * widths)
    spend(0, 100 + min(ceil(k), 32 * widths) + beyond)  # a hundred for what is worked out at each point whatever is summed
    return max(ZERO, above(x * v / k - k / 2)[1] - exp(x)[0] * above(x * v / k + k / 2)[0])
GRID, SPARSE, SUMS, TV = "sigma_squared step", "threshold threshold_scale query_scale hits", "Absolute L1", "total_variation"
# rule: metrics, measure, parameters, what they need, and the loss at d (of a curve: and at a point of it)
MEASUREMENTS: Dict[str, Leaf] = {
    "laplace": (SUMS, "pure", "scale step", noisy, lambda d, its: d / its.scale),
    "gaussian": ("Absolute", "zcdp", GRID, noisy, lambda d, its: d * d / (2 * its.sigma_squared)),
    "gaussian_vector": ("L2", "zcdp", GRID, noisy, lambda d, its: d / (2 * its.sigma_squared)),
    "gaussian_profile": ("Absolute", "profile", GRID, noisy, gaussian_profile),
    "randomized_response": ("Discrete", "pure", "answers k p", rather_true,
                            lambda d, its: min(d, ONE) * log(its.p * (its.k - 1) / (1 - its.p))),
    "unary_encoding": ("Discrete", "pure", "answers k p q", encoded,
                       lambda d, its: min(d, ONE) * log(its.p * (1 - its.q) / (its.q * (1 - its.p)))),
    "hadamard_response": ("Discrete", "pure", "answers k p", one_of_two,
                          lambda d, its: min(d, ONE) * log(its.p / (1 - its.p))),
    "permute_and_flip_linf": ("LInf", "pure", "scale", same, lambda d, its: 2 * d / its.scale),
    "permute_and_flip_range": ("Range", "pure", "scale", same, lambda d, its: d / its.scale),
    "exponential_linf": ("LInf", "zcdp", "scale", same, lambda d, its: (2 * d / its.scale) ** 2 / 8),
    "exponential_range": ("Range", "zcdp", "scale", same, lambda d, its: (d / its.scale) ** 2 / 8),
    "exponential_pure_linf": ("LInf", "pure", "scale", same, lambda d, its: 2 * d / its.scale),
    "exponential_pure_range": ("Range", "pure", "scale", same, lambda d, its: d / its.scale),
    "above_threshold_linf": ("LInf", "pure", SPARSE, noisy,
                             lambda d, its: d / its.threshold_scale + 2 * its.hits * d / its.query_scale),
    "above_threshold_range": ("Range", "pure", SPARSE, noisy,
                              lambda d, its: d / its.threshold_scale + its.hits * d / its.query_scale),
    "threshold_release": (S, "approx", "by scale at_least", same, threshold_release),
    "name_and_shame": (C, "total_variation", "delta", same, lambda d, its: d * its.delta),
    "random_row": (C, "approx", "size", sized, lambda d, its: (ZERO, d / its.size)),
    "uniform_noise": (SUMS, TV, "reach step", noisy, lambda d, its: min(ONE, d / (its.step * (2 * its.reach + 1)))),
    "random_rounding": (SUMS, TV, "width step", noisy, lambda d, its: min(ONE, d / (its.step * its.width)))}

# ---- conversions: from one measure to another ----------------------------------------------------------------------------
Curve = Callable[[Fraction], Fraction]
def mixed(epsilon: Fraction, delta: Fraction, x: Fraction) -> Fraction:
    """delta at x of: with probability delta tell all, else randomized response, `(e^eps - e^x)/(1 + e^eps)`."""
    gap = max(ZERO, 1 - (1 + exp(x)[0]) / (1 + exp(epsilon)[1])) if x < epsilon else ZERO
    return min(ONE, delta) + max(ZERO, 1 - delta) * gap
def lines(epsilon: Fraction, delta: Fraction, alpha: Fraction) -> Fraction:
    """`max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha))`, from below."""
    spend(10)
    return max(ZERO, 1 - delta - exp(epsilon)[1] * alpha, (1 - delta - alpha) / exp(epsilon)[1])
def order(its: Given, curve: Curve, delta: Fraction = ZERO) -> Figures:
    """`eps(alpha) + log((alpha-1)/alpha) - (log delta + log alpha)/(alpha-1)`; a delta that there was before is added."""
    more = its.slack if "slack" in vars(its) else its.delta
    beyond = log((its.alpha - 1) / its.alpha) + log(1 / (more * its.alpha)) / (its.alpha - 1)
    return max(ZERO, curve(its.alpha) + beyond), delta + more
def below(its: Given, curve: Curve) -> Figures:
    delta = curve(its.epsilon)
    need(not its.at_most or delta <= its.at_most, "delta at the witness epsilon is more than was asked for")
    return its.epsilon, its.at_most or delta
def normal_curve(square: Fraction, x: Fraction) -> Fraction:
    """`Phi(mu/2 - x/mu) - e^x Phi(-mu/2 - x/mu)`, which rises with mu."""
    mu = root(square)
    return max(ZERO, normal(x / mu - mu / 2)[1] - exp(x)[0] * normal(x / mu + mu / 2)[0]) if mu else ZERO
def enough(its: Given, e: Fraction) -> Fraction:
    """mu squared: beta is convex and falls from 1 to 0; it is below e's two lines if at alpha = beta = Phi(-mu/2)."""
    below_both = not e or normal(its.mu / 2)[1] <= 1 / (1 + exp(e)[1])
    need(below_both, "the Gaussian curve of the witness mu is not below both lines")
    return its.mu * its.mu if e else e
def of_orders(its: Given, rho: Fraction, x: Fraction) -> Fraction:
    """`exp((alpha-1)(alpha rho - x) + alpha log(1 - 1/alpha))/(alpha-1)`, at each order; the least of them, and of 1."""
    spend(0, 8 * len(its.orders))
    at_each = [exp((a - 1) * (a * rho - x) + a * log((a - 1) / a))[1] / (a - 1) for a in its.orders] if rho else [ZERO]
    return min([ONE, *at_each])
def dual(its: Given, curve: Curve, alpha: Fraction) -> Fraction:
    """`sup of the lines of (eps, delta(eps))`: from below, the highest of some."""
    return max([lines(e, curve(e), alpha) for e in its.epsilons])
def covered(its: Given, curve: Curve, x: Fraction) -> Fraction:
    """`sup over alpha of 1 - beta(alpha) - e^x alpha`: for a < alpha < b at most `1 - beta(b) - e^x a`."""
    need(list(its.alphas) == sorted(its.alphas), "expected rising alphas")
    spend(10 * len(its.alphas))
    return max([ZERO, *(1 - curve(b) - exp(x)[0] * a for a, b in zip((ZERO, *its.alphas), (*its.alphas, ONE)))])
CONVERSIONS: Dict[str, Tuple[str, str, str, Losing]] = {  # to, parameters, witness, and the loss from the loss
    "pure_to_approx": ("approx", "", "", lambda its, e: (e, ZERO)),
    "pure_to_zcdp": ("zcdp", "", "", lambda its, e: e * e / 2), "pure_to_gaussian": ("gaussian", "", "mu", enough),
    "pure_to_renyi": ("renyi", "", "", lambda its, e, alpha: min(e, alpha * e * e / 2)),
    "pure_to_total_variation": ("total_variation", "", "", lambda its, e: mixed(e, ZERO, ZERO)),
    "pure_to_profile": ("profile", "", "", lambda its, e, x: mixed(e, ZERO, x)),
    "pure_to_tradeoff": ("tradeoff", "", "", lambda its, e, alpha: lines(e, ZERO, alpha)),
    "approx_to_total_variation": ("total_variation", "", "", lambda its, e, delta: mixed(e, delta, ZERO)),
    "approx_to_profile": ("profile", "", "", lambda its, e, delta, x: mixed(e, delta, x)),
    "approx_to_tradeoff": ("tradeoff", "", "", lambda its, e, delta, alpha: lines(e, delta, alpha)),
    "total_variation_to_approx": ("approx", "", "", lambda its, delta: (ZERO, delta)),
    "total_variation_to_profile": ("profile", "", "", lambda its, delta, x: delta),
    "total_variation_to_tradeoff": ("tradeoff", "", "", lambda its, delta, alpha: max(ZERO, 1 - delta - alpha)),
    "zcdp_to_renyi": ("renyi", "", "", lambda its, rho, alpha: rho * alpha),
    "zcdp_to_profile": ("profile", "", "orders", of_orders),
    "zcdp_to_approx": ("approx", "delta", "", lambda its, rho: (rho + 2 * root(rho * log(1 / its.delta)), its.delta)),
    "zcdp_to_approx_tight": ("approx", "delta", "alpha", lambda its, rho: order(its, lambda alpha: rho * alpha)),
    "renyi_to_approx": ("approx", "delta", "alpha", order),
    "pure_to_approximate_zcdp": ("approximate_zcdp", "", "", lambda its, e: (e * e / 2, ZERO)),
    "approx_to_approximate_zcdp": ("approximate_zcdp", "", "", lambda its, e, delta: (e * e / 2, delta)),
    "zcdp_to_approximate_zcdp": ("approximate_zcdp", "", "", lambda its, rho: (rho, ZERO)),
    "approximate_zcdp_to_profile": ("profile", "", "orders", lambda its, rho, delta, x: delta + of_orders(its, rho, x)),
    "approximate_zcdp_to_approx": ("approx", "slack", "alpha", lambda its, rho, delta: order(its, lambda a: rho * a, delta)),
    "gaussian_to_zcdp": ("zcdp", "", "", lambda its, square: square / 2),
    "gaussian_to_renyi": ("renyi", "", "", lambda its, square, alpha: alpha * square / 2),
    "gaussian_to_profile": ("profile", "", "", lambda its, square, x: normal_curve(square, x)),
    "gaussian_to_tradeoff": ("tradeoff", "", "epsilons", lambda its, mu, alpha: dual(its, partial(normal_curve, mu), alpha)),
    "profile_to_tradeoff": ("tradeoff", "", "epsilons", dual), "tradeoff_to_profile": ("profile", "", "alphas", covered),
    "profile_to_approx": ("approx", "at_most", "epsilon", below),
    "profile_to_total_variation": ("total_variation", "", "", lambda its, curve: curve(ZERO))}

# ---- the tree: a node is a rule, its parameters, its premises, and witnesses of what the rule asks for -------------------
WRITTEN = "rule parameters premises witness"
Value = Callable[[Fraction, Fraction], Figures]
class Arrow(NamedTuple):
    """Of a transformation, where its outputs lie, and how far apart; of a measurement, its measure, and what is lost.

    `value(d, x)` has the figures for inputs d apart; of a loss that is a curve, the one at x, which else is idle."""
    measure: str  # empty for a transformation
    space: Space
    value: Value
def curved(measure: str) -> bool: return MEASURES.get(measure) == "points"
def figures(measure: str, x: Fraction, loss: Losing, *given: object) -> Figures:
    spend(5)
    found = loss(*given, x) if curved(measure) else loss(*given)
    several = found if isinstance(found, tuple) else (found,)
    return several if measure == "tradeoff" else tuple([short(each) for each in several])  # that curve is one from below
def judged(x: object, space: Space) -> Arrow:
    node = record(x, WRITTEN)
    need(node.rule in RULES, "unknown rule " + quoted(node.rule))
    NOTES.add(("rule", node.rule))
    return RULES[node.rule](node, space)
def premise(i: int, node: Given, space: Space, measure: str = "") -> Arrow:
    found = at("premises/%d" % i, judged, node.premises[i], space)
    need(measure in ("", found.measure), "expected premises in the measure " + measure)
    return found
def premises(node: Given, space: Space, measure: str) -> List[Value]:
    need(node.premises, "expected premises")
    return [premise(i, node, space, measure).value for i in range(len(node.premises))]
RELY = "; whoever relies on this must "
ANSWERS = "answers of one row at a time, and always alike"
DOES = {"by": ANSWERS, "condition": ANSWERS,
        "to": "makes of each row, by itself and always alike, one of: ",
        "flat_map_symmetric": "makes of each row, by itself and always alike, some of: ",
        "post_process": "is given what was released, and nothing else of the data",
        "choices": "chooses the next stage by what was released before, and by nothing else of the data",
        "claimed_transformation": "", "claimed_measurement": ""}  # what is promised of these is said beside
def beside(node: Given, space: Space, names: str, witness: str = "", many: int = -1) -> Given:
    """What stands in a node. Functions of the user's own among it are assumed, and expressions fit the rows."""
    need(many in (-1, len(node.premises)), "expected one premise" if many == 1 else "expected no premises")
    its = at("parameters", record, node.parameters, names)
    null = {name for name, each in node.parameters.items() if each is None}
    need(null <= {"at_most"}, "null where a parameter belongs")
    vars(its).update(vars(at("witness", record, node.witness, witness)))
    for name in sorted({"by", "condition", "order", "to", "function", "choices"} & vars(its).keys()):
        said = vars(its)[name]
        for function in [each for each in ([said] if name == "function" else said) if isinstance(each, Function)]:
            makes = node.rule == "flat_map_symmetric" or name == "to"
            filed = "%s: %s%s" % (node.rule, function.filed, ", whose values stay in the domain declared" * makes)
            does = DOES[node.rule if name == "function" else name] + (in_words(its.domain) if makes else "")
            assume(filed, "%s: the function %s %s%sread the function" % (node.rule, function.told, does, RELY) * bool(does))
        if name in ("by", "condition", "order") and said[0] == "expression":
            at("parameters/" + name, values, said[1], space.domain.row)
    return its
def leaf(node: Given, space: Space) -> Arrow:
    metrics, to, names, fits, value = LEAVES[node.rule]
    need(under(metrics, *space.metrics) and not node.premises, "the rule does not hold under this metric, or has premises")
    its = beside(node, space, names)
    made, (measure, ways) = at("parameters", fits, space, its), (to, ()) if isinstance(to, str) else ("", to)
    if fits is vector_sum:  # a bound on the L1 norm bounds the LInf norm too, not the other way
        ways = tuple([way for way in ways if length(space.domain.row, plain(way)) <= its.bound])
        need(ways, "rows can be longer than the bound")
    return Arrow(measure, Space(made, ways or space.metrics), lambda d, x: figures(measure, x, value, d, its))
def chain(node: Given, space: Space) -> Arrow:
    links, measure = [], ""
    beside(node, space, "")
    for i in range(len(node.premises)):
        need(not measure, "premises/%d comes after a measurement" % i)
        measure, space, value = premise(i, node, space)
        links.append(value)
    def one_after_another(d: Fraction, x: Fraction) -> Figures:
        spend(1 + len(links))
        return reduce(lambda at_d, value: value(at_d[0], x), links, (d,))
    return Arrow(measure, space, one_after_another)
def post_processed(node: Given, space: Space) -> Arrow:
    beside(node, space, "function", many=1)
    found = premise(0, node, space)
    need(found.measure, "expected a measurement")
    return found
def converted(node: Given, space: Space) -> Arrow:
    (to, names, witness, convert), source = CONVERSIONS[node.rule], node.rule.split("_to_")[0]
    its, inner = beside(node, space, names, witness, 1), premise(0, node, space, source).value
    @remembered  # so that curves of curves take no exponential time
    def value(d: Fraction, x: Fraction) -> Figures:
        loss = [lambda y: inner(d, y)[0]] if curved(source) else inner(d, ZERO)
        return figures(to, x, convert, its, *loss)
    return Arrow(to, space, value)
def claimed(node: Given, space: Space) -> Arrow:
    """What a user promises of a function: at these distances at most this. So it is at every smaller distance."""
    is_measured = node.rule == "claimed_measurement"
    its = beside(node, space, "function map source " + ("measure" if is_measured else "output target"), "promised", 0)
    need(its.source in space.metrics, "it was promised under another metric")
    need(is_measured or measures(its.target, its.output), "the metric does not measure the domain")
    measure = one_of([*MEASURES], its.measure) if is_measured else ""
    is_curve, best = is_measured and curved(measure), max if measure == "tradeoff" else min
    size = 3 if is_curve else 1 + len(MEASURES.get(measure, "distance").split())
    need({len(each) for each in its.promised} == {size}, "another number of figures than promised things have")
    possible = measure != "tradeoff" or all(alpha + beta <= 1 for _, alpha, beta in its.promised)
    need(possible, "no trade-off curve lies above 1 - alpha")
    NOTES.add(("curve", measure))
    most = " is 0 at d = 0, also to rows in another order, else at most (d, figures; L2 and mu as squares): "
    def promise(function: str, by: str, apart: str, of: str) -> str:
        which = "%s: %s by %s: between data d apart (1 apart is: %s) " % (node.rule, function, by, apart)
        return which + of + most + listing(its.promised)
    loss = "the loss in " + measure
    outputs = "how far apart (%s) its values are, all in the domain declared,"
    made = "how far apart (1 apart is: %s) its values are, each one of: %s,"
    whole = made % (told(its.target), in_words(its.output)) if not is_measured else loss
    briefly = loss if is_measured else outputs % words(its.target)
    assume(promise(its.function.filed, its.map.filed, words(its.source), briefly),
           promise("the function " + its.function.told, "the map " + its.map.told, told(its.source), whole)
           + RELY + "prove it of the function")
    def value(d: Fraction, x: Fraction) -> Figures:
        spend(len(its.promised))
        known = [figures for far, *figures in its.promised if far >= d and (not is_curve or figures[0] == x)]
        need(known, "nothing is promised at %s" % brief(d))
        return tuple(best(known))[is_curve:]  # one promise as it stands, for two may not hold together
    return Arrow(measure, space if is_measured else Space(its.output, (its.target,)), value)
def combined(node: Given, space: Space) -> Arrow:
    combine, measure, names, result = COMBINATORS[node.rule]
    its = beside(node, space, names)
    need(vars(its).get("source", space.metrics[0]) in space.metrics, "it was declared under another metric")
    return Arrow(result, space, combine(measure, node, space, its))

# ---- combinators: of premises in one measure, the loss in that measure ---------------------------------------------------
def together(measure: str, losses: Sequence[Figures]) -> Figures:
    """The loss of all releases: figures add up, as do Renyi divergences of one order."""
    spend(10)
    need(measure not in ("profile", "tradeoff") or len(losses) == 1, "such curves do not add up")
    return tuple([total(each) for each in zip(*losses)])
def worst(losses: Sequence[Figures], many: int = 1) -> Figures:
    """A loss that no so many of them exceed together."""
    return tuple([sum(sorted(each)[-many:], ZERO) for each in zip(*losses)])
def geometric(e: Fraction, k: Fraction) -> Fraction:
    """`1 + e^e + ... + e^((k-1) e)`"""
    return (exp(k * e)[1] - 1) / (exp(e)[0] - 1) if e and k != 1 else k
def grouped(measure: str, k: Fraction, first: Fraction, *delta: Fraction) -> Figures:
    """The loss at distance k, from that at distance 1."""
    need(measure not in ALONE.split() or k in (0, 1), "of losses in it at distance 1 nothing follows for larger distances")
    return (first * k ** (2 if measure in ("zcdp", "gaussian") else 1), *(each * geometric(first, k) for each in delta))
def lifted(measure: str, loss: Callable[[Fraction], Figures], kept: bool = False) -> Value:
    """The loss at any distance, from that at distance 1 (of a curve: at points of it), which is found out once.

    Elsewhere no line of one step is known in the next; nor are the sums, unless they are kept: those below a conversion."""
    at_one = remembered(loss)
    def curve(k: Fraction, x: Fraction) -> Figures:
        if measure == "profile":
            return (at_one(x / k)[0] * geometric(x / k, k) if k else ZERO,)
        n = floor(k)
        need(n <= 1000, "more steps of a curve than are followed")
        if measure == "renyi":
            return (total([ZERO, *(n * x / y * at_one(y)[0] for y in [n * x - n + i for i in range(1, n + 1)])]),)
        (before, terms), first, found = SPENT, 0, x
        for _ in range(n):
            found = 1 + short(min(ZERO, -at_one(found)[0]), 1 << 12)  # detected, then allowed
            first = first or SPENT[0] - before
        lines = SPENT[0] - before - (SPENT[1] - terms)
        spend(6 * lines + (0 if kept else n * first) if ELSEWHERE else 0)
        return (1 - found,)
    return curve if curved(measure) else lambda k, x: grouped(measure, k, *at_one(x))
def steps(space: Space) -> Space:
    """The same data in any number: only then, and in a metric that is whole, are distances made of steps of 1."""
    need(under(WHOLE, *space.metrics), "the metric does not count steps of 1")
    ways = tuple([way for way in space.metrics if way != MOVED])
    return space if ways == (CHANGED,) else Space(space.domain._replace(size=ZERO), ways)
def compose(measure: str, node: Given, space: Space, its: Given) -> Value:
    parts = premises(node, space, measure)
    return lambda d, x: together(measure, [part(d, x) for part in parts])
def group(measure: str, node: Given, space: Space, its: Given) -> Value:
    need(len(node.premises) == 1, "expected one premise")
    found = premise(0, node, steps(space), measure)
    return lifted(measure, partial(found.value, ONE), record(node.premises[0], WRITTEN).rule in CONVERSIONS)
def locally(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Each row alone, the reports in an order drawn fairly: of d rows replaced d reports change."""
    need(len(node.premises) == 1 and space.metrics == (CHANGED,), "expected one premise, and rows that are replaced")
    return lifted(measure, partial(premise(0, node, Space(space.domain.row, (DISCRETE,)), measure).value, ONE))
def shuffled(measure: str, node: Given, space: Space, its: Given) -> Value:
    """n reports hide each other; a loss of at most that of each report, which holds without delta."""
    alone, n = locally(measure, node, space, its), its.size
    need(0 < n == space.domain.size, "not the size of the data, or none is known")
    def of_step(x: Fraction) -> Figures:
        e, = alone(ONE, x)
        odds = exp(e)[1]
        need(16 * odds * log(2 / its.delta) <= n, "fewer reports than the theorem asks for")
        return min(e, log(1 + (odds - 1) / (odds + 1) * (8 * root(odds * log(4 / its.delta) / n) + 8 * odds / n))), its.delta
    return lifted("approx", of_step)
def parallel(within: Metric, measure: str, node: Given, space: Space, its: Given) -> Value:
    """Each row more or less touches one part. A row replaced changes within one (the second half of the premises), or
    leaves one and may enter another (the first half, in which each part is private when a row is added or removed). Where
    no keys are written, all parts have the same measurement, and two of them lose twice what it does."""
    keys, replaced, rows = vars(its).get("keys"), within == CHANGED, Domain("rows", each=space.domain.each)
    n, here = len(keys or [ROWS]), (("PartDistance", within),)
    need(space.metrics == here and keys in (None, space.domain.values), "expected parts of these keys")
    need(len(node.premises) == (2 * n if replaced else n), "another number of premises than of keys")
    parts = [premise(i, node, Space(rows, (ROWS,)), measure).value for i in range(n)]
    changed = [premise(i, node, Space(rows, (CHANGED,)), measure).value for i in range(n, len(node.premises))]
    for i in range(len(changed)):
        need(alike(node.premises[i], node.premises[n + i]), "premises %d and %d do not run alike" % (i, n + i))
    return lifted(measure, lambda x: worst([
        worst([p(ONE, x) for p in parts] * (2 - bool(keys)), 2 if replaced else 1), *(p(ONE, x) for p in changed)]))
def alike(x: object, y: object) -> bool:
    """Whether y does the same to data as x: the same rules but for the metric, or x after change_one_to_symmetric."""
    def run(z: object) -> object:
        node = record(z, WRITTEN)
        rule = re.sub("(_one_bin)?(_l1|_l2|_linf)?_(symmetric|change_one|filtered)$", "", node.rule)
        spend(10 + (len(str(node.parameters)) >> 5))
        return rule, {**node.parameters, "column": "", "source": ""}, [run(each) for each in node.premises]
    links = record(y, WRITTEN).premises if record(y, WRITTEN).rule == "chain" else []
    after = len(links) == 2 and record(links[0], WRITTEN).rule == "change_one_to_symmetric"
    return run(links[1] if after else y) == run(x)
def declared(node: Given, its: Given, said: str, more: str) -> None:  # what nobody derives of data 1 apart
    assume(said % words(its.source), "%s: %s%s" % (node.rule, said % told(its.source), more))
def in_squares(m: str, x: Sequence[Figures]) -> str: return TOLD_AS.get(m, "") + ": " + listing(x)
def jointly(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Pairs of a transformation and a measurement; one step moves what they are given by at most one of the vectors."""
    need({2 * len(vector) for vector in its.joint} == {len(node.premises)}, "expected a distance for each pair")
    firsts = [premise(i, node, steps(space)) for i in range(0, len(node.premises), 2)]
    need(not any(first.measure for first in firsts), "expected transformations and measurements by turns")
    moved = "between data 1 apart (%s) what the parts are given differs by at most one of (L2 as squares): "
    ways = ["part %d (%s)" % (i + 1, ", ".join(sorted(map(plain, first.space.metrics)))) for i, first in enumerate(firsts)]
    declared(node, its, moved + listing(its.joint), ", for: " + some(ways, str) + RELY + "prove it of all parts together")
    parts = [premise(2 * i + 1, node, first.space, measure).value for i, first in enumerate(firsts)]
    most = [first.value(ONE, ZERO)[0] for first in firsts]
    return lifted(measure, lambda x: worst([
        together(measure, [part(min(ends), x) for part, *ends in zip(parts, vector, most)]) for vector in its.joint]))
def overlapping(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Each part is given the rows whose key is one of its own: a row more or less touches these parts, and no others."""
    need(ROWS in space.metrics and its.by[0] == "expression", "expected rows that come and go, and a key of them")
    need(len(its.touched) == len(node.premises), "expected keys for each premise")
    parts = premises(node, Space(steps(space).domain, (ROWS,)), measure)
    touching: Dict[str, List[int]] = {}
    for i, own in enumerate(its.touched):
        for key in map(str, own):
            touching.setdefault(key, []).append(i)
    def of_step(x: Fraction) -> Figures:
        losses = [part(ONE, x) for part in parts]
        return worst([together(measure, [losses[i] for i in some]) for some in touching.values()])
    return lifted(measure, of_step)
def adaptive(measure: str, node: Given, space: Space, its: Given) -> Value:
    fit = {len(loss) for loss in its.losses} == {len(MEASURES[measure].split())} and len(its.losses) == len(its.choices)
    need(fit and not node.premises and steps(space), "expected a loss for each choice")
    cost = "no stage sees the order of rows, and between data 1 apart (%s) the stages cost at most, however they choose"
    by = some(its.choices, lambda function: function.told) + RELY + "prove it of each stage that can be chosen"
    declared(node, its, cost + in_squares(measure, its.losses), ", as chosen by " + by)
    return lifted(measure, lambda x: together(measure, its.losses))
def asked(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Of all answers, however questions are chosen: none that does not fit the budget is given. The premises were asked."""
    orders = vars(its).get("orders", ())
    need(len(its.budget) == len(orders or MEASURES[measure].split()) and steps(space), "expected a budget in the measure")
    parts = [premise(i, node, steps(space), measure).value for i in range(len(node.premises))]
    charged = "each question is charged at least what it loses between data 1 apart (%s), sees no order of rows, and "
    most = in_squares(measure, [*zip(orders, its.budget)] or [its.budget])
    within = "is answered only while all charges (of parts, the dearest) come to at most" + most
    declared(node, its, charged + within, RELY + "see that no other is answered")
    def budget(x: Fraction) -> Figures:
        """Of a curve the least at an order that is no smaller, as divergences grow with their order."""
        spend(len(orders))
        kept = [figure for order, figure in zip(orders, its.budget) if order >= x]
        need(kept or not orders, "the budget says nothing of an order so large")
        return (min(kept),) if orders else its.budget
    return lifted(measure, lambda x: worst([budget(x), together(measure, [part(ONE, x) for part in parts]) or budget(x)]))
def compared(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Of one above-threshold, however its queries are chosen, and whatever is asked elsewhere in between."""
    need(not node.premises and steps(space), "expected no premises")
    moves = "between data 1 apart (%s) each query moves by at most 1, none sees the order of rows, and "
    many = "after so many answers above as it may give, none is answered"
    declared(node, its, moves + many, RELY + "see that no other is answered")
    return lifted(measure, lambda x: (1 / its.threshold_scale + 2 * its.hits / its.query_scale,))
def advanced(or_plain: bool, measure: str, node: Given, space: Space, its: Given) -> Value:
    """The epsilon of advanced composition; or the sum of the epsilons, where that is less."""
    parts = premises(node, space, measure)
    def value(d: Fraction, x: Fraction) -> Figures:
        epsilons, *deltas = zip(*[part(d, x) for part in parts])
        squares, drift = total([e * e for e in epsilons]), total([e * mixed(e, ZERO, ZERO) for e in epsilons])
        better = root(2 * log(1 / its.slack) * squares) + drift
        return min(better, total(epsilons)) if or_plain else better, total([its.slack, *(e for es in deltas for e in es)])
    return value
def optimal(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Of k randomized responses i are false, with chance `C(k,i) r^i / (1+r)^k`, r = e^-eps: a loss of (k - 2i) eps."""
    parts, k = premises(node, space, measure), len(node.premises)
    def value(d: Fraction, x: Fraction) -> Figures:
        e, delta = (*worst([part(d, x) for part in parts]), ZERO)[:2]
        low, high = exp(-e)
        chance, found = power(1 / (1 + low), k), ZERO
        for i in range(k // 2 + 1):
            found = short(found + chance * max(ZERO, 1 - exp(x - (k - 2 * i) * e)[0]), 1 << 11)
            chance = short(chance * high * (k - i) / (i + 1), 1 << 11)
        if delta >= 1:
            return ONE,
        few = k * delta * (1 - (k - 1) * delta / 2 * (1 - (k - 2) * delta / 3))  # 1 - (1 - delta)^k or above, by Bonferroni
        some = min(few, 1 - 1 / power(1 / (1 - delta), k))
        return min(ONE, found) + max(ZERO, 1 - found) * some,
    return value
def unequal(measure: str, node: Given, space: Space, its: Given) -> Value:
    """Of randomized responses of losses eps_i some are false, with chance `prod e^-eps_i / prod (1 + e^-eps_i)`, the first
    over the false ones: a loss of `sum eps_i`, less twice theirs. Equal sums are one; beyond 4096, all are rounded up."""
    parts = premises(node, space, measure)
    def value(d: Fraction, x: Fraction) -> Figures:
        losses = [(*part(d, x), ZERO)[:2] for part in parts]
        told, plain = ZERO, total([e for e, _ in losses])
        for _, delta in losses:
            told = short(told + min(delta, ONE) * (1 - told), 1 << 11)
        found = ZERO if x >= plain else min(ONE, responses(how_often([e for e, _ in losses]), plain, x))
        return found + (1 - found) * min(ONE, told),
    return value
def how_often(xs: Sequence[Fraction]) -> List[Tuple[Fraction, int]]:
    """Each with how often it comes: sorted, not hashed, as hashes can be chosen to be equal."""
    return [(x, len([*same])) for x, same in groupby(sorted(xs))]
def responses(of: List[Tuple[Fraction, int]], plain: Fraction, x: Fraction) -> Fraction:
    if any(several > 4096 for several in accumulate([many + 1 for _, many in of], lambda m, n: min(m, 4097) * n)):
        n = plain.numerator.bit_length() - plain.denominator.bit_length()
        step = Fraction(2) ** (n - (Fraction(2) ** n > plain) - 11)
        of = how_often([ceil(e / step) * step for e, many in of for _ in range(many)])
    unit, most = reduce(grid, [e for e, _ in of if e]), sum(e * many for e, many in of)
    need(most <= 8000, "exp of more than 8000 is not followed")
    counts, chance, found, enough = {0: 1}, ONE, ZERO, ceil((most - x) / unit / 2)  # beyond, nothing is lost
    for e, many in of:
        more: Counter[int] = Counter()
        spend(len(counts) * many // 2 + 10 * many + (many * many >> 10))
        ways, each = 1, int(e / unit)
        for i in range(many + 1):
            for s, count in counts.items() if i * each < enough else ():
                if s + i * each < enough:
                    more[s + i * each] += ways * count
            ways = ways * (many - i) // (i + 1)
        counts, chance = more, short(chance * power(1 / (1 + exp(-e)[0]), many), 1 << 11)
    several = sum([many for _, many in of])
    spend(0, (len(counts) + several) * (240 + several + 4 * ceil(most)) ** 2 >> 10)
    for s, many in counts.items():
        found = short(found + many * exp(-s * unit)[1] * (1 - exp(x - most + 2 * s * unit)[0]), 1 << 11)
    return found * chance
TOLD_AS = {"gaussian": " (mu as squares)", "renyi": " (order, epsilon)"}
ADD, ALONE = "pure approx zcdp gaussian total_variation", " approximate_zcdp"  # of this there is no rule for groups
COMBINATORS: Dict[str, Tuple[Callable[[str, Given, Space, Given], Value], str, str, str]] = {
    prefix + measure: (combine, measure, names, result or measure) for prefix, combine, names, premised, result in (
        ("compose_", compose, "", " ".join(MEASURES), ""), ("group_", group, "", ADD + " renyi profile tradeoff", ""),
        ("parallel_symmetric_", partial(parallel, ROWS), "keys", ADD + ALONE + " profile renyi", ""),
        ("parallel_alike_symmetric_", partial(parallel, ROWS), "", ADD + ALONE + " profile renyi", ""),
        ("parallel_change_one_", partial(parallel, CHANGED), "keys", ADD + " renyi", ""),
        ("parallel_alike_change_one_", partial(parallel, CHANGED), "", ADD + " renyi", ""),
        ("locally_", locally, "", "pure", ""), ("shuffled_", shuffled, "size delta", "pure", "approx"),
        ("general_composition_", jointly, "joint source", ADD, ""),
        ("overlapping_symmetric_", overlapping, "by touched", ADD, ""),
        ("adaptive_", adaptive, "losses choices source", ADD, ""), ("filter_", asked, "budget source", ADD + ALONE, ""),
        ("filter_", asked, "budget orders source", "renyi", ""),
        ("above_threshold_asked_", compared, SPARSE + " source", "pure", ""),
        ("advanced_composition_", partial(advanced, False), "slack", "pure approx", "approx"),
        ("advanced_or_plain_", partial(advanced, True), "slack", "pure approx", "approx"),
        ("unequal_composition_", unequal, "", "pure approx", "profile"),
        ("optimal_composition_", optimal, "", "pure approx", "profile")) for measure in premised.split()}
LEAVES: Dict[str, Leaf] = {**TRANSFORMATIONS, **MEASUREMENTS}
RULES: Dict[str, Callable[[Given, Space], Arrow]] = {
    **dict.fromkeys(LEAVES, leaf), **dict.fromkeys(CONVERSIONS, converted), **dict.fromkeys(COMBINATORS, combined),
    "chain": chain, "post_process": post_processed, "claimed_transformation": claimed, "claimed_measurement": claimed}

# ---- the whole certificate -----------------------------------------------------------------------------------------------
ATTENTION = {"bound_contributions_first_by_person": "which rows of a person are kept is the analyst's choice, and may bias",
             "claimed_measurement": "what it costs is the word of its author; no rule says so",
             "claimed_transformation": "how stable it is, is the word of its author; no rule says so",
             "count_change_one": "the number of rows is public, and no noise protects it",
             "name_and_shame": "some rows are published as they are", "random_row": "a row is published as it is"}
ASSUMED = {  # the rules that are no theorem in Coq; RULES.md names the theorem of each of the others
    **dict.fromkeys(("claimed_transformation", "claimed_measurement", "granularity_to_symmetric"), "the user's word")}
KEYED = {"bound_contributions_fair_person", "resize_symmetric"}  # what they keep, a key drawn with the release decides
TRUSTED = ["trusted: the library runs what the derivation says, on data of the input space, with exactly the noise named",
           "trusted: functions of rows are pure and total; this checker and Python; how long a release takes is not covered"]
def verify(data: bytes) -> Tuple[List[str], List[List[Fraction]]]:
    """What was verified, in words, and the figures worked out for each of the claims."""
    sys.setrecursionlimit(max(5000, sys.getrecursionlimit()))  # a few frames for each of at most DEPTH levels
    SPENT[:] = [0, 0]
    NOTES.clear()
    half_bell.cache_clear()
    while KNOWN:
        KNOWN.pop()()
    need(len(data) <= BYTES, "longer than a certificate may be")
    found = parse(data)
    need("symbols" not in a(dict, found), "its symbols are no numbers yet: instantiate it first")
    its = record(found, "format dpcore code neighbours space derivation claims assumptions attention evidence")
    of, way = its.space.domain, its.space.metric
    need(its.format == FORMAT and measures(way, of), "another format, or a metric that does not measure the domain")
    arrow = at("derivation", judged, its.derivation, Space(of, (way,)))
    said = [at("claims/%d" % i, claim, x, arrow, of, way) for i, x in enumerate(its.claims)]
    rules, filed, relied = (sorted(x for what, x in NOTES if what == name) for name in ("rule", "filed", "told"))
    own_curve = ("curve", "tradeoff") in NOTES and KEYED.intersection(rules)
    need(not own_curve, "a trade-off curve of the user's own may not be convex, and says nothing of a choice by a key")
    attention = ["%s: %s" % (rule, ATTENTION[rule]) for rule in rules if rule in ATTENTION]
    if arrow.measure not in ("profile", "tradeoff") and not any(any(figures) for _, figures in said):
        attention += ["the loss is 0: what is released does not depend on what is protected"]
    for name, written, expected in (("neighbours", [its.neighbours], [words(way)]),
                                    ("attention", its.attention, attention), ("assumptions", its.assumptions, filed)):
        need([*written] == expected, "%s: expected %s" % (name, ", ".join(map(pieces, expected)) or "none"))
    standing = ", ".join("%s (%s)" % (rule, "assumed: " + ASSUMED[rule] if rule in ASSUMED else "proved") for rule in rules)
    return [*("claim: " + each for each, _ in said), *("attention: " + each for each in attention),
            *("assumption: " + each for each in relied), *("evidence, not proof: " + pieces(each) for each in its.evidence),
            *TRUSTED, "rules: " + standing], [each for _, each in said]
def brief(x: Fraction) -> str:
    short_enough = max(x.numerator, x.denominator) < 10 ** 9
    beyond = "beyond 1e300" if x > 1 else "below 1e-300"
    return str(x) if short_enough else "about %.15g" % x if 10 ** -300 < x < 10 ** 300 else beyond
def digits(x: Fraction, down: bool = False) -> str:
    """The number, or fifteen digits of it, rounded to the side on which the claim is still true."""
    p, q = x.numerator, x.denominator
    if max(p, q) < 10 ** 9:
        return str(x)
    e = len(str(p)) - len(str(q))
    e -= x < Fraction(10) ** e  # so that 10^e <= x < 10^(e+1)
    scaled = x * Fraction(10) ** (14 - e)
    m = floor(scaled) if down else ceil(scaled)
    m, e = (m, e) if m < 10 ** 15 else (10 ** 14, e + 1)
    said = str(m).rstrip("0")
    if 0 <= e < 15:
        return said[:e + 1].ljust(e + 1, "0") + ("." + said[e + 1:]) * (len(said) > e + 1)
    return "0." + "0" * (-e - 1) + said if -5 <= e < 0 else said[0] + ("." + said[1:]) * (len(said) > 1) + "e%d" % e
AT = {"renyi": "at order %s epsilon <= %s", "profile": "at epsilon %s delta <= %s",
      "tradeoff": "a test with false positives of %s misses at least %s"}
def claim(x: object, arrow: Arrow, of: Domain, way: Metric) -> Tuple[str, List[Fraction]]:
    """The claim in words, and the figures worked out: each at most what is claimed, which is no more but for rounding."""
    its = record(x, "d_in measure loss")
    d, names, far = its.d_in, MEASURES[one_of([*MEASURES], its.measure)].split(), its.d_in ** (2 if way == L2 else 1)
    need(its.measure == arrow.measure, "measure: the derivation gives another")
    need((whole(d) or not under(WHOLE, way)) and (d <= 1 or way != DISCRETE), "d_in: the metric has no such distance")
    need(d != 1 or not (of.size and under("Symmetric Person", way)), "d_in: vacuous, no data sets of one size are 1 apart")
    need(its.loss.keys() == {*names}, "loss: expected " + " ".join(names))
    if curved(its.measure):
        least, most = {"renyi": (ONE, UNBOUNDED), "profile": (-ONE, UNBOUNDED), "tradeoff": (-ONE, ONE)}[its.measure]
        points = at("loss/points", TABLE, its.loss["points"])
        need(all(len(point) == 2 and least < point[0] <= most for point in points), "loss: the curve has no such point")
        said = [(AT[its.measure] % (digits(y, its.measure != "profile"), digits(c, its.measure == "tradeoff")),
                 arrow.value(far, y)[0], c) for y, c in points]
    else:
        said = [(name, f, at("loss/" + name, LEAST, its.loss[name])) for name, f in zip(names, arrow.value(far, ZERO))]
    rough = its.measure == "profile" and ("rule", "tradeoff_to_profile") in NOTES
    for name, f, c in said:  # of a trade-off curve a larger figure claims more
        need(not (rough and 0 < f < Fraction(1, 10 ** 24)), "a delta so close to 0 is not followed from a trade-off curve")
        low, high = (c, f) if its.measure == "tradeoff" else (f, c * c if name == "mu" else c)
        near = low <= high <= max(low + low / 10 ** 15, Fraction(1, 10 ** 300))
        need(near, "loss: %s is not what was worked out, %s" % (name, brief(f)))
        need(c < 1 or (name != "delta" and its.measure != "profile"), "loss: vacuous, a delta of 1 promises nothing")
    bounds = [name if curved(its.measure) else "%s <= %s" % (name, digits(c)) for name, _, c in said]
    between = "between data %s apart; 1 apart is: %s" % (digits(d, True), told(way))
    return "%s: %s, %s" % (its.measure, ", ".join(bounds), between), [f for _, f, _ in said]
def myself() -> str:
    """This file, by its version and digest."""
    try:
        with open(__file__, "rb") as file:
            return "checker: check_certificate.py %s, sha256 %s" % (VERSION, hashlib.sha256(file.read()).hexdigest())
    except (NameError, OSError):
        return "checker: check_certificate.py %s" % VERSION
def judge(path: str) -> Tuple[int, List[str]]:
    """The exit status, and what is said: first the verdict, of which file, and whose it is."""
    which = ["file: not read", myself()]
    try:
        with open(path, "rb") as file:
            data = file.read(BYTES + 1)
        beyond = "beyond %d bytes" % BYTES
        which[0] = "file: sha256 " + (hashlib.sha256(data).hexdigest() if len(data) <= BYTES else beyond)
        return 0, ["verified: " + quoted(path, 4096), *which, *verify(data)[0]]
    except Rejected as rejected:
        place = "/".join(spelt(part[:64]) for part in rejected.place)
        return 1, ["rejected at /%s: %s" % (place, rejected), which[0] + ", " + quoted(path, 4096), which[1]]
    except MemoryError:
        return 4, ["not decided: more memory than there is: " + quoted(path, 4096), *which]
    except (OSError, ValueError) as error:
        return 2, ["not a certificate: %s: %s" % (quoted(path, 4096), type(error).__name__), *which]
def main(paths: Sequence[str]) -> int:
    gc.disable()  # a certificate of ten thousand leaves is all live objects, and looking through them again costs a third
    status = 0 if paths else 2
    print("" if paths else __doc__, end="")
    for path in paths:
        found, lines = judge(path)
        print("\n".join(lines))
        status = max(status, found)
    if sys.stdout is None:
        return 2
    try:
        sys.stdout.flush()
    except OSError:  # a verdict that nobody has read is none
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 2
    return status
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
