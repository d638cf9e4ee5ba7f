"""The document that a certificate is: its tree, its remarks, and the one way in which it is written."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import cast

from dpcore.certificates import encoding, remarks
from dpcore.certificates.encoding import Json
from dpcore.certificates.language import LANGUAGE, parameters
from dpcore.certificates.refusals import NotCertifiable
from dpcore.certificates.witnesses import Found, Witness
from dpcore.derivation import Derivation

FORMAT = "dpcore-certificate/1"
DEPTH = 180
"""How deep a certificate may be nested; the checker's limit is a little higher."""

Data = dict[str, Json]


# ---- the tree ----------------------------------------------------------------------------------------------------------


def tree_of(derivation: Derivation) -> Data:
    """The derivation as data, with the witnesses that the user named."""
    rule = derivation.rule
    return {
        "rule": rule.name,
        "parameters": {**parameters(rule.name, derivation.parameters)},
        "premises": [tree_of(premise) for premise in derivation.premises],
        "witness": _named(derivation),
    }


def _named(derivation: Derivation) -> Witness:
    rule = derivation.rule
    held = {word.partition("=")[2] or word for word in LANGUAGE[rule.name].split()}
    given = {name: derivation.parameters.get(name) for name in rule.map_names if name not in held}
    return {name: encoding.number(value) for name, value in given.items() if value is not None}


def with_witnesses(tree: Mapping[str, Json], derivation: Derivation, found: Found) -> Data:
    """The tree with the witnesses that were found for a derivation of the same shape."""
    premises = zip(premises_of(tree), derivation.premises, strict=True)
    return {
        **tree,
        "premises": [with_witnesses(premise, of, found) for premise, of in premises],
        "witness": found.witness.get(id(derivation), {}),
    }


def premises_of(tree: Mapping[str, Json]) -> list[Data]:
    return cast("list[Data]", tree["premises"])


def nodes_of(tree: Mapping[str, Json]) -> Iterable[Mapping[str, Json]]:
    """The node itself, and all below it."""
    yield tree
    for premise in premises_of(tree):
        yield from nodes_of(premise)


# ---- the whole ---------------------------------------------------------------------------------------------------------


def assembled(head: Data, tree: Data, claim: Data, *, lossless: bool) -> Data:
    """The document, with what it must say beside the numbers. `head` names the neighbours and the space."""
    nodes = list(nodes_of(tree))
    data: Data = {
        "format": FORMAT,
        "dpcore": version(),
        "code": _code(),
        **head,
        "derivation": tree,
        "claims": [claim],
        "assumptions": remarks.assumptions(nodes),
        "attention": remarks.attention({cast(str, node["rule"]) for node in nodes}, lossless=lossless),
    }
    if _depth(data) > DEPTH:
        raise NotCertifiable(f"the derivation is nested more than {DEPTH} deep")
    return data


def canonical(data: Mapping[str, Json]) -> str:
    """The one text of a document."""
    return json.dumps(data, sort_keys=True, indent=1, ensure_ascii=True) + "\n"


def _depth(x: Json) -> int:
    inner = x.values() if isinstance(x, dict) else x if isinstance(x, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)


def version() -> str:
    try:
        return metadata.version("dpcore")
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def _code() -> str:
    """A digest of the code of dpcore."""
    digest = hashlib.sha256()
    for name, content in sorted(_sources(files("dpcore"), "")):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _sources(folder: Traversable, place: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, f"{place}{entry.name}/")
        elif entry.name.endswith((".py", ".pyi")):
            yield place + entry.name, entry.read_bytes()
