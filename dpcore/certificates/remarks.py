"""What a certificate says beside the numbers: assumptions nobody proved, and what a reader must not miss.

The rules say both. The checker works them out for itself and refuses a certificate that says anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dpcore.certificates.document import Inference
from dpcore.certificates.rules import rule_named

_NO_LOSS: Final = "the loss is 0: what is released does not depend on what is protected"


def attention(names: Iterable[str], *, lossless: bool) -> tuple[str, ...]:
    """What stands in the first lines of a certificate."""
    rules = [rule for rule in map(rule_named, sorted(names)) if rule is not None]
    said = [f"{rule.name}: {rule.attention}" for rule in rules if rule.attention is not None]
    return (*said, _NO_LOSS) if lossless else tuple(said)


def assumptions(nodes: Iterable[Inference]) -> tuple[str, ...]:
    """What nobody proved of the rules applied."""
    return tuple(sorted({each for node in nodes for each in _of(node)}))


def _of(node: Inference) -> Iterator[str]:
    rule = rule_named(node.rule)
    if rule is None:
        return
    makes = ", whose values stay in the domain declared" if "domain" in node.parameters else ""
    for parameter in rule.writes or ():
        for function in parameter.kind.functions(node.parameters[parameter.name]):
            yield f"{rule.name}: {function}{makes}"
    if rule.assumes is not None:
        yield from rule.assumes(node.parameters, node.witness)
