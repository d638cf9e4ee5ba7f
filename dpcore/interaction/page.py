"""A curator as a notebook shows it: a bar of what is spent, and the log. `Curator._repr_html_` calls it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from dpcore.interaction.accounts import ANSWERED, Entry, Figures
from dpcore.interaction.costs import in_words, loss_of, said
from dpcore.maps.bounds import Bound
from dpcore.measures import Measure
from dpcore.measures.orders import Orders

LAST = 20
"""So many of the latest questions are shown."""


def page(measure: Measure, budget: Figures | None, spent: Figures, log: Sequence[Entry], orders: Orders = ()) -> str:
    """The account as a fragment of HTML that takes its colours from where it stands."""
    rows = "".join(_row(measure, entry, orders) for entry in log[-LAST:])
    earlier = len(log) - LAST
    before = f"<p>{earlier} earlier question{'s' if earlier > 1 else ''} not shown</p>" if earlier > 0 else ""
    head = "".join(f"<th>{name}</th>" for name in ("", "asked", "of part", "cost", "spent", ""))
    table = f'<table style="color:inherit;font-size:inherit"><tr>{head}</tr>{rows}</table>'
    return f"<div>{_bar(measure, budget, spent, orders)}{before}{table if log else '<p>nothing was asked</p>'}</div>"


def _bar(measure: Measure, budget: Figures | None, spent: Figures, orders: Orders) -> str:
    so_far = escape(in_words(measure, spent, orders))
    if budget is None:
        return f"<p>spent {so_far}; no limit</p>"
    share = max(_share(s, b) for s, b in zip(spent, budget, strict=True))
    style = "border:1px solid currentColor;width:20em;max-width:100%;height:.8em"
    # Rounded up: a bar that is full stands for nothing left, and never the other way round.
    inner = f"background:currentColor;height:100%;width:{-(-share.numerator * 100 // share.denominator)}%"
    return (
        f"<p>spent {so_far}; of {escape(str(loss_of(measure, budget, orders)))}</p>"
        f'<div role="img" aria-label="spent {float(share):.0%}" style="{style}"><div style="{inner}"></div></div>'
    )


def _share(spent: Fraction, budget: Fraction) -> Fraction:
    return spent / budget if budget else Fraction(0)


def _row(measure: Measure, entry: Entry, orders: Orders) -> str:
    charge = entry.charge
    outcome = "" if entry.outcome == ANSWERED else entry.outcome
    cells = (entry.number, charge.question, ", ".join(charge.place[1::2]), *_figures(measure, entry, orders), outcome)
    texts = [escape(str(cell)) for cell in cells]
    texts[1] = f"<code>{texts[1]}</code>"
    row = "".join(f"<td style='text-align:left'>{text}</td>" for text in texts)
    return f"<tr>{row}</tr>"


def _shown(figure: Bound) -> str:
    return said(figure).removeprefix("= ")


def _figures(measure: Measure, entry: Entry, orders: Orders) -> tuple[str, str]:
    """Cost and what was spent, each as `epsilon 1/10`."""
    losses = (loss_of(measure, entry.charge.cost, orders), loss_of(measure, entry.spent, orders))
    cost, spent = (", ".join(f"{name} {_shown(figure)}" for name, figure in loss.figures()) for loss in losses)
    return cost, spent
