#!/usr/bin/env python3
"""Writes a certificate as a Coq file: what it holds, its verdict, and the theorem that follows. The standard library only.

    python -I -S export.py total.cert.json > Certificate.v
    coqc -Q theory DPcore -Q checker DPchecker Certificate.v

The term is the JSON of the file and nothing else: what each field means is decided in Coq (checker/Decode.v). What occurs
often is defined once, so that Coq reads it once.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Final, Union


class Bad:
    """What no certificate holds: a bare number, or an object with a repeated key."""


Json = Union[None, bool, str, int, Bad, "list[Json]", "dict[str, Json]"]
"""No number comes from a file (see `unreadable`): one stands for a hole, a text left open in what is otherwise alike."""

BAD: Final = Bad()
DEPTH: Final = 200
"""What is nested deeper is no certificate."""

HEAD = """From Coq Require Import String Ascii List.
From DPchecker Require Import Json Told Verdict.
Import ListNotations.
Open Scope string_scope.
"""
FOOT = """
Theorem accepted : verdict_on certificate = Accepted.
Proof. vm_cast_no_check (eq_refl Accepted). Qed.
Set Printing Width 1000000000.
Set Printing Depth 1000000000.
Eval vm_compute in told_of certificate.
Definition what_it_means := verdict_sound certificate accepted.
Check what_it_means.
Print Assumptions what_it_means.
"""
DIGITS: Final = frozenset("-/0123456789")
CHUNK: Final = 100
PACE: Final = 2


class Writer:
    """The definitions so far, by the term that each stands for.

    Coq takes its time for each constructor it reads, so what occurs often is a definition; what is alike but for texts that
    occur once, a function of these; a number is written by its digits, which is quicker than a literal; and of a long list
    each piece is a definition, as the time for one grows faster than its length.
    """

    def __init__(self, found: Json) -> None:
        self.keys: dict[int, tuple[Json, str]] = {}
        self.often: Counter[str] = Counter()
        self.alike: Counter[str] = Counter()
        self.names: dict[str, str] = {}
        self.lines: list[str] = []
        self._count(found)
        self._compare(found)

    def key(self, x: Json) -> str:
        """What two terms have in common if they are the same: their text. Each is kept, so that its id stays its own."""
        if isinstance(x, str):
            return '"' + x
        if id(x) not in self.keys:
            self.keys[id(x)] = x, dumped(x)
        return self.keys[id(x)][1]

    def _count(self, x: Json) -> None:
        """How often each term occurs."""
        self.often[self.key(x)] += 1
        for each in parts(x):
            self._count(each)

    def _compare(self, x: Json) -> None:
        """How often each object occurs that is alike but for texts; objects in one that did, not again."""
        if isinstance(x, dict) and self.often[self.key(x)] == 1:
            key = dumped(self.hollow(x, []))
            self.alike[key] += 1
            if self.alike[key] > 1:
                return
        for each in parts(x):
            self._compare(each)

    def hollow(self, x: Json, texts: list[str]) -> Json:
        """The same with holes in the place of texts that occur once, which are put into the list."""
        if isinstance(x, str) and self.often[self.key(x)] == 1:
            texts.append(x)
            return len(texts) - 1
        if self.often[self.key(x)] > 1:
            return x
        if isinstance(x, list):
            return [self.hollow(each, texts) for each in x]
        return {name: self.hollow(each, texts) for name, each in x.items()} if isinstance(x, dict) else x

    def named(self, key: str, body: str, letter: str, arguments: str = "") -> str:
        if key not in self.names:
            self.names[key] = f"{letter}{len(self.names)}"
            self.lines.append(f"Definition {self.names[key]}{arguments} := {body}.")
        return self.names[key]

    def text(self, x: str) -> str:
        if self.often[self.key(x)] == 1 and 0 < len(x) <= CHUNK and DIGITS.issuperset(x):
            digits = [self.digits(x[i : i + PACE]) for i in range(0, len(x), PACE)]
            return "".join([f"({digit} " for digit in digits]) + "EmptyString" + ")" * len(digits)
        literal = '"{}"'.format(x.replace('"', '""'))
        return self.named("text " + literal, literal, "t") if self.often[self.key(x)] > 1 else literal

    def digits(self, x: str) -> str:
        body = "".join([f'String "{c}" (' for c in x]) + "rest" + ")" * len(x)
        return self.named("digits " + x, body, "d", " rest")

    def shape(self, fields: tuple[str, ...]) -> str:
        """An object with these fields, as a function of their values."""
        body = "; ".join(f"({self.text(name)}, x{i})" for i, name in enumerate(fields))
        return self.named("shape " + json.dumps(fields), f"JObject [{body}]", "o", arguments("x", len(fields)))

    def listed(self, terms: list[str]) -> str:
        if len(terms) <= CHUNK:
            inside = "; ".join([f"x{i}" for i in range(len(terms))])
            return " ".join(
                [self.named(f"list {len(terms)}", f"JList [{inside}]", "l", arguments("x", len(terms))), *terms]
            )
        link = self.named("link", "@cons json", "c")
        pieces = [terms[i : i + CHUNK] for i in range(0, len(terms), CHUNK)]
        bodies = [f"{link} {f' ({link} '.join(piece)} rest{')' * (len(piece) - 1)}" for piece in pieces]
        names = [self.named("piece " + body, body, "p", " rest") for body in bodies]
        return f"JList ({' ('.join(names)} nil{')' * len(names)}"

    def term(self, x: Json) -> str:
        written = self.key(x)
        key = "term " + written
        if key in self.names:
            return self.names[key]
        plain: dict[bool | None, str] = {None: "JNull", True: "(JBool true)", False: "(JBool false)"}
        if x is None or isinstance(x, bool):
            return plain[x]
        if isinstance(x, Bad):
            return "JBad"
        if isinstance(x, int):
            return f"(JText h{x})"
        if isinstance(x, str):
            body = f"JText {self.text(x)}"
        elif isinstance(x, list):
            body = self.listed([self.term(each) for each in x])
        else:
            body = self.record(x)
        return self.named(key, body, "v") if self.often[written] > 1 else f"({body})"

    def record(self, x: dict[str, Json]) -> str:
        texts: list[str] = []
        hollow = self.hollow(x, texts)
        alike = dumped(hollow)
        if texts and self.alike[alike] > 1:
            key = "alike " + alike
            body = self.term(hollow) if key not in self.names else ""
            return " ".join([self.named(key, body, "f", arguments("h", len(texts))), *map(self.text, texts)])
        return " ".join([self.shape(tuple(x)), *[self.term(each) for each in x.values()]])


def parts(x: Json) -> list[Json]:
    """What is in it, names of fields too."""
    return x if isinstance(x, list) else [y for p in x.items() for y in p] if isinstance(x, dict) else []


def dumped(x: Json) -> str:
    """One text for each term: 1.5 is the only number in it, and stands for what is bad."""
    return json.dumps(x, default=lambda bad: 1.5)


def too_deep(x: Json) -> bool:
    """Whether it is nested deeper than a certificate."""
    level = [x]
    for _ in range(DEPTH):
        level = [each for y in level for each in parts(y) if isinstance(each, (list, dict))]
    return bool(level)


def arguments(letter: str, many: int) -> str:
    return "".join(f" {letter}{i}" for i in range(many))


def unreadable(number: str) -> Json:
    return BAD


def unique(pairs: list[tuple[str, Json]]) -> Json:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else BAD


def exported(data: bytes) -> bytes:
    """The Coq file of a certificate. What is no JSON raises ValueError."""
    try:
        found: Json = json.loads(
            data.decode("utf-8"),
            parse_int=unreadable,
            parse_float=unreadable,
            parse_constant=unreadable,
            object_pairs_hook=unique,
        )
    except RecursionError:
        found = BAD
    if too_deep(found):
        found = BAD
    writer = Writer(found)
    body = writer.term(found)
    text = "\n".join([HEAD, *writer.lines, f"Definition certificate : json := {body}.", FOOT])
    return text.encode("utf-8", errors="surrogatepass")  # half a character is what JSON may hold, and no text of ours


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        sys.stdout.buffer.write(exported(file.read()))
