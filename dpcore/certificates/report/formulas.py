"""The map of one rule as MathML, in the names of its parameters: `d / scale`, whatever the scale.

The rule is read with formulas in place of its parameters and of the losses of its premises. Where it cannot be (a list is
a parameter, or there are many premises) there is no formula, and its statement is read instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from dpcore.certificates.reading import UNREADABLE, Node, names_written
from dpcore.certificates.report.markup import Markup, join, tag
from dpcore.derivation import RULES, Curve, Raw
from dpcore.maps import Number, formula, named_function, parameter, variable
from dpcore.maps.presentation import mathml
from dpcore.measures import MEASURES

FEW = 4
"""So many premises are written out."""

UNSPOKEN: Final = ("chain", "post_process")
"""Rules whose formula would say less than their statement."""

_NAMES: Final = {measure.name: measure.figures for measure in MEASURES}
_VARIABLE: Final = {measure.name: measure.variable for measure in MEASURES}
_SQUARES: Final = ("sigma_squared",)


def math(node: Node) -> Markup | None:
    """The map of the node's rule, in a box that scrolls where it is too wide."""
    if node.rule in UNSPOKEN or node.rule not in RULES or len(node.premises) > FEW:
        return None
    witnesses = tuple(name for name, value in node.parameters if value != "none")
    found = _math(node.rule, len(node.premises), witnesses)
    return None if found is None else tag("div", found, cls="formula", tabindex="0", role="group", aria_label="formula")


@cache
def _math(rule: str, premises: int, given: tuple[str, ...]) -> Markup | None:
    try:
        shown = [*_sides(rule, _read(rule, premises, given), premises)]
    except (*UNREADABLE, AssertionError):
        return None
    rows = [_equation(name, side, leads=not premises) for name, side in shown if str(side) != name]
    return join(*(tag("div", row) for row in rows))


def _equation(name: str, side: Number, *, leads: bool) -> Markup:
    """`delta = ...`, or `d` and where it leads."""
    left = _names(name) if name else _names("d") if leads else None
    sign = tag("mo", "=" if name else "\N{RIGHTWARDS ARROW FROM BAR}")
    start = () if left is None else (left, sign)
    return tag("math", *start, Markup(mathml(side)), display="inline", displaystyle="true")


def _names(name: str) -> Markup:
    return Markup(mathml(named(name)))


def named(name: str) -> Number:
    """`delta(epsilon)` or `delta`, as a formula."""
    head, _, inner = name.rstrip(")").partition("(")
    return named_function(head, variable(inner)) if inner else variable(head)


def _sides(rule: str, raw: Raw, premises: int) -> list[tuple[str, Number]]:
    """What is to the left of the equation, and to the right."""
    measure = _result(rule)
    if isinstance(raw, tuple):
        return [("epsilon", raw[0]), ("delta", raw[1])]
    if callable(raw) and not hasattr(raw, "free_symbols"):
        over = _VARIABLE.get(measure or "") or "epsilon"
        name = _NAMES[measure][0] if measure in _NAMES else "delta"
        return [(f"{name}({over})", raw(variable(over)))]
    return [(_NAMES[measure][0] if measure in _NAMES and len(_NAMES[measure]) == 1 and premises else "", formula(raw))]


def _read(rule: str, premises: int, given: tuple[str, ...]) -> Raw:
    found, written = RULES[rule], names_written(rule)
    values: dict[str, Number | None] = {name: _parameter(written.get(name, name)) for name in found.map_names}
    for name in ("alpha", "epsilon", "delta"):  # what may be left out
        if name in values and written.get(name, name) not in given:
            values[name] = None
    losses = [_loss(_premise(rule), i + 1 if premises > 1 else None) for i in range(premises)]
    return found.map(variable("d"), *losses, **values)


def _parameter(name: str) -> Number:
    return parameter("sigma") ** 2 if name in _SQUARES else parameter(name)


def _loss(measure: str, index: int | None) -> Callable[[Number], Raw]:
    """The loss of a premise, by its name."""
    names = [name if index is None else f"{name}_{index}" for name in _NAMES[measure]]
    if _VARIABLE[measure] is not None:
        curve: Curve = lambda at: named_function(names[0], at)  # noqa: E731
        return lambda d: curve
    if measure == "gaussian":
        return lambda d: variable(names[0]) ** 2
    first, *rest = [variable(name) for name in names]
    return lambda d: (first, rest[0]) if rest else first


def _premise(rule: str) -> str:
    """The measure of the premises: what a conversion leads from, what a combination ends in."""
    start = rule.partition("_to_")[0]
    return start if "_to_" in rule else next(name for name in _NAMES if rule.endswith(f"_{name}"))


def _result(rule: str) -> str | None:
    end = rule.partition("_to_")[2] or rule
    return next((name for name in _NAMES if end.startswith(name) or end.endswith(f"_{name}")), None)
