"""The derivation as a tree, and the map of each rule in it as a formula.

Equal neighbours are one node. Of many premises that are made alike and differ in figures only, the first is drawn and the
others are rows of a table, folded away: a tree of ten thousand leaves is a page that opens at once.

A formula is in the names of the rule's parameters, `d / scale` whatever the scale: the rule is read with formulas in place
of its parameters and of the losses of its premises. Where it cannot be (a list is a parameter, or there are many premises)
there is no formula, and its statement is read instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias, final

from dpcore.calculus import RULES, Curve, Raw
from dpcore.certificates.reading import UNREADABLE, Node, names_written
from dpcore.maps import Number, formula, named_function, parameter, variable
from dpcore.maps.presentation import mathml
from dpcore.measures import MEASURES
from dpcore.report.markup import Inner, Markup, folded, join, prose, table, tag, value

FEW: Final = 8
"""Premises that are drawn one by one."""

SMALL: Final = 40
"""A tree of fewer nodes stands open."""

WRITTEN_OUT: Final = 4
"""So many premises stand in a formula."""

UNSPOKEN: Final = ("chain", "post_process")
"""Rules whose formula would say less than their statement."""

_MEASURES: Final = {measure.name: measure for measure in MEASURES}
_SQUARES: Final = ("sigma_squared",)

# ---- the tree ----------------------------------------------------------------------------------------------------------


def tree(root: Node) -> Markup:
    """The tree, from what is claimed down to what it rests on."""
    return join(
        tag("p", "Each line is a rule, with the distance ", tag("em", "d"), " that reaches it and what it gives there: a "
            "transformation a distance, a measurement a loss. L2 distances and Gaussian \N{GREEK SMALL LETTER MU} are "
            "carried as their squares. Values are exact, or rounded up."),
        tag("ol", _drawn(root, 1, opened=_size(root, SMALL) < SMALL, depth=0), cls="tree"),
    )  # fmt: skip


def _size(node: Node, enough: int) -> int:
    """How many nodes there are, counted no further than is asked."""
    count = 1
    for premise in node.premises:
        if count >= enough:
            break
        count += _size(premise, enough - count)
    return count


def _drawn(node: Node, times: int, *, opened: bool, depth: int) -> Markup:
    count = len(node.premises)
    below = _premises(node, opened=opened, depth=depth + 1) if count else join()
    if count and not opened and depth >= 2:
        below = folded("its premise" if count == 1 else f"its {count} premises", below, "fold")
    return tag("li", _line(node, times), below)


def _premises(node: Node, *, opened: bool, depth: int) -> Markup:
    runs = [(premise, len([*equal])) for premise, equal in groupby(node.premises)]
    if len(runs) <= FEW:
        return tag("ol", *(_drawn(premise, n, opened=opened, depth=depth) for premise, n in runs))
    families = _families(runs)
    drawn = [_family(family, opened=opened, depth=depth) for family in families[:FEW]]
    if len(families) > FEW:
        rest = tag("ol", *(_family(family, opened=False, depth=depth) for family in families[FEW:]))
        drawn.append(tag("li", folded(f"{len(families) - FEW} more, made differently", rest, "many")))
    return tag("ol", *drawn)


def _line(node: Node, times: int) -> Markup:
    given = [
        tag("div", tag("dt", name.replace("_", " ")), tag("dd", tag("code", said)))
        for name, said in node.parameters
        if said != "none"
    ]
    again = tag("span", f"\N{MULTIPLICATION SIGN} {times}", cls="times") if times > 1 else ""
    rule = tag("span", tag("a", node.rule, cls="rule", href=f"#rule-{node.rule}"), " ", again)
    at = tag("span", "at ", tag("em", "d"), " = ", value(node.distance), " gives ", tag("strong", value(node.value)),
             cls="value")  # fmt: skip
    return tag(
        "div",
        tag("div", rule, at, cls="top"),
        _math(node) or tag("p", _states(node), cls="states"),
        tag("dl", *given, cls="given") if given else "",
        cls="node",
    )


def _states(node: Node) -> Markup:
    if node.rule == "chain":
        return join("One after the other, each at the distance that the one before it gives.")
    return prose(node.statement.split("\n\n")[0])


# ---- premises that are made alike: the same rules in the same places, with other figures -------------------------------


@final
@dataclass(frozen=True, slots=True)
class _Run:
    """A premise that stands several times, one after the other."""

    node: Node
    first: int
    times: int

    @property
    def places(self) -> str:
        last = self.first + self.times - 1
        return str(self.first) if last == self.first else f"{self.first} to {last}"


def _families(runs: list[tuple[Node, int]]) -> list[list[_Run]]:
    """The premises by their shape, in the order in which the shapes are first met."""
    found: dict[_Shape, list[_Run]] = {}
    place = 1
    for node, times in runs:
        found.setdefault(_shape(node), []).append(_Run(node, place, times))
        place += times
    return [*found.values()]


_Shape: TypeAlias = tuple[object, ...]


def _shape(node: Node) -> _Shape:
    return (node.rule, tuple(name for name, _ in node.parameters), tuple(map(_shape, node.premises)))


def _family(family: list[_Run], *, opened: bool, depth: int) -> Markup:
    first, others = family[0], family[1:]
    drawn = _drawn(first.node, first.times, opened=opened, depth=depth)
    if not others:
        return drawn
    count = sum(run.times for run in others)
    return join(drawn, tag("li", folded(f"{count} more, made alike", _differences(family), "many")))


def _differences(family: list[_Run]) -> Markup:
    """A row for each of them, with the figures in which they differ."""
    figures = [[*_figures(run.node)] for run in family]
    differing = [i for i, column in enumerate(zip(*figures, strict=True)) if len({said for _, said in column}) > 1]
    names = [figures[0][i][0] for i in differing]
    rows: list[tuple[Inner, ...]] = [
        (run.places, *(of_one[i][1] for i in differing), value(run.node.value))
        for run, of_one in zip(family, figures, strict=True)
    ]
    return table(("premise", *names, "gives"), rows, "All of them, by what differs")


def _figures(node: Node) -> Iterator[tuple[str, str]]:
    """All that was given to the node and to what it rests on, by name."""
    for name, said in node.parameters:
        yield f"{node.rule}: {name.replace('_', ' ')}", said
    for premise in node.premises:
        yield from _figures(premise)


# ---- formulas, as MathML -----------------------------------------------------------------------------------------------


def _math(node: Node) -> Markup | None:
    """The map of the node's rule, in a box that scrolls where it is too wide."""
    if node.rule in UNSPOKEN or node.rule not in RULES or len(node.premises) > WRITTEN_OUT:
        return None
    given = tuple(name for name, said in node.parameters if said != "none")
    rows = _rows(node.rule, len(node.premises), given)
    return None if rows is None else tag("div", rows, cls="formula", tabindex="0", role="group", aria_label="formula")


