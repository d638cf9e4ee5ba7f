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

Json = Union[None, bool, str, "list[Json]", "dict[str, Json]"]

BAD: Final = "\0 what no certificate holds: a bare number, or an object with a repeated key"
"""A text that cannot be mistaken for one of a file: no text of a certificate that is accepted holds a zero byte."""

HEAD = """From Coq Require Import String List.
From DPchecker Require Import Json Verdict.
Import ListNotations.
Open Scope string_scope.
"""
FOOT = """
Theorem accepted : verdict_on certificate = Accepted.
Proof. vm_cast_no_check (eq_refl Accepted). Qed.
Definition what_it_means := verdict_sound certificate accepted.
Check what_it_means.
Print Assumptions what_it_means.
"""


class Writer:
    """The definitions so far, by the term that each stands for."""

    def __init__(self, found: Json) -> None:
        self.often: Counter[str] = Counter()
        self.names: dict[str, str] = {}
        self.lines: list[str] = []
        self._count(found)

    def _count(self, x: Json) -> str:
        """The term in full; how often it occurs is counted, and what is in it only the first time."""
        term = json.dumps(x)
        self.often[term] += 1
        if self.often[term] == 1:
            for each in x if isinstance(x, list) else [y for p in x.items() for y in p] if isinstance(x, dict) else []:
                self._count(each)
        return term

    def named(self, key: str, body: str, letter: str, arguments: str = "") -> str:
        if key not in self.names:
            self.names[key] = f"{letter}{len(self.names)}"
            self.lines.append(f"Definition {self.names[key]}{arguments} := {body}.")
        return self.names[key]

    def text(self, x: str) -> str:
        literal = '"{}"'.format(x.replace('"', '""'))
        return self.named("text " + literal, literal, "t") if self.often[json.dumps(x)] > 1 else literal

    def shape(self, fields: tuple[str, ...]) -> str:
        """An object with these fields, as a function of their values."""
        body = "; ".join(f"({self.text(name)}, x{i})" for i, name in enumerate(fields))
        arguments = "".join(f" x{i}" for i in range(len(fields)))
        return self.named("shape " + json.dumps(fields), f"JObject [{body}]", "o", arguments)

    def term(self, x: Json) -> str:
        key = "term " + json.dumps(x)
        if key in self.names:
            return self.names[key]
        plain: dict[bool | None, str] = {None: "JNull", True: "(JBool true)", False: "(JBool false)"}
        if x is None or isinstance(x, bool):
            return plain[x]
        if x == BAD:
            return "JBad"
        if isinstance(x, str):
            body = f"JText {self.text(x)}"
        elif isinstance(x, list):
            body = "JList [{}]".format("; ".join([self.term(each) for each in x]))
        else:
            body = " ".join([self.shape(tuple(x)), *[self.term(each) for each in x.values()]])
        return self.named(key, body, "v") if self.often[json.dumps(x)] > 1 else f"({body})"


def unreadable(number: str) -> Json:
    return BAD


def unique(pairs: list[tuple[str, Json]]) -> Json:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else BAD


def exported(data: bytes) -> str:
    """The Coq file of a certificate. What is no JSON raises ValueError."""
    found: Json = json.loads(
        data, parse_int=unreadable, parse_float=unreadable, parse_constant=unreadable, object_pairs_hook=unique
    )
    writer = Writer(found)
    body = writer.term(found)
    return "\n".join([HEAD, *writer.lines, f"Definition certificate : json := {body}.", FOOT])


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        sys.stdout.buffer.write(exported(file.read()).encode("utf-8"))
