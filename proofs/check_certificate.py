#!/usr/bin/env python3
"""Checks certificates of differential privacy. One file, the standard library, and nothing shared with who wrote them.

    python -I -S check_certificate.py FILE...        0 verified, 1 rejected, 2 not a certificate

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
import json
import re
import sys
from fractions import Fraction
from functools import lru_cache, partial, reduce
from math import ceil, floor, gcd, isqrt
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Type, TypeVar, Union, cast

FORMAT = "dpcore-certificate/1"
BYTES, DEPTH, DIGITS, BITS = 1 << 26, 200, 1000, 192  # of a file, its nesting, a number at most; bits of precision
PROVED: Set[str] = set()  # the rules that are theorems in Coq; each of the others is printed as assumed
ZERO, ONE, LARGE, UNBOUNDED = Fraction(0), Fraction(1), Fraction(10 ** 3000), Fraction(10 ** 6000)
T = TypeVar("T")
Fields = Dict[str, object]

# ---- reading: one encoding, and whatever is written in another way is refused with its place -----------------------------
class Rejected(Exception):
    """Why; and where. One that is not raised stands where JSON held what no certificate holds, until its place is known."""
    place: Tuple[str, ...] = ()
def need(condition: object, why: str) -> None:
    if not condition:
        raise Rejected(why)
def at(place_: object, call_: Callable[..., T], *arguments: object, **named: object) -> T:
    try:
        return call_(*arguments, **named)
    except Rejected as rejected:
        rejected.place = (str(place_), *rejected.place)
        raise
def a(kind: Type[T], x: object) -> T:
    if not isinstance(x, kind):
        raise x if isinstance(x, Rejected) else Rejected("expected a " + kind.__name__)
    return x
def text(x: object) -> str: return a(str, x)
def shown(x: object) -> str: return json.dumps(x)[:300]  # a text of others, which cannot pass for one of ours
def parse(data: bytes) -> object:
    written, depth = data.decode("utf-8"), 0
    outside_texts = "".join(written.replace("\\\\", "").replace('\\"', "").split('"')[::2])
    for bracket in re.sub(r"[^][{}]+", "", outside_texts):
        depth += 1 if bracket in "[{" else -1
        need(depth <= DEPTH, "nested more than %d deep" % DEPTH)
    def unique(pairs: List[Tuple[str, object]]) -> object:
        return dict(pairs) if len(dict(pairs)) == len(pairs) else Rejected("a key is repeated")
    def bare(number: str) -> Rejected: return Rejected("a bare number; numbers are texts such as '1/2'")
    return cast(object, json.loads(written, parse_int=bare, parse_float=bare, parse_constant=bare, object_pairs_hook=unique))
def record(x: object, names: str) -> Fields:
    """The fields of these names and no others, each read in the one way that belongs to its name."""
    given, wanted = a(dict, x), names.split()
    strays = {*given} ^ {*wanted}
    need(not strays, "missing or unknown field " + shown(min(strays)) if strays else "")
    return {name: at(name, READ[name], given[name]) for name in wanted}
@lru_cache(maxsize=1 << 16)
def fraction(written: str) -> Fraction:
    need(re.match("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?\\Z", written), "expected a rational number such as '1/2'")
    need(max(map(len, written.split("/"))) <= DIGITS, "a number of more than %d digits" % DIGITS)
    need(str(Fraction(written)) == written, "a number not in lowest terms")
    return Fraction(written)
def bounded(says: str, holds: Callable[[Fraction], object], x: object) -> Fraction:
    need(holds(fraction(text(x))), "expected a number " + says)
    return fraction(text(x))
def maybe(read: Callable[[object], T], x: object) -> Optional[T]: return None if x is None else read(x)
def listed(read: Callable[[object], T], x: object) -> Tuple[T, ...]:
    need(a(list, x), "expected at least one")
    return tuple([at(i, read, each) for i, each in enumerate(a(list, x))])
def different(read: Callable[[object], T], x: object) -> Tuple[T, ...]:
    need(len({*listed(read, x)}) == len(a(list, x)), "expected different ones, but one is there twice")
    return listed(read, x)
def one_of(words: Sequence[str], x: object) -> str:
    need(text(x) in words, "unknown " + shown(x))
    return text(x)
def constant(x: object) -> Tuple[str, object]:  # a value with its type: true is not 1
    found = record(x, "op value")
    return one_of([*CONSTANTS], found["op"]), at("value", CONSTANTS[text(found["op"])], found["value"])
def opaque(x: object) -> str: return "%(name)s (%(digest).16s)" % record(x, "name digest")  # a function of the user's own
def spoken(x: object) -> Tuple[str, object]:  # what is done to a row: an expression, several by name, or a function
    kind = one_of(["expression", "record", "function"], next(iter(a(dict, x)), None))
    return kind, record(x, kind)[kind]

# ---- numbers: an enclosure is a pair (low, high) with low <= true value <= high ------------------------------------------
def short(x: Fraction) -> Fraction:
    """The number, or one just above it of a few thousand bits, where it has grown beyond all use."""
    size = x.denominator.bit_length()
    shift = (1 << 12) + size - x.numerator.bit_length()
    need(abs(shift) < 1 << 18, "a number too large or too small to follow")
    return x if max(size, x.numerator.bit_length()) < 1 << 16 else ceil(x * Fraction(2) ** shift) / Fraction(2) ** shift
def total(xs: Sequence[Fraction]) -> Fraction:
    level = list(xs)
    while len(level) > 1:  # by halves, which keeps denominators short
        level = [short(x + y) for x, y in zip(level[::2], level[1::2])] + level[len(level) & ~1:]
    return level[0]
def arctanh(p: int, q: int, n: int) -> Tuple[int, int]:
    """(s, e) with `|s - 2^n atanh(p/q)| <= e`, where |p/q| <= 1/3.

    In units of 2^-n each term of `z + z^3/3 + z^5/5 ...` is off by less than 3, and what is left out is less than 8."""
    power, s, i = (p << n) // q, 0, 1
    square = power * power >> n
    while power not in (0, -1):
        s, power, i = s + power // i, power * square >> n, i + 2
    return s, 2 * i + 8
@lru_cache(maxsize=1 << 10)
def log_two(n: int) -> Tuple[int, int]:
    s, e = arctanh(1, 3, n)
    return 2 * s, 2 * e
def log(x: Fraction) -> Fraction:
    """An upper bound of `k log 2 + 2 atanh((m-1)/(m+1))`, m = x/2^k in [2/3, 4/3]; to more bits where x is close to 1."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    k += (3 * x > 4 * Fraction(2) ** k) - (3 * x < 2 * Fraction(2) ** k)
    z = (x - Fraction(2) ** k) / (x + Fraction(2) ** k)
    n = BITS + z.denominator.bit_length() - z.numerator.bit_length()
    (s, e), (t, f) = arctanh(z.numerator, z.denominator, n), log_two(n)
    return Fraction(2 * s + 2 * e + k * t + abs(k) * f, 1 << n) if x != 1 else ZERO