@cache
def _rows(rule: str, premises: int, given: tuple[str, ...]) -> Markup | None:
    """The equations; None where there is no formula. An equation of a figure with itself says nothing, and is left out."""
    try:
        sides = _sides(_measure_of(rule), _read(rule, premises, given), premises)
    except (*UNREADABLE, AssertionError):
        return None
    return join(*(tag("div", _equation(left, right, premises)) for left, right in sides if str(left) != str(right)))


def _equation(left: Number | None, right: Number, premises: int) -> Markup:
    """`delta = ...`; of a rule without premises `d` and where it leads."""
    start = join()
    if left is not None:
        start = join(Markup(mathml(left)), tag("mo", "="))
    elif not premises:
        start = join(Markup(mathml(variable("d"))), tag("mo", "\N{RIGHTWARDS ARROW FROM BAR}"))
    return tag("math", start, Markup(mathml(right)), display="inline", displaystyle="true")


def _sides(measure: str | None, raw: Raw, premises: int) -> list[tuple[Number | None, Number]]:
    """What is to the left of the equation, and to the right."""
    counted = None if measure is None else _MEASURES[measure]
    if isinstance(raw, tuple):
        names = ("epsilon", "delta") if counted is None else counted.figures
        return [(variable(name), figure) for name, figure in zip(names, raw, strict=True)]
    if callable(raw) and not hasattr(raw, "free_symbols"):
        over = variable("epsilon" if counted is None or counted.variable is None else counted.variable)
        return [(named_function("delta" if counted is None else counted.figures[0], over), raw(over))]
    named = counted is not None and len(counted.figures) == 1 and premises
    return [(variable(counted.figures[0]) if counted is not None and named else None, formula(raw))]


def _read(rule: str, premises: int, given: tuple[str, ...]) -> Raw:
    """The map of the rule, over formulas. What is not given and may be left out is None."""
    written = names_written(rule)
    values: dict[str, Number | None] = {}
    for name in RULES[rule].map_names:
        shown = written.get(name, name)
        left_out = name in ("alpha", "epsilon", "delta") and shown not in given
        values[name] = None if left_out else parameter("sigma") ** 2 if shown in _SQUARES else parameter(shown)
    losses = [_loss(_measure_before(rule), i + 1 if premises > 1 else None) for i in range(premises)]
    return RULES[rule].map(variable("d"), *losses, **values)


def _loss(measure: str, index: int | None) -> Callable[[Number], Raw]:
    """The loss of a premise, by its name."""
    names = [name if index is None else f"{name}_{index}" for name in _MEASURES[measure].figures]
    if _MEASURES[measure].variable is not None:
        curve: Curve = lambda at: named_function(names[0], at)  # noqa: E731
        return lambda d: curve
    if measure == "gaussian":
        return lambda d: variable(names[0]) ** 2
    first, *rest = [variable(name) for name in names]
    return lambda d: (first, rest[0]) if rest else first


def _measure_before(rule: str) -> str:
    """The measure of the premises: what a conversion leads from, what a combination ends in."""
    start = rule.partition("_to_")[0]
    return start if "_to_" in rule else _named_last(rule)


def _measure_of(rule: str) -> str | None:
    """The measure of what the rule gives."""
    end = rule.partition("_to_")[2] or rule
    return max((name for name in _MEASURES if end.startswith(name) or end.endswith(f"_{name}")), key=len, default=None)


def _named_last(rule: str) -> str:
    """The measure that a rule is named after; the longest, as one name ends in another."""
    return max((name for name in _MEASURES if rule.endswith(f"_{name}")), key=len)
