"""The difference of two certificates, to be read in a terminal, or as JSON by another program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from dpcore.calculus.parameters import Data, Json, quoting
from dpcore.calculus.parameters.words import plain
from dpcore.certificates import rules
from dpcore.certificates.diff import REMARKS, Change, Difference, Figure, by_name
from dpcore.certificates.document import Claim, Inference
from dpcore.written import DOMAIN

WIDE = 200
"""How long a value may be before it is cut."""

MANY = 100
"""How many changes of one kind are written out."""

_HEADS: Final = {
    "/space": "the space",
    "/neighbours": "the space",
    "/derivation": "the derivation",
    "/assumptions": "what is assumed",
    "/attention": "what to attend to",
    "/evidence": "the evidence",
    "/symbols": "symbols",
    "/code": "made by",
    "/dpcore": "made by",
    "/format": "made by",
}
_ORDER: Final = tuple(dict.fromkeys(_HEADS.values()))


def lines(found: Difference) -> list[str]:
    """The difference, a line for each change, then the claims side by side."""
    if found.equal:
        return ["the certificates are equal"]
    groups: dict[str, list[str]] = {}
    for change in found.changes:
        head = next((words for place, words in _HEADS.items() if change.place.startswith(place)), None)
        if head is not None:
            groups.setdefault(head, []).append(_line(change))
    shown = [line for head in _ORDER if head in groups for line in (head, *(f"  {x}" for x in _first(groups[head])))]
    # Each quoted: the names in it are of others.
    return [quoting.line(line) for line in (*shown, "the claim", *(f"  {x}" for x in _claims(found)))]


def _first(changes: list[str]) -> list[str]:
    more = len(changes) - MANY
    return changes if more <= 0 else [*changes[:MANY], f"... and {more} more changes"]


def as_json(found: Difference) -> str:
    """The same as JSON; numbers are texts."""
    changes = [{"place": c.place, "was": c.was, "now": c.now} for c in found.changes]
    figures = [
        {"name": f.name, "was": _text(f.was), "now": _text(f.now), "ratio": _text(f.ratio)} for f in found.figures
    ]
    claims = {"comparable": found.incomparable is None, "why_not": found.incomparable, "figures": figures}
    whole = {"equal": found.equal, "changes": changes, "claims": claims}
    return json.dumps(whole, indent=1)


# ---- changes -----------------------------------------------------------------------------------------------------------


def _line(change: Change) -> str:
    was, now = change.was, change.now
    if _is_node(was) or _is_node(now):
        return _of_rules(change)
    place, name = change.place.removeprefix("/space/").removeprefix("/"), change.place.rsplit("/", 1)[-1]
    if change.rule:
        place = f"{_place(change.place.rsplit('/', 2)[0])} {change.rule}, {name}"
    if change.place in REMARKS:
        return f"- {quoting.sentence(str(was))}" if now is None else f"+ {quoting.sentence(str(now))}"
    return f"{place}: {_value(change.rule, name, was)} -> {_value(change.rule, name, now)}"


def _of_rules(change: Change) -> str:
    place = _place(change.place)
    if change.was is None or change.now is None:
        return f"{'+' if change.was is None else '-'} {place} {_rule(change.now or change.was)}"
    return f"{place}: {_rule(change.was)} -> {_rule(change.now)}"


def _place(place: str) -> str:
    return place.removeprefix("/derivation") or "/"


def _is_node(x: Json) -> bool:
    return isinstance(x, dict) and {"rule", "premises"} <= set(x)


def _rule(x: Json) -> str:
    """A rule with what it was given, and how many rules stand below it."""
    node = replace(Inference.read(x), witness={})
    given = ", ".join(f"{name} {value}" for name, value in rules.parameters(node))
    below = len(node.premises)
    premises = f", on {below} premise{'s' * (below > 1)}" if below else ""
    return _cut(f"{node.rule}{f' ({given})' if given else ''}{premises}")


def _value(rule: str, name: str, x: Json) -> str:
    if x is None:
        return "none"
    if rule:
        return _cut(rules.words(rule, name, x))
    if isinstance(x, dict) and "kind" in x:
        return _cut(_metric(x) if name in ("metric", "within") else DOMAIN.words(x))
    return _cut(plain(x))


def _metric(x: Data) -> str:
    return ", ".join(plain(each) for each in (x["kind"], *(v for k, v in x.items() if k != "kind")))


def _cut(x: str) -> str:
    return x if len(x) <= WIDE else f"{x[: WIDE - 4]} ..."


# ---- claims ------------------------------------------------------------------------------------------------------------


def _claims(found: Difference) -> Iterator[str]:
    was, now = found.claims
    if found.incomparable is not None:
        yield f"was {_claim(was)}"
        yield f"is  {_claim(now)}"
        yield f"not comparable: {found.incomparable}"
        return
    for figure in found.figures:
        yield f"{now.measure}, at distance {now.d_in}: {figure.name} {_change_of(figure)}"


def _claim(claim: Claim) -> str:
    figures = ", ".join(f"{name} {brief(y)}" for name, y in by_name(claim).items())
    return f"{claim.measure}, at distance {claim.d_in}: {figures}"


def _change_of(figure: Figure) -> str:
    was, now, ratio = figure.was, figure.now, figure.ratio
    if was == now:
        return f"{brief(now)}, unchanged"
    times = f" ({brief(ratio)} times)" if ratio is not None else ""
    return f"{brief(was)} -> {brief(now)}{times}"


def brief(x: Fraction | None) -> str:
    """A number as it is, if that is short; else about."""
    if x is None:
        return "not claimed"
    if max(abs(x.numerator), x.denominator) < 10**6:
        return str(x)
    if not Fraction(1, 10**300) < abs(x) < 10**300:
        return "beyond 1e300" if abs(x) > 1 else "below 1e-300"
    return f"about {float(x):.6g}"


def _text(x: Fraction | None) -> str | None:
    return None if x is None else str(x)