def exp(x: Fraction) -> Tuple[Fraction, Fraction]:
    """`2^k e^r`, r = x - k log 2, by Taylor; to more bits where x is close to 0, so that e^x - 1 is known as well.

    In units of 2^-n: r is off by at most |k| f + 1, which moves e^r by less than twice that; each of i terms is off by
    less than 3; what is left out is less than 4."""
    need(x <= 8000, "exp of more than 8000 is not followed")
    if x == 0 or x < -8000:
        return (ONE, ONE) if x == 0 else (ZERO, exp(Fraction(-8000))[1])
    n = BITS + 16 + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    (t, f), whole = log_two(n), (x.numerator << n) // x.denominator
    k = (2 * whole + t) // (2 * t)
    r, term, middle, i = whole - k * t, 1 << n, 1 << n, 0
    while term not in (0, -1):
        i += 1
        term = (term * r >> n) // i
        middle += term
    error, unit = 3 * i + 2 * abs(k) * f + 8, Fraction(2) ** (k - n)
    return (middle - error) * unit, (middle + error) * unit
def root(x: Fraction) -> Fraction:
    """An upper bound: `2^n sqrt(x) < r + 1` for r = isqrt(4^n x); the root itself where it is rational."""
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    n = BITS + max(0, x.denominator.bit_length() - x.numerator.bit_length())
    exactly = p * p == x.numerator and q * q == x.denominator
    return Fraction(p, q) if exactly else Fraction(isqrt((x.numerator << 2 * n) // x.denominator) + 1, 1 << n)

# ---- domains and metrics -------------------------------------------------------------------------------------------------
Metric = Tuple[object, ...]
DOMAINS = {"integers": "low high", "numbers": "low high step", "booleans": "", "text": "", "date": "first last",
           "categories": "values", "optional": "each", "fields": "fields", "vector": "each size norm bound",
           "rows": "each size", "parts": "each values", "graphs": "size"}
METRICS = {"SymmetricDistance": "one row more or one row less", "NodeDistance": "all edges of one node drawn anew",
           "ChangeOneDistance": "one row replaced by another; the number of rows is public",
           "PersonDistance": "all rows of one %s added or removed", "DiscreteDistance": "another value",
           "AbsoluteDistance": "a number that differs by 1", "L1Distance": "a vector that differs by 1 in L1",
           "L2Distance": "a vector that differs by 1 in L2", "LInfDistance": "a vector that differs by 1 in LInf",
           "RangeDistance": "scores that all rise, or all fall, by at most 1", "PartDistance": "%s, in any of the parts",
           "EdgeDistance": "one edge more or one edge less", "Granularity": "one step of %s"}
MORE = {"PersonDistance": " person", "PartDistance": " within", "Granularity": " name function rows"}
WHOLE = "Symmetric ChangeOne Person Discrete Part Edge Node"  # distances are whole, and made of steps of 1
ROWS, CHANGED, L1, L2, LINF, RANGE, DISCRETE, ABSOLUTE, EDGE, NODE = [
    (name + "Distance",) for name in "Symmetric ChangeOne L1 L2 LInf Range Discrete Absolute Edge Node".split()]

class Domain(NamedTuple):
    """What data can be. Whole numbers are numbers of step 1."""
    kind: str
    low: Fraction = -UNBOUNDED
    high: Fraction = UNBOUNDED
    step: Optional[Fraction] = None
    each: Tuple[Domain, ...] = ()  # one, or none
    size: Fraction = ZERO  # 0 where it is not known
    values: Tuple[object, ...] = ()
    fields: Tuple[Tuple[str, Domain], ...] = ()
    norm: Optional[str] = None
    bound: Optional[Fraction] = None
class Space(NamedTuple):
    """Data, and how far apart they are, by the same bound in each of the metrics; and what was relied on to get there."""
    domain: Domain
    metrics: Tuple[Metric, ...]
    notes: Set[Tuple[str, str]]
    @property
    def row(self) -> Domain: return self.domain.each[0]
UNKNOWN, TRUTH = Domain("unknown"), Domain("booleans")

def number(low: Fraction, high: Fraction, step: Optional[Fraction] = None) -> Domain:
    """The multiples of step from low to high; what is large enough is without bound."""
    need(max(low.denominator, high.denominator).bit_length() < 9000, "a number too small to follow")  # so below LARGE
    low = -UNBOUNDED if low <= -LARGE else min(LARGE, ceil(low / step) * step if step else low)
    high = UNBOUNDED if high >= LARGE else max(-LARGE, floor(high / step) * step if step else high)
    need(low <= high, "there is no number from low to high")
    return Domain("number", low, high, step)
def vector(size: Fraction, low: Fraction, step: Optional[Fraction] = ONE, high: Fraction = UNBOUNDED) -> Domain:
    return Domain("vector", each=(number(low, high, step),), size=size)
def domain(x: object) -> Domain:
    kind = one_of([*DOMAINS], a(dict, x).get("kind"))
    given = {n: v for n, v in record(x, "kind " + DOMAINS[kind]).items() if v is not None and n not in ("first", "last")}
    need("size" in given or kind not in ("vector", "graphs"), "expected a size")
    if kind not in ("integers", "numbers"):
        return cast("Callable[..., Domain]", Domain)(**given)
    low, high = cast(Fraction, given.get("low", -UNBOUNDED)), cast(Fraction, given.get("high", UNBOUNDED))
    return number(low, high, ONE if kind == "integers" else cast("Optional[Fraction]", given.get("step")))
def metric(x: object) -> Metric:
    kind = one_of([*METRICS], a(dict, x).get("kind"))
    return tuple(record(x, "kind" + MORE.get(kind, "")).values())
def words(way: Metric) -> str:
    return METRICS[text(way[0])] % ((words(cast(Metric, way[1])) if way[0] == "PartDistance" else way[1]) if way[1:] else ())
def plain(way: Metric) -> str: return text(way[0]).replace("Distance", "")
def under(metrics: str, *ways: Metric) -> bool: return any(plain(way) in metrics.split() for way in ways)
def measures(way: Metric, of: Domain) -> bool:
    """Whether any two members of the domain have such a distance."""
    if under("Symmetric ChangeOne Person Edge Node Part", way):
        person = not under("Person", way) or (of.kind == "rows" and way[1] in dict(of.each[0].fields))
        return person and of.kind == ("graphs" if under("Edge Node", way) else "parts" if under("Part", way) else "rows")
    if under("Discrete Granularity", way):
        return way != DISCRETE or of.kind not in ("rows", "parts")
    return of.kind == "number" if way == ABSOLUTE else of.kind == "vector" and of.each[0].kind == "number"
def length(of: Domain, norm: str) -> Fraction:
    """The most that the norm of a vector can be, squared for L2."""
    power, most = 2 if norm == "L2" else 1, max(abs(of.each[0].low), abs(of.each[0].high))
    declared = of.bound if of.norm == norm else None
    return declared ** power if declared is not None else most if norm == "LInf" else of.size * most ** power
def holds(declared: Domain, of: Domain) -> bool:
    """Whether what rules read off the declared domain (bounds, grids, fields) is true of the other."""
    if declared.kind == "optional":
        return holds(declared.each[0], of.each[0] if of.kind == "optional" else of)
    if declared.kind == of.kind == "number":
        finer = declared.step is None or (of.step is not None and (of.step / declared.step).denominator == 1)
        return finer and declared.low <= of.low and of.high <= declared.high
    return declared == of or (of.kind == "categories" and declared.kind in ("categories", "text"))

# ---- row expressions: the values they can take, where they are made of the operations below ------------------------------
def grid(x: Optional[Fraction], y: Optional[Fraction]) -> Optional[Fraction]:  # the coarsest that holds both
    return x and y and Fraction(gcd(x.numerator * y.denominator, y.numerator * x.denominator), x.denominator * y.denominator)
def product(x: Domain, y: Domain) -> Domain:
    ends = [p * q for p in (x.low, x.high) for q in (y.low, y.high)]
    p, q = (abs(d.low) if d.low == d.high else d.step for d in (x, y))
    return number(min(ends), max(ends), ONE if ZERO in (p, q) else p and q and p * q)
def clip(x: Domain, low: Domain, high: Domain) -> Domain:
    need(low.low == low.high <= high.low == high.high, "expected constants, low <= high")
    step = grid(x.step, abs(low.low)) if x.low < low.low != 0 else x.step
    step = grid(step, abs(high.low)) if x.high > high.low != 0 else step
    return number(min(max(x.low, low.low), high.low), max(min(x.high, high.low), low.low), step)
def rounded(x: Domain, step: Domain) -> Domain:
    need(step.low == step.high > 0, "expected a positive constant as the step")
    return number(round(x.low / step.low) * step.low, round(x.high / step.low) * step.low, step.low)
ARITHMETIC: Dict[str, Tuple[int, Callable[..., Domain]]] = {
    "add": (2, lambda x, y: number(x.low + y.low, x.high + y.high, grid(x.step, y.step))), "clip": (3, clip),
    "subtract": (2, lambda x, y: number(x.low - y.high, x.high - y.low, grid(x.step, y.step))), "round": (2, rounded),
    "negate": (1, lambda x: number(-x.high, -x.low, x.step)), "multiply": (2, product)}
TRUTHS = "lt le gt ge equals differs isin between and or xor not starts_with contains is_null".split()
OTHERS = ("divide floor_divide modulo abs minimum maximum when fill_null lower upper strip length year month day weekday "
          "days_since").split()  # functions of their operands too, whose values are not followed here
def values(e: object, row: Domain) -> Domain:
    """A domain of what the expression gives on rows of a domain; `UNKNOWN` where an operation is not followed."""
    op = text(a(dict, e).get("op"))
    if op in CONSTANTS:
        kind, value = constant(e)
        if isinstance(value, Fraction):
            return number(value, value, ONE if value.denominator == 1 else abs(value))
        return TRUTH if kind == "truth" else Domain("categories", values=((kind, value),))
    need(op in ("row", "field", *TRUTHS, *ARITHMETIC, *OTHERS), "unknown operation " + shown(op))
    typed = " type" if op in ("field", "row") and "type" in a(dict, e) else ""
    given = record(e, "op " + {"field": "name", "row": ""}.get(op, "of") + typed)
    if op in ("row", "field"):
        need(op == "row" or given["name"] in dict(row.fields), "no such field")
        return row if op == "row" else dict(row.fields)[text(given["name"])]
    operands = [at("of/%d" % i, values, each, row) for i, each in enumerate(cast("Tuple[object, ...]", given["of"]))]
    inner = [d.each[0] if d.kind == "optional" else d for d in operands]
    if op in OTHERS or (op in ARITHMETIC and UNKNOWN in inner):
        return UNKNOWN
    need(op in TRUTHS or [d.kind for d in inner] == ["number"] * ARITHMETIC[op][0], "other operands than numbers, so many")
    found = TRUTH if op in TRUTHS else ARITHMETIC[op][1](*inner)
    return Domain("optional", each=(found,)) if inner != operands else found
def look(space: Space, by: Tuple[str, object]) -> Optional[Domain]:
    need(by[0] == "function" or (by[0] == "expression" and values(by[1], space.row)), "expected an expression or a function")
    return None
def follow(space: Space, e: object, *declared: Domain) -> Domain:
    """The domain of the values, which is that or part of what is declared."""
    found = values(e, space.row)
    need(found == UNKNOWN or any(holds(each, found) for each in declared), "values outside the domain declared for them")
    if found == UNKNOWN:
        space.notes.add(("assumption", "the values of a row expression stay in the domain declared for them"))
    return found

# ---- transformations -----------------------------------------------------------------------------------------------------
def row_map(space: Space, to: Tuple[str, Fields], domain: Domain) -> Domain:
    fields = to[1] if to[0] == "record" else {}
    need(to[0] != "record" or {*fields} == {*dict(domain.fields)}, "other fields than declared")
    if to[0] == "expression":
        at("to", follow, space, to[1], domain)
    for name, of in domain.fields if fields else ():
        at("to/" + name, follow, space, fields[name], of)
    for _, who in (way for way in space.metrics if under("Person", way)):
        kept = cast(Fields, fields.get(text(who), {}))
        need((kept.get("op"), kept.get("name")) == ("field", who), "the field that says whose row it is must be kept")
    return space.domain._replace(each=(domain,))
def unsized(space: Space, **parameters: object) -> Domain: return space.domain._replace(size=ZERO)
def filtered(space: Space, condition: Tuple[str, object]) -> Domain: return look(space, condition) or unsized(space)
def dropped(space: Space, names: Sequence[str]) -> Domain:
    def there(name: str, of: Domain) -> Domain: return of.each[0] if name in names and of.kind == "optional" else of
    fields = tuple([(name, there(name, of)) for name, of in space.row.fields])
    row = space.row._replace(fields=fields) if names else space.row.each[0] if space.row.kind == "optional" else space.row
    return unsized(space)._replace(each=(row,))
def tallied(space: Space, by: Tuple[str, object], bins: Sequence[object]) -> Domain:
    return look(space, by) or vector(Fraction(len(bins)), ZERO)
def partition(space: Space, by: Tuple[str, object], keys: Tuple[object, ...]) -> Domain:
    return look(space, by) or Domain("parts", each=space.domain.each, values=keys)
def summed(space: Space, low: Fraction, high: Fraction) -> Domain:
    need(space.row.step and low <= space.row.low and space.row.high <= high, "expected rows on a grid, from low to high")
    return number(-UNBOUNDED, UNBOUNDED, space.row.step)
def vectors(space: Space) -> Domain:
    need(space.row.kind == "vector" and space.row.each[0].step, "expected rows that are vectors on a grid")
    return space.row.each[0]
def vector_sum(space: Space, bound: Fraction, size: Fraction) -> Domain:
    each = vectors(space)
    need(size == space.row.size, "another size than that of the rows")
    return vector(size, -UNBOUNDED, each.step)
def clipped(space: Space, bound: Fraction, norm: str, domain: Domain) -> Domain:
    around = vector(space.row.size, min(ZERO, vectors(space).low), vectors(space).step, max(ZERO, vectors(space).high))
    need(domain == around._replace(norm=norm, bound=bound), "not the domain of the clipped vectors")
    return space.domain._replace(each=(domain,))
def linear_queries(space: Space, queries: Sequence[object], column: Fraction) -> Domain:
    found = [at("queries/%d" % i, follow, space, query, TRUTH, number(ZERO, ONE)) for i, query in enumerate(queries)]
    if column < len(queries):
        space.notes.add(("assumption", "no row moves the answers to its linear queries by more than %s in all" % column))
    return vector(Fraction(len(found)), ZERO, reduce(grid, [ONE if x == TRUTH else x.step for x in found]))
def quantiles(space: Space, candidates: Sequence[object], a: Fraction, b: Fraction) -> Domain:
    need(space.row.kind == "number" and a <= b, "expected rows of numbers, and a <= b")
    return vector(Fraction(len(candidates)), -UNBOUNDED, high=ZERO)
def sized(space: Space, size: Fraction = ZERO) -> Domain:
    need(space.domain.size and size in (ZERO, space.domain.size), "not the size of the data, or none is known")
    return space.domain
def same(space: Space, rows: Optional[Fraction] = None) -> Domain:
    need(rows in (None, space.metrics[0][-1]), "another number of rows than in the metric")
    if rows is not None:
        space.notes.add(("assumption", "one step of the user's metric changes at most %s rows" % rows))
    return space.domain if rows is None else unsized(space)
def counted(space: Space) -> Domain: return Domain("number", ZERO, UNBOUNDED, ONE)
def new_rows(space: Space, function: str, domain: Domain, limit: Fraction) -> Domain: return Domain("rows", each=(domain,))

# rule: metrics out (none: the same), metrics in, parameters, what comes out, and how far apart it can be at d
S, C, P = "Symmetric", "ChangeOne", "Person"
def once(d: Fraction, **parameters: object) -> Fraction: return d
def twice(d: Fraction, **parameters: object) -> Fraction: return 2 * d
def never(d: Fraction, **parameters: object) -> Fraction: return ZERO
def squared(d: Fraction, **parameters: object) -> Fraction: return d * d
def limited(d: Fraction, limit: Fraction, **parameters: object) -> Fraction: return limit * d
def column_times(d: Fraction, column: Fraction, **parameters: object) -> Fraction: return column * d
TRANSFORMATIONS: Dict[str, Tuple[Tuple[Metric, ...], str, str, Callable[..., Domain], Callable[..., Fraction]]] = {
    "row_map": ((), "Symmetric ChangeOne Person", "to domain", row_map, once),
    "filter_symmetric": ((), S, "condition", filtered, once), "filter_person": ((), P, "condition", filtered, once),
    "filter_change_one": ((ROWS,), C, "condition", filtered, twice), "drop_nulls_symmetric": ((), S, "names", dropped, once),
    "drop_nulls_change_one": ((ROWS,), C, "names", dropped, twice), "drop_nulls_person": ((), P, "names", dropped, once),
    "flat_map_symmetric": ((), S, "function domain limit", new_rows, limited),
    "bound_contributions_person": ((ROWS,), P, "person limit", unsized, limited),
    "count_symmetric": ((ABSOLUTE,), S, "", counted, once), "count_change_one": ((ABSOLUTE,), C, "", counted, never),
    "sum_symmetric": ((ABSOLUTE,), S, "low high", summed, lambda d, low, high: d * max(abs(low), abs(high))),
    "sum_change_one": ((ABSOLUTE,), C, "low high", summed, lambda d, low, high: d * (high - low)),
    "vector_sum_symmetric": ((L1, LINF), S, "bound size", vector_sum, lambda d, bound, size: d * bound),
    "vector_sum_change_one": ((L1, LINF), C, "bound size", vector_sum, lambda d, bound, size: 2 * d * bound),
    "vector_sum_l2_symmetric": ((L2,), S, "bound size", vector_sum, lambda d, bound, size: d * d * bound),
    "vector_sum_l2_change_one": ((L2,), C, "bound size", vector_sum, lambda d, bound, size: 4 * d * d * bound),
    "clip_norm_rows": ((), "Symmetric ChangeOne", "bound norm domain", clipped, once),
    "histogram_symmetric": ((L1, LINF, RANGE), S, "by bins", tallied, once),
    "histogram_l2_symmetric": ((L2,), S, "by bins", tallied, squared),
    "histogram_l1_change_one": ((L1, RANGE), C, "by bins", tallied, twice),
    "histogram_linf_change_one": ((LINF,), C, "by bins", tallied, once),
    "histogram_l2_change_one": ((L2,), C, "by bins", tallied, lambda d, by, bins: 2 * d * d),
    "linear_queries_symmetric": ((L1,), S, "queries column", linear_queries, column_times),
    "linear_queries_change_one": ((L1,), C, "queries column", linear_queries, column_times),
    "quantile_scores_symmetric": ((LINF,), S, "candidates a b", quantiles, lambda d, candidates, a, b: d * max(a, b - a)),
    "quantile_scores_change_one": ((LINF,), C, "candidates a b", quantiles, lambda d, candidates, a, b: d * b),
    "partition_symmetric": ((("PartDistance", ROWS),), S, "by keys", partition, once),
    "partition_change_one": ((("PartDistance", CHANGED),), C, "by keys", partition, once),
    "change_one_to_symmetric": ((ROWS,), C, "", same, twice), "l1_to_l2": ((L2,), "L1", "", same, squared),
    "symmetric_to_change_one": ((CHANGED,), S, "", sized, lambda d: Fraction(d // 2)),
    "l2_to_linf": ((LINF,), "L2", "", same, root), "l1_to_linf": ((LINF,), "L1", "", same, once),
    "l1_to_range": ((RANGE,), "L1", "", same, once), "linf_to_range": ((RANGE,), "LInf", "", same, twice),
    "l2_to_l1": ((L1,), "L2", "size", sized, lambda d, size: root(size * d)),
    "linf_to_l1": ((L1,), "LInf", "size", sized, lambda d, size: size * d),
    "linf_to_l2": ((L2,), "LInf", "size", sized, lambda d, size: size * d * d),
    "range_to_linf": ((LINF,), "Range", "", same, once), "edge_to_node": ((NODE,), "Edge", "", same, once),
    "node_to_edge": ((EDGE,), "Node", "size", sized, lambda d, size: (size - 1) * d),
    "granularity_to_symmetric": ((ROWS,), "Granularity", "rows", same, lambda d, rows: rows * d)}

# ---- losses: figures, each an upper bound, or a curve --------------------------------------------------------------------
Curve = Callable[[Fraction], Fraction]
Loss = Union[Tuple[Fraction, ...], Curve]
Reading = Callable[[Fraction], Loss]
MEASURES = {"pure": "epsilon", "approx": "epsilon delta", "zcdp": "rho", "renyi": "points", "gaussian": "mu",
            "total_variation": "delta", "profile": "points", "tradeoff": "points"}
def each(what: Callable[..., Fraction], losses: Sequence[Loss]) -> Loss:
    """Figure by figure, or point by point."""
    if not isinstance(losses[0], tuple):
        return lambda x: what([cast(Curve, loss)(x) for loss in losses])
    return tuple([what(figures) for figures in zip(*cast("List[Tuple[Fraction, ...]]", losses))])
def together(kind: str, losses: Sequence[Loss]) -> Loss:
    """The loss of all releases: figures add up, as do Renyi divergences of one order."""
    need(kind not in ("profile", "tradeoff") or len(losses) == 1, "such curves do not add up")
    return each(total, losses)
def worst(losses: Sequence[Loss], many: int = 1) -> Loss:
    """A loss that no so many of them exceed together."""
    return each(lambda xs: sum(sorted(xs)[-many:], ZERO), losses)
def lift(kind: str, loss: Loss, k: Fraction) -> Loss:
    """The loss at distance k, from the loss at distance 1."""
    def geometric(e: Fraction) -> Fraction: return (exp(k * e)[1] - 1) / (exp(e)[0] - 1) if e else k  # 1 + ... + e^((k-1) e)
    if not isinstance(loss, tuple):
        return lambda x: loss(x / k) * geometric(x / k) if k else ZERO
    if kind == "approx":
        return (k * loss[0], loss[1] * geometric(loss[0])) if k != 1 else loss
    return tuple([x * k ** (2 if kind in ("zcdp", "gaussian") else 1) for x in loss])

# ---- conversions: from one measure to another ----------------------------------------------------------------------------
def mixed(epsilon: Fraction, delta: Fraction, x: Fraction) -> Fraction:
    """delta at x of: with probability delta tell all, else randomized response, `(e^eps - e^x)/(1 + e^eps)`."""
    return min(ONE, delta) + max(ZERO, 1 - delta) * max(ZERO, 1 - (1 + exp(x)[0]) / (1 + exp(epsilon)[1]))
def lines(epsilon: Fraction, delta: Fraction, alpha: Fraction) -> Fraction:
    """`max(0, 1 - delta - e^eps alpha, e^-eps (1 - delta - alpha))`, from below."""
    return max(ZERO, 1 - delta - exp(epsilon)[1] * alpha, (1 - delta - alpha) / exp(epsilon)[1])
def order(divergence: Fraction, delta: Fraction, alpha: Fraction) -> Loss:
    """`eps(alpha) + log((alpha-1)/alpha) - (log delta + log alpha)/(alpha-1)`"""
    return max(ZERO, divergence + log((alpha - 1) / alpha) + log(1 / (delta * alpha)) / (alpha - 1)), delta
def below(curve: Curve, at_most: Optional[Fraction], epsilon: Fraction) -> Loss:
    delta = curve(epsilon)
    need(at_most is None or delta <= at_most, "delta at the witness epsilon is more than was asked for")
    return epsilon, delta if at_most is None else at_most
CONVERSIONS: Dict[str, Tuple[str, str, str, Callable[..., Loss]]] = {  # to, parameters, witness, and the loss from the loss
    "pure_to_approx": ("approx", "", "", lambda e: (e, ZERO)), "pure_to_zcdp": ("zcdp", "", "", lambda e: (e * e / 2,)),
    "pure_to_renyi": ("renyi", "", "", lambda e: lambda alpha: min(e, alpha * e * e / 2)),
    **{source + "_to_" + to: (to, "", "", loss) for source in ("pure", "approx") for to, loss in (
        ("total_variation", lambda e, d=ZERO: (mixed(e, d, ZERO),)),
        ("profile", lambda e, d=ZERO: partial(mixed, e, d)), ("tradeoff", lambda e, d=ZERO: partial(lines, e, d)))},
    "total_variation_to_approx": ("approx", "", "", lambda delta: (ZERO, delta)),
    "total_variation_to_profile": ("profile", "", "", lambda delta: lambda x: delta),
    "total_variation_to_tradeoff": ("tradeoff", "", "", lambda delta: lambda alpha: max(ZERO, 1 - delta - alpha)),
    "zcdp_to_renyi": ("renyi", "", "", lambda rho: lambda alpha: rho * alpha),
    "zcdp_to_approx": ("approx", "delta", "", lambda rho, delta: (rho + 2 * root(rho * log(1 / delta)), delta)),
    "zcdp_to_approx_tight": ("approx", "delta", "alpha", lambda rho, delta, alpha: order(rho * alpha, delta, alpha)),
    "renyi_to_approx": ("approx", "delta", "alpha", lambda curve, delta, alpha: order(curve(alpha), delta, alpha)),
    "gaussian_to_zcdp": ("zcdp", "", "", lambda square: (square / 2,)),
    "gaussian_to_renyi": ("renyi", "", "", lambda square: lambda alpha: alpha * square / 2),
    "profile_to_approx": ("approx", "at_most", "epsilon", below),
    "profile_to_total_variation": ("total_variation", "", "", lambda curve: (curve(ZERO),))}

# ---- measurements: measure, metrics, parameters, what they need, and the loss at d ---------------------------------------
def noisy(space: Space, step: Fraction = ONE, **parameters: object) -> None:
    of = space.row if space.domain.kind == "vector" else space.domain
    need(of.step and (of.step / step).denominator == 1, "the values do not lie on the grid of the noise")
def answered(space: Space, answers: Sequence[object], k: Fraction, p: Fraction) -> None:
    of = {"booleans": (("truth", False), ("truth", True)), "categories": space.domain.values}.get(space.domain.kind, (0,))
    need({*of} <= {*answers} and len(answers) == k >= 2 and p * k >= 1, "not all answers that can be given, or p < 1/k")
def keyed(space: Space, by: Tuple[str, object], **parameters: object) -> object: return look(space, by)
GRID, SPARSE = "sigma_squared step", "threshold threshold_scale query_scale hits"
MEASUREMENTS: Dict[str, Tuple[str, str, str, Callable[..., object], Callable[..., Loss]]] = {
    "laplace": ("pure", "Absolute L1", "scale step", noisy, lambda d, scale, step: (d / scale,)),
    "gaussian": ("zcdp", "Absolute", GRID, noisy, lambda d, sigma_squared, step: (d * d / (2 * sigma_squared),)),
    "gaussian_vector": ("zcdp", "L2", GRID, noisy, lambda d, sigma_squared, step: (d / (2 * sigma_squared),)),
    "randomized_response": ("pure", "Discrete", "answers k p", answered,
        lambda d, answers, k, p: (min(d, ONE) * log(p * (k - 1) / (1 - p)),)),
    "permute_and_flip_linf": ("pure", "LInf", "scale", unsized, lambda d, scale: (2 * d / scale,)),
    "permute_and_flip_range": ("pure", "Range", "scale", unsized, lambda d, scale: (d / scale,)),
    "exponential_linf": ("zcdp", "LInf", "scale", unsized, lambda d, scale: ((2 * d / scale) ** 2 / 8,)),
    "exponential_range": ("zcdp", "Range", "scale", unsized, lambda d, scale: ((d / scale) ** 2 / 8,)),
    "above_threshold_linf": ("pure", "LInf", SPARSE, noisy, lambda d, threshold, threshold_scale, query_scale, hits:
        (d / threshold_scale + 2 * hits * d / query_scale,)),
    "above_threshold_range": ("pure", "Range", SPARSE, noisy, lambda d, threshold, threshold_scale, query_scale, hits:
        (d / threshold_scale + hits * d / query_scale,)),
    "threshold_release": ("approx", S, "by scale at_least", keyed, lambda d, by, scale, at_least:
        lift("approx", (1 / scale, exp(-(at_least - 1) / scale)[1] / (1 + exp(-1 / scale)[0])), d)),
    "name_and_shame": ("total_variation", C, "delta", unsized, lambda d, delta: (d * delta,)),
    "random_row": ("approx", C, "size", sized, lambda d, size: (ZERO, d / size))}

# ---- the tree ------------------------------------------------------------------------------------------------------------
class Node(NamedTuple):
    """A rule applied to parameters and premises, with witnesses of what the rule asks for."""
    rule: str
    parameters: Fields
    premises: List[object]
    witness: Fields
    def read(self, space: Space, names: str, witness: str = "") -> Fields:
        found = {**at("parameters", record, self.parameters, names), **at("witness", record, self.witness, witness)}
        need(all(value is not None or name == "at_most" for name, value in found.items()), "null where a parameter belongs")
        spoken_of = [cast("Tuple[str, object]", found.get(name, ("", ""))) for name in ("condition", "by", "to")]
        functions = [found.get("function"), *cast("Tuple[str, ...]", found.get("choices", ()))]
        functions += [f for kind, f in spoken_of if kind == "function"]
        space.notes.update(("assumption", "%s: %s" % (self.rule, f)) for f in functions if f)
        return found
RULES: Dict[str, Tuple[Union[str, Tuple[Metric, ...]], str, str, Callable[..., object], Callable[..., object]]] = {
    **TRANSFORMATIONS, **MEASUREMENTS}
def node(x: object) -> Node: return cast("Callable[..., Node]", Node)(**record(x, "rule parameters premises witness"))
def judged(x: object, space: Space) -> Tuple[Union[Space, str], Reading]:
    """Of a transformation, where its outputs lie and how far apart; of a measurement, its measure and what it loses at d."""
    n = node(x)
    space.notes.add(("rule", n.rule))
    if n.rule == "chain":
        reached, maps = cast("Union[Space, str]", n.read(space, "") or space), cast("List[Callable[..., Loss]]", [])
        for i, link in enumerate(n.premises):
            need(isinstance(reached, Space), "premises/%d comes after a measurement" % i)
            reached, far = at("premises/%d" % i, judged, link, reached)
            maps.append(far)
        return reached, lambda d: reduce(lambda at_d, far: far(*cast("Tuple[Fraction]", at_d)), maps, cast(Loss, (d,)))
    if n.rule in RULES:
        what, metrics, names, fits, value = RULES[n.rule]
        need(under(metrics, *space.metrics) and not n.premises, "the rule does not hold under this metric, or has premises")
        p = n.read(space, names)
        output = at("parameters", fits, space, **p)
        if isinstance(what, str):
            return what, lambda d: cast(Loss, value(d, **p))
        if fits is vector_sum:  # a bound on the L1 norm bounds the LInf norm too, not the other way
            what = tuple([way for way in what if length(space.row, plain(way)) <= cast(Fraction, p["bound"])])
            need(what, "rows can be longer than the bound")
        made = Space(cast(Domain, output), what or space.metrics, space.notes)
        return made, lambda d: (short(cast(Fraction, value(d, **p))),)
    if n.rule in COMBINATORS:
        combine, kind, result, names = COMBINATORS[n.rule]
        return result, combine(kind, n.premises, space, **n.read(space, names))
    need(n.rule in CONVERSIONS or n.rule == "post_process", "unknown rule " + shown(n.rule))
    need(len(n.premises) == 1, "expected one premise")
    to, names, witness, convert = CONVERSIONS.get(n.rule, ("", "function", "", None))
    p, (source, inner) = n.read(space, names, witness), at("premises/0", judged, n.premises[0], space)
    need(isinstance(source, str) and (not convert or n.rule.startswith(source + "_to_")), "a premise in another measure")
    def converted(d: Fraction) -> Loss:
        loss = inner(d)
        return convert(*(loss if isinstance(loss, tuple) else (loss,)), **p) if convert else loss
    return to or source, converted

# ---- combinators: of premises in one measure, the loss in that measure ---------------------------------------------------
def several(kind: str, premises: Sequence[object], space: Space, start: int = 0) -> List[Reading]:
    found = [at("premises/%d" % i, judged, premise, space) for i, premise in enumerate(premises, start)]
    need(found and all(measure == kind for measure, _ in found), "expected premises in the measure " + kind)
    return [reading for _, reading in found]
def steps(space: Space) -> Space:
    """The same data in any number: only then, and in a metric that is whole, are distances made of steps of 1."""
    need(under(WHOLE, *space.metrics), "the metric does not count steps of 1")
    return space if space.metrics == (CHANGED,) else space._replace(domain=unsized(space))
def compose(kind: str, premises: List[object], space: Space) -> Reading:
    readings = several(kind, premises, space)
    return lambda d: together(kind, [reading(d) for reading in readings])
def group(kind: str, premises: List[object], space: Space) -> Reading:
    need(len(premises) == 1, "expected one premise")
    return partial(lift, kind, several(kind, premises, steps(space))[0](ONE))
def parallel(kind: str, premises: List[object], space: Space, keys: Tuple[object, ...]) -> Reading:
    """Each row more or less touches one part. A row replaced changes within one (the second half of the premises), or
    leaves one and may enter another (the first half, in which each part is private when a row is added or removed)."""
    n, rows, replaced = len(keys), Domain("rows", each=space.domain.each), space.metrics == (("PartDistance", CHANGED),)
    need(under("Part", *space.metrics) and keys == space.domain.values, "expected parts of these keys")
    need(len(premises) == (2 * n if replaced else n), "another number of premises than of keys")
    losses = [reading(ONE) for reading in several(kind, premises[:n], Space(rows, (ROWS,), space.notes))]
    if replaced:
        changed = several(kind, premises[n:], Space(rows, (CHANGED,), space.notes), n)
        for i in range(n):
            need(alike(premises[i], premises[n + i]), "premises %d and %d do not run alike" % (i, n + i))
        losses = [worst(losses, 2), *(reading(ONE) for reading in changed)]
    return partial(lift, kind, worst(losses))
def alike(x: object, y: object) -> bool:
    """Whether y does the same to data as x: the same rules but for the metric, or x after change_one_to_symmetric."""
    def run(z: object) -> object:
        rule = re.sub("(_l1|_l2|_linf)?_(symmetric|change_one)$", "", node(z).rule)
        return rule, {**node(z).parameters, "column": ""}, [run(premise) for premise in node(z).premises]
    links = node(y).premises
    return run(x) == run(y) or (len(links) == 2 and links[1] == x and node(links[0]).rule == "change_one_to_symmetric")
def jointly(kind: str, premises: List[object], space: Space, joint: Sequence[Sequence[Fraction]]) -> Reading:
    """Pairs of a transformation and a measurement; one step moves what they are given by at most one of the vectors."""
    need({2 * len(vector) for vector in joint} == {len(premises)}, "expected a distance for each pair")
    space.notes.add(("assumption", "one step moves what the parts are given by at most one of the joint vectors"))
    pairs = []
    for i in range(0, len(premises), 2):
        middle, far = at("premises/%d" % i, judged, premises[i], steps(space))
        need(isinstance(middle, Space), "premises/%d is not a transformation" % i)
        alone, = cast("Tuple[Fraction]", far(ONE))
        pairs.append((alone, several(kind, premises[i + 1:i + 2], cast(Space, middle), i + 1)[0]))
    return partial(lift, kind, worst([
        together(kind, [second(min(v, alone)) for (alone, second), v in zip(pairs, vector)]) for vector in joint]))
def adaptive(kind: str, premises: List[object], space: Space, losses: Sequence[Loss], choices: Sequence[str]) -> Reading:
    fit = {len(cast("Tuple[Fraction, ...]", loss)) for loss in losses} == {len(MEASURES[kind].split())}
    need(fit and len(losses) == len(choices) and not premises and steps(space), "expected a loss for each choice")
    return partial(lift, kind, together(kind, losses))
def advanced(kind: str, premises: List[object], space: Space, slack: Fraction) -> Reading:
    readings = several(kind, premises, space)
    def at_d(d: Fraction) -> Loss:
        losses = cast("List[Tuple[Fraction, ...]]", [reading(d) for reading in readings])
        squares, drift = total([e[0] * e[0] for e in losses]), total([e[0] * mixed(e[0], ZERO, ZERO) for e in losses])
        return root(2 * log(1 / slack) * squares) + drift, total([slack, *(delta for e in losses for delta in e[1:])])
    return at_d
ADD = "pure approx zcdp gaussian total_variation"
COMBINATORS: Dict[str, Tuple[Callable[..., Reading], str, str, str]] = {
    prefix + kind: (combine, kind, "approx" if combine is advanced else kind, names) for prefix, combine, names, kinds in (
        ("compose_", compose, "", " ".join(MEASURES)), ("group_", group, "", ADD + " profile"),
        ("parallel_symmetric_", parallel, "keys", ADD + " profile"), ("parallel_change_one_", parallel, "keys", ADD),
        ("general_composition_", jointly, "joint", ADD), ("adaptive_", adaptive, "losses choices", ADD),
        ("advanced_composition_", advanced, "slack", "pure approx")) for kind in kinds.split()}

# ---- the whole certificate -----------------------------------------------------------------------------------------------
def whole(x: Fraction) -> bool: return x.denominator == 1
NUMBER, COUNT = partial(bounded, "", lambda x: True), partial(bounded, "whole, from 1", lambda x: x >= 1 and whole(x))
POSITIVE, LEAST = partial(bounded, "above 0", lambda x: x > 0), partial(bounded, "from 0", lambda x: x >= 0)
UNIT, ORDER = partial(bounded, "between 0 and 1", lambda x: 0 < x < 1), partial(bounded, "above 1", lambda x: x > 1)
CONSTANTS: Dict[str, Callable[[object], object]] = {
    "null": partial(a, type(None)), "truth": partial(a, bool), "text": text, "number": NUMBER, "date": text}
READ: Dict[str, Callable[[object], object]] = {name: read for names, read in cast("Dict[str, Callable[[object], object]]", {
    "scale threshold_scale query_scale sigma_squared d_in": POSITIVE, "column epsilon": LEAST, "delta slack p": UNIT,
    "limit k hits b": COUNT, "at_most": partial(maybe, UNIT), "alpha": ORDER, "low high": partial(maybe, NUMBER),
    "step": partial(maybe, POSITIVE), "bound": partial(maybe, LEAST), "size rows": partial(maybe, COUNT),
    "a": partial(bounded, "that is whole, from 0", lambda x: x >= 0 and whole(x)), "candidates": partial(different, NUMBER),
    "at_least": partial(bounded, "that is whole, from 2", lambda x: x >= 2 and whole(x)), "to condition by": spoken,
    "keys bins answers values": partial(different, constant), "threshold": partial(bounded, "that is whole", whole),
    "function": opaque, "losses joint": partial(listed, partial(listed, LEAST)),
    "kind op name digest type person rule format dpcore code neighbours measure": text,
    "domain": domain, "each": lambda x: (domain(x),), "first last": partial(maybe, text), "metric within": metric,
    "fields": lambda x: tuple([(name, at(name, domain, of)) for name, of in sorted(a(dict, x).items())]),
    "norm": partial(maybe, partial(one_of, ["L1", "L2", "LInf"])), "space": lambda x: record(x, "domain metric"),
    "expression record parameters witness loss": partial(a, dict), "premises claims": partial(a, list),
    "derivation value": lambda x: x, "of queries": partial(listed, lambda x: x), "choices": partial(listed, opaque),
    "assumptions attention names": lambda x: different(text, x) if x else tuple(a(list, x)),
}).items() for name in names.split()}
ATTENTION = {"count_change_one": "the number of rows is public, and no noise protects it",
             "name_and_shame": "some rows are published as they are", "random_row": "a row is published as it is"}
CITATIONS = {
    "laplace": "Dwork, McSherry, Nissim, Smith 2006", "gaussian_to": "Dong, Roth, Su 2022", "randomized": "Warner 1965",
    "gaussian": "Canonne, Kamath, Steinke 2020", "permute": "McKenna, Sheldon 2020", "parallel": "McSherry 2009",
    "exponential": "Cesar, Rogers 2021", "above": "Lyu, Su, Li 2017", "adaptive": "Rogers, Roth, Ullman, Vadhan 2016",
    "advanced": "Kairouz, Oh, Viswanath 2017", "zcdp_to_approx_tight": "Canonne, Kamath, Steinke 2020",
    "zcdp_to": "Bun, Steinke 2016", "renyi_to": "Canonne, Kamath, Steinke 2020", "": "argued in proofs/RULES.md"}
TRUSTED = ["trusted: the library runs what the derivation says, on data of the input space, with exactly the noise named",
           "trusted: functions of rows are pure and total; this checker and Python; how long a release takes is not covered"]
def verify(data: bytes) -> Tuple[List[str], List[List[Fraction]]]:
    """What was verified, in words, and the figures worked out for each of the claims."""
    sys.setrecursionlimit(max(5000, sys.getrecursionlimit()))  # a few frames for each of at most DEPTH levels
    need(len(data) <= BYTES, "longer than a certificate may be")
    given = record(parse(data), "format dpcore code neighbours space derivation claims assumptions attention")
    of, way = cast("Tuple[Domain, Metric]", tuple(cast(Fields, given["space"]).values()))
    notes: Set[Tuple[str, str]] = set()
    need(given["format"] == FORMAT and measures(way, of), "another format, or a metric that does not measure the domain")
    kind, reading = at("derivation", judged, given["derivation"], Space(of, (way,), notes))
    claims = cast("List[object]", given["claims"])
    said = [at("claims/%d" % i, claim, x, kind, reading, of, way) for i, x in enumerate(claims)]
    rules, found = (sorted(x for what, x in notes if what == name) for name in ("rule", "assumption"))
    attention = ["%s: %s" % (rule, ATTENTION[rule]) for rule in rules if rule in ATTENTION]
    if not any(any(figures) for _, figures in said):
        attention += ["the loss is 0: what is released does not depend on what is protected"]
    for name, expected in (("neighbours", words(way)), ("attention", tuple(attention)), ("assumptions", tuple(found))):
        need(said and given[name] == expected, "%s: expected %s, and a claim" % (name, shown(expected)))
    source = {rule: next(source for prefix, source in CITATIONS.items() if rule.startswith(prefix)) for rule in rules}
    return ["claim: " + each for each, _ in said] + ["attention: " + each for each in attention] + [
        "proved: " + rule if rule in PROVED else "assumed: %s (%s)" % (rule, source[rule]) for rule in rules] + [
        "assumption: " + shown(each)[1:-1] for each in found] + TRUSTED, [figures for _, figures in said]
def brief(x: Fraction) -> str:
    short_enough = max(x.numerator, x.denominator) < 10 ** 9
    return str(x) if short_enough else "about %.15g" % x if 10 ** -300 < x < 10 ** 300 else "beyond 1e300"
def claim(x: object, kind: object, reading: Reading, of: Domain, way: Metric) -> Tuple[str, List[Fraction]]:
    """The claim in words, and the figures worked out: each at most what is claimed, which is no more but for rounding."""
    given = record(x, "d_in measure loss")
    d, claimed = cast(Fraction, given["d_in"]), cast(Fields, given["loss"])
    need(given["measure"] == kind, "measure: the derivation gives another")
    need((whole(d) or not under(WHOLE, way)) and (d <= 1 or way != DISCRETE), "d_in: the metric has no such distance")
    need(d != 1 or not (of.size and under("Symmetric Person", way)), "d_in: vacuous, no data sets of one size are 1 apart")
    loss, names = reading(d * d if way == L2 else d), MEASURES[text(kind)].split()
    need({*claimed} == {*names}, "loss: expected " + " ".join(names))
    if isinstance(loss, tuple):
        said = [(name, f, at("loss/" + name, LEAST, claimed[name])) for name, f in zip(names, loss)]
    else:
        points = at("loss/points", listed, partial(listed, LEAST), claimed["points"])
        least, most = {"renyi": (ONE, UNBOUNDED), "profile": (-ONE, UNBOUNDED), "tradeoff": (-ONE, ONE)}[text(kind)]
        need(all(len(point) == 2 and least < point[0] <= most for point in points), "loss: the curve has no such point")
        said = [("at %s" % point[0], loss(point[0]), point[1]) for point in points]
    best = kind == "tradeoff"  # there a larger figure claims more
    for name, f, c in said:
        low, high = (c, f) if best else (f, c * c if name == "mu" else c)
        near = low <= high <= max(low + low / 10 ** 15, Fraction(1, 10 ** 300))
        need(near, "loss: %s is not what was worked out, %s" % (name, brief(f)))
        need(c < 1 or (name != "delta" and kind != "profile"), "loss: vacuous, a delta of 1 promises nothing")
    figures = ["%s %s %s" % (n, "><"[not best] + "=", brief(c)) for n, _, c in said]
    between = "between data %s apart (1 apart is: %s), %s: " % (d, shown(words(way))[1:-1], kind)
    return between + ", ".join(figures), [f for _, f, _ in said]
def main(paths: Sequence[str]) -> int:
    gc.disable()  # a certificate of ten thousand leaves is all live objects, and looking through them again costs a third
    status = 0 if paths else 2
    for path in paths:
        try:
            with open(path, "rb") as file:
                lines, found = ["verified: " + shown(path), *verify(file.read(BYTES + 1))[0]], 0
        except Rejected as rejected:
            lines, found = ["rejected at /%s: %s" % ("/".join(shown(part)[1:-1] for part in rejected.place), rejected)], 1
        except (OSError, ValueError) as error:
            lines, found = ["not a certificate: %s: %s" % (shown(path), type(error).__name__)], 2
        print("\n".join(lines))
        status = max(status, found)
    return status
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
