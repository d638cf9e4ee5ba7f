"""How `certify` puts a document together: the derivation as data, what must be said beside the numbers, who wrote it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from dpcore.calculus import RULES, Derivation, Rule
from dpcore.calculus.parameters import Data
from dpcore.certificates.document import Claim, Document, Inference, SpaceData, version
from dpcore.certificates.rules import rule_named
from dpcore.certificates.witnesses import Found


class Head(NamedTuple):
    """What stands in a certificate whatever is derived."""

    neighbours: str
    space: SpaceData
    evidence: tuple[str, ...]


def tree_of(derivation: Derivation) -> Inference:
    """The derivation as data, with the witnesses that the user named."""
    rule, given = derivation.rule, derivation.parameters
    parameters = {each.name: each.encode(given[each.key]) for each in rule.writes or ()}
    return Inference(rule.name, parameters, tuple([tree_of(each) for each in derivation.premises]), _named(derivation))


def _named(derivation: Derivation) -> Data:
    witness = derivation.rule.witness
    value = None if witness is None else derivation.parameters.get(witness.parameter.key)
    return {} if witness is None or value is None else {witness.parameter.name: witness.parameter.encode(value)}


def with_witnesses(tree: Inference, derivation: Derivation, found: Found) -> Inference:
    """The tree with the witnesses that were found for a derivation of the same shape."""
    premises = zip(tree.premises, derivation.premises, strict=True)
    return replace(
        tree,
        premises=tuple([with_witnesses(premise, of, found) for premise, of in premises]),
        witness=found.witness.get(id(derivation), {}),
    )


def assembled(head: Head, tree: Inference, claim: Claim, *, lossless: bool) -> Document:
    """The document, with its remarks."""
    nodes = list(tree.all())
    return Document(
        version(),
        _code(),
        head.neighbours,
        head.space,
        tree,
        (claim,),
        _assumptions(nodes),
        _attention({node.rule for node in nodes}, lossless=lossless),
        head.evidence,
    )


# ---- beside the numbers: the checker works both out for itself, and refuses a certificate that says anything else -----


_NO_LOSS: Final = "the loss is 0: what is released does not depend on what is protected"


def _attention(names: Iterable[str], *, lossless: bool) -> tuple[str, ...]:
    """What stands in the first lines of a certificate."""
    rules = [rule for rule in map(_spoken_of, sorted(names)) if rule is not None]
    said = [f"{rule.name}: {rule.attention}" for rule in rules if rule.attention is not None]
    return (*said, _NO_LOSS) if lossless else tuple(said)


def _assumptions(nodes: Iterable[Inference]) -> tuple[str, ...]:
    """What nobody proved of the rules applied."""
    return tuple(sorted({each for node in nodes for each in _of(node)}))


def _of(node: Inference) -> Iterator[str]:
    rule = _spoken_of(node.rule)
    if rule is None:
        return
    makes = ", whose values stay in the domain declared" if "domain" in node.parameters else ""
    for parameter in rule.writes or ():
        if parameter.kind.of_users:
            for function in parameter.kind.functions(node.parameters[parameter.name]):
                yield f"{rule.name}: {function}{makes}"
    if rule.assumes is not None:
        yield from rule.assumes(node.parameters, node.witness)


def _spoken_of(name: str) -> Rule | None:
    """The rule, known already where it stands in a derivation; else looked for."""
    rule = RULES.get(name)
    return rule if rule is not None and rule.writes is not None else rule_named(name)


# ---- who wrote it ------------------------------------------------------------------------------------------------------


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
