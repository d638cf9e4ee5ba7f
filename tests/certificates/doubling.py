"""How long the checkers work where one thing of a certificate grows: `python -m tests.certificates.doubling [RULE...]`

Of every example of the catalogue the certificate is taken, and each number, text and list in it is grown by doubling, one
at a time: numbers to a thousand digits and beyond, above and below, lists and texts to tens of thousands. A combinator is
given many parts, the same and others, with all that has to be as long, and stands in itself; `--combined` asks for these
alone. Each file is given to both checkers that are programs, with a hard limit. What is not decided within it is printed,
and what grows much faster than it should, or is not decided alike. Nothing of this is a test, as processors differ:
`test_doubling.py` keeps files that were found so.
"""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from dpcore.errors import DPError
from tests.certificates.tools import CHECKER, checker, measurements, of_example

DPCHECK: Final = CHECKER.parent / "coq" / "extract" / "dpcheck"
HARD: Final = 10
"""Seconds after which a checker is stopped."""
LONG: Final = 1.0
"""Seconds from which a doubling is looked at."""
NUMBERS: Final = (16, 64, 3000)
"""Powers of two by which a number is multiplied, or divided."""
LISTS: Final = (1 << 12, 1 << 13)
PARTS: Final = (1 << 7, 1 << 9, 1 << 11)
"""How many parts a combinator is given, each with all that belongs to it."""
NESTED: Final = (20, 40, 80)
"""How often a combinator stands in itself: half as deep as a file may be nested."""

Place = tuple[str | int, ...]


class Grown(NamedTuple):
    """A certificate of which one thing was grown, in so many steps of it."""

    rule: str
    place: Place
    way: str
    size: int
    data: Any


def _places(x: Any, rules: set[str], here: Place = (), own: bool = True) -> Iterator[tuple[Place, Any]]:
    """Those that belong to one of the rules, or to the certificate."""
    if isinstance(x, dict) and "rule" in x:
        own = x["rule"] in rules
    if own and here:
        yield here, x
    inner = x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()
    for key, each in inner:
        if key not in (
            "format",
            "dpcore",
            "code",
            "digest",
            "kind",
            "op",
            "rule",
            "measure",
            "evidence",
            "neighbours",
            "attention",
            "assumptions",
        ):
            yield from _places(each, rules, (*here, key), own)


def _number(x: Any) -> Fraction | None:
    try:
        return Fraction(x) if isinstance(x, str) else None
    except ValueError:
        return None


def _others(each: Any, n: int) -> list[Any]:
    """So many like it, all different where it is a constant or a number."""
    if isinstance(each, dict) and each.get("op") in ("number", "text"):
        return [{**each, "value": str(i + 1)} for i in range(n)]
    number = _number(each)
    if number is not None:
        return [str(number + Fraction(i, 2 * n)) for i in range(n)]
    if isinstance(each, str):
        return [f"{each} {i}" for i in range(n)]
    if isinstance(each, list) and each and _number(each[0]) is not None:
        return [[str(Fraction(each[0]) + Fraction(i, 2 * n)), *each[1:]] for i in range(n)]
    return [each] * n


def _grown(x: Any) -> Iterator[tuple[str, int, Any]]:
    number = _number(x)
    if number is not None:
        for k in NUMBERS:
            yield "larger", k, str(number * 2**k)
            yield "smaller", k, str(number / 2**k)
            yield "longer", k, str(number + Fraction(1, 3**k))
    elif isinstance(x, str):
        for n in LISTS:
            yield "text", 64 * n, x + "a" * 64 * n
    elif isinstance(x, list) and x:
        for n in LISTS:
            yield "list", n, _others(x[0], n)
    elif isinstance(x, dict) and x and not {"rule", "kind", "op"} & set(x):
        for n in LISTS:
            name, each = next(iter(x.items()))
            yield "record", n, {**x, **{f"{name} {i}": each for i in range(n, 0, -1)}}


def _other(node: Any, i: int, n: int) -> Any:
    """The part with one number of it a little larger, so that no two parts are the same."""
    found = copy.deepcopy(node)
    waiting = [found]
    while waiting:
        each = waiting.pop()
        for name, x in each["parameters"].items():
            number = _number(x)
            if number is not None and name in ("scale", "sigma_squared", "query_scale", "delta"):
                each["parameters"][name] = str(number * (1 + Fraction(i, 2 * n)))
                return found
        waiting += each["premises"]
    return found


