"""What was asked of a curator, as premises of the filter that answered it: a certificate derives its cost again.

A question about all data is a premise as it stands. Questions about parts are one premise for each partition,

    ahead >> partition(keys that were asked, by) >> parallel({key: compose([its questions])})

and inside a part the same again. The parts cost what the dearest costs, as the account counts them. Only in ApproxDP, after
steps that multiply distances, it is more than was charged: delta grows faster than in proportion to an epsilon that was
added up first. Then the certificate claims what can be derived, and no less.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dpcore.combinators.compose import compose
from dpcore.core import Measurement
from dpcore.core.origins import Arrow
from dpcore.interaction.study import Asked, Turn


def premises(asked: Sequence[Asked]) -> list[Arrow]:
    """A measurement for each question, and for each partition one: in the order in which they were first asked."""
    found: list[Arrow | str] = []
    turns: dict[str, Turn] = {}
    parts: dict[str, dict[Hashable, list[Asked]]] = {}
    for each in asked:
        if not each.route:
            found.append(each.question)
            continue
        turn = each.route[0]
        if turn.name not in turns:
            turns[turn.name], parts[turn.name] = turn, {}
            found.append(turn.name)
        parts[turn.name].setdefault(turn.key, []).append(Asked(each.route[1:], each.question, each.answers))

    def of_parts(name: str) -> Arrow:
        return turns[name].joined({key: _together(premises(inside)) for key, inside in parts[name].items()})

    return [of_parts(each) if isinstance(each, str) else each for each in found]


def _together(arrows: Sequence[Arrow]) -> Arrow:
    return arrows[0] if len(arrows) == 1 else compose([each for each in arrows if isinstance(each, Measurement)])
