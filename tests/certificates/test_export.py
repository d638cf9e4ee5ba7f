"""What is written for Coq is what the file holds: read back by a few lines that know just the terms that are written."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.certificates.tools import ROOT

Term = Any
"""A term of Coq as Python holds it: a text, a list, pairs, or a function of one argument."""


def _export() -> Callable[[bytes], bytes]:
    spec = importlib.util.spec_from_file_location("export", ROOT / "proofs" / "coq" / "export.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Callable[[bytes], bytes]", module.exported)


written = _export()


def exported(data: bytes) -> str:
    return written(data).decode("utf-8", errors="surrogatepass")


TOKENS = re.compile(r'"(?:[^"]|"")*"(?:%char)?|[()\[\];,.]|:=?|@?[A-Za-z0-9_]+')


def _of(arity: int, make: Callable[..., Term], *given: Term) -> Term:
    return make(*given) if len(given) == arity else lambda x: _of(arity, make, *given, x)


KNOWN: Mapping[str, Term] = {
    "JNull": None, "JBad": "bad", "true": True, "false": False, "nil": [], "EmptyString": "", "json": "json",
    "JBool": lambda x: x, "JText": lambda x: x, "JList": lambda x: x, "JObject": dict,
    "String": _of(2, lambda c, s: c + s), "@cons": _of(3, lambda _, x, xs: [x, *xs]),
}  # fmt: skip


NOTHING = object()
"""Between the brackets of an empty list."""


def read(text: str) -> Term:
    """The certificate that a file for Coq defines."""
    names, sentence = dict(KNOWN), list[str]()
    for token in TOKENS.findall(text):
        if token != ".":
            sentence.append(token)
            continue
        if sentence[0] == "Definition":
            at = sentence.index(":=")
            head = sentence[1:at] if ":" not in sentence[:at] else sentence[1 : sentence.index(":")]
            names[head[0]] = _function(head[1:], sentence[at + 1 :], names)
        sentence = []
        if "certificate" in names:
            return names["certificate"]
    raise AssertionError("no certificate")


def _function(arguments: list[str], body: list[str], names: Mapping[str, Term]) -> Term:
    held = dict(names)
    return _of(
        len(arguments), lambda *values: _term(iter(body), {**held, **dict(zip(arguments, values, strict=True))})[0]
    )


def _term(tokens: Iterator[str], names: Mapping[str, Term]) -> tuple[Term, str]:
    """An application, and the token that ends it."""
    found: list[Term] = []
    for token in tokens:
        if token in ("]", ")", ";", ","):
            return _applied(found), token
        if token == "(":
            inner, end = _term(tokens, names)
            found.append((inner, _term(tokens, names)[0]) if end == "," else inner)
        elif token == "[":
            items, end = [], ";"
            while end == ";":
                item, end = _term(tokens, names)
                items += [] if item is NOTHING else [item]
            found.append(items)
        else:
            found.append(token.removesuffix("%char")[1:-1].replace('""', '"') if token[0] == '"' else names[token])
    return _applied(found), ""


def _applied(found: list[Term]) -> Term:
    first, *rest = found or [NOTHING]
    for each in rest:
        first = first(each)
    return first


texts = st.one_of(
    st.sampled_from(["0", "1/2", "-3", "h0", "h1", "laplace", 'a"b', "\0 hole", "x0"]), st.text(max_size=4)
)
trees = st.recursive(
    st.one_of(st.none(), st.booleans(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=30,
)


@given(trees, st.integers(1, 3))
def test_every_tree(tree: object, times: int) -> None:
    again = {"tree": [tree] * times, "other": [{"a": tree, "b": str(i), "c": {"d": f"{i}/7"}} for i in range(times)]}
    assert read(exported(json.dumps(again).encode())) == again


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests" / "certificates" / "accept").glob("*.json")), ids=lambda f: f.stem
)
def test_every_certificate(file: Path) -> None:
    assert read(exported(file.read_bytes())) == json.loads(file.read_bytes())


def test_long_lists_and_long_numbers() -> None:
    tree = {"many": [str(i) for i in range(350)], "same": ["7"] * 250, "long": "1" * 300, "deep": [[["1/3"]]]}
    assert read(exported(json.dumps(tree).encode())) == tree