def _scaled(x: Any, before: int, times: int) -> Any:
    """Lists that have one member for each part, or for each two, with so many times as many: keys all different."""
    if not isinstance(x, list) or not x or len(x) not in (before, before // 2, 2 * before):
        return [_scaled(each, before, times) for each in x] if isinstance(x, list) else x
    return _others(x[0], len(x) * times)


def _combined(node: Any) -> Iterator[tuple[str, int, Any]]:
    """A combinator of many parts, and of itself: what has to be as long as the parts are many grows with them."""
    before = len(node["premises"])
    if not before or node["rule"] == "chain":
        return
    for n in PARTS:
        times = max(1, n // before)
        parameters = {name: _scaled(x, before, times) for name, x in node["parameters"].items()}
        pairs = node["rule"].startswith("general_composition")
        for way in ("parts", "other parts"):
            many = node["premises"] * times
            if node["rule"].startswith(
                "parallel_change_one"
            ):  # first those of rows that move, then those of rows that change
                many = [each for half in (0, before // 2) for each in [node["premises"][half]] * (before // 2 * times)]
            if way == "other parts":
                half = len(many) // 2 if "change_one" in node["rule"] else len(many)
                many = [each if pairs and not i % 2 else _other(each, i % half, half) for i, each in enumerate(many)]
            yield way, n, {**node, "parameters": parameters, "premises": many}
    for n in NESTED:
        found = node
        for _ in range(n):
            found = {**node, "premises": [found, *node["premises"][1:]]}
        yield "nested", n, found


def _put(data: Any, place: Place, value: Any) -> Any:
    found = copy.deepcopy(data)
    holder = found
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = value
    return found


def _rules(x: Any) -> set[str]:
    if isinstance(x, list):
        return set().union(*map(_rules, x))
    if not isinstance(x, dict):
        return set()
    own = {x["rule"]} if isinstance(x.get("rule"), str) else set()
    return own.union(*map(_rules, x.values()))


def certificates() -> Iterator[tuple[set[str], Any]]:
    """One for each set of rules, the shortest."""
    found: dict[frozenset[str], bytes] = {}
    for name in measurements():
        try:
            written = of_example(name).text()
        except DPError:
            continue  # of rows whose number is public, none are 1 apart
        rules = frozenset(_rules(json.loads(written)["derivation"]))
        if rules not in found or len(written) < len(found[rules]):
            found[rules] = written
    seen: set[str] = set()
    for rules, written in sorted(found.items(), key=lambda pair: len(pair[1])):
        if rules - seen:
            yield set(rules - seen), json.loads(written)
            seen |= rules


def every(asked: list[str]) -> Iterator[Grown]:
    for rules, data in certificates():
        if asked and not rules & {*asked}:
            continue
        for place, x in _places(data, rules):
            for way, size, value in _grown(x):
                yield Grown(" ".join(sorted(rules)), place, way, size, _put(data, place, value))
            if isinstance(x, dict) and x.get("rule") in rules:
                for way, size, value in _combined(x):
                    yield Grown(x["rule"], place, way, size, _put(data, place, value))


def combined(asked: list[str]) -> Iterator[Grown]:
    """Combinators alone, which are most of what takes long."""
    for grown in every(asked):
        if grown.way in ("parts", "other parts", "nested"):
            yield grown


def python(path: str) -> tuple[int, float]:
    """The status of the Python checker in a process of its own, which a signal stops; and how long it took."""
    start, child = perf_counter(), os.fork()
    if not child:
        signal.alarm(HARD)
        os._exit(checker.judge(path)[0])
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), perf_counter() - start


def dpcheck(path: str) -> tuple[int, float]:
    start = perf_counter()
    done = subprocess.run([str(DPCHECK), "--seconds", str(HARD), path], capture_output=True, check=False)
    return done.returncode, perf_counter() - start


def main(asked: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.json"
        last: dict[tuple[object, ...], float] = {}
        rules = [each for each in asked if each != "--combined"]
        for grown in combined(rules) if "--combined" in asked else every(rules):
            path.write_text(json.dumps(grown.data))
            statuses = []
            for asked_of in (python, dpcheck):
                status, took = asked_of(str(path))
                name = asked_of.__name__
                statuses.append(status)
                key = name, grown.rule, grown.place, grown.way
                faster = took > LONG and took > 3 * last.get(key, took)
                last[key] = took
                if status in (-signal.SIGALRM, 4) or faster or took > 4 * LONG:
                    print(
                        f"{name}: {grown.rule}: {grown.place} {grown.way} {grown.size}: {status} after {took:.1f} s",
                        flush=True,
                    )
            if len({*statuses}) > 1:
                print(f"differ: {grown.rule}: {grown.place} {grown.way} {grown.size}: {statuses}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
