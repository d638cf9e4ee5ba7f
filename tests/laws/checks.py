"""The laws of bounds, as they hold of an example: every pair of its universe tried, and the line that must be tight."""

from __future__ import annotations

from dpcore.assurance.arrows import AnyTransformation, Steps, known_arrow, promised
from dpcore.assurance.exhaustion import Exhaustion, exhaust
from dpcore.assurance.line import Line
from tests.laws.arrows import arrow
from tests.laws.catalogue import Example
from tests.laws.claimed_and_true import row, written


def tried(example: Example) -> Exhaustion:
    """The arrow of an example, over its universe."""
    return exhaust(arrow(example.build()), example.atoms, example.most)


def nearest(example: Example, found: Exhaustion) -> Line:
    """The line at which the bound must be reached: at the least distance of which anything is claimed."""
    beyond = [line for line in found.lines if line.steps > 0]
    return min(beyond, key=lambda line: (line.steps != example.near, line.claimed.upper == 0, line.steps))


def holds(example: Example) -> None:
    """The bound is sound over the universe, tight or not as the example says, and published as it is."""
    found = tried(example)
    assert found.sound, str(found)
    line = nearest(example, found)
    assert (line.verdict == "sound and tight") == (not example.slack), str(found)
    assert row(example, line) in written(), "`make claimed` writes the table anew"


def reach(f: AnyTransformation, d: Steps) -> Steps:
    """What the map promises at a distance, both as they are carried: the upper end of its enclosure."""
    known_arrow(f)
    return promised(f, d).upper
