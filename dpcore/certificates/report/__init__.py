"""The report: one HTML file about a certificate, for whoever has to decide whether to rely on it.

    write("total.cert.json", "total.html")

The checker is run first. What it rejects gets a report that says so, and no guarantee.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import cast

from dpcore.certificates import telling
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import version
from dpcore.certificates.reading import read
from dpcore.certificates.report import trust
from dpcore.certificates.report.checking import Verdict, verdict
from dpcore.certificates.report.claimed import claimed, heading, headline
from dpcore.certificates.report.claims import Claim, claims
from dpcore.certificates.report.guarantee import guarantee
from dpcore.certificates.report.markup import Markup, join, tag
from dpcore.certificates.report.neighbours import relation
from dpcore.certificates.report.page import page, section
from dpcore.certificates.report.protection import protection
from dpcore.certificates.report.rejected import rejection
from dpcore.certificates.report.released import released
from dpcore.certificates.report.rulebook import rulebook
from dpcore.certificates.report.tree import tree
from dpcore.errors import FreeSymbols
from dpcore.parameters import Json

__all__ = ["render", "write"]


def write(path_in: str | Path, path_out: str | Path) -> None:
    """Read a certificate and write its report. What is no certificate is refused."""
    Path(path_out).write_text(render(Certificate.load(path_in)), encoding="utf-8")


def render(certificate: Certificate) -> str:
    """The report as one HTML document. What the checker rejects gets a report that says so, and no guarantee."""
    return made(certificate, certificate.text())[0]


def made(certificate: Certificate, data: bytes) -> tuple[str, int]:
    """The report of the certificate that stands in a file with these bytes, and the exit status of the checker on them."""
    if _open(certificate):
        raise FreeSymbols("a report is of numbers, but symbols stand for some", bridge="certificate.bind(...) first")
    found, foot = verdict(data), tag("p", "Made by dpcore. It holds no script, and opening it fetches nothing.")
    return (_verified if found.verified else rejection)(certificate, found, foot), found.status


def _verified(certificate: Certificate, found: Verdict, foot: Markup) -> str:
    data = certificate.data
    all_claims, neighbours = claims(data), telling.neighbours(data)
    space = cast("dict[str, Json]", data["space"])
    metric = cast("dict[str, Json]", space["metric"])
    first = all_claims[0]
    head = join(
        tag("span", f"\N{CHECK MARK} Checked by dpcore {version()} on {date.today().isoformat()}", cls="badge"),
        tag(
            "p",
            "A page can say anything of itself: run ",
            tag("code", "dpcore verify FILE"),
            " to check it yourself.",
            cls="quiet small",
        ),
        released(data),
        tag("h1", heading(first)),
        tag("p", f"What a release can reveal, between data {first.d_in} apart: {neighbours}.", cls="lead"),
        tag("p", trust.count(found), cls="rests"),
        trust.attention(found.said("attention")),
    )
    sections = [
        section("What is claimed", claimed(all_claims, neighbours)),
        section("Assumptions", trust.assumptions(found)),
        section("What is protected", protection(relation(metric, first.d_in), neighbours, space)),
        section(
            "What that means", *(_meaning(claim, metric, i, len(all_claims)) for i, claim in enumerate(all_claims))
        ),
        section("How it is derived", tree(read(certificate))),
        section("The rules relied on", rulebook(found)),
        section("Check it yourself", trust.check_it_yourself(certificate, found)),
    ]
    return page(f"{headline(first)} - a report", head, sections, foot)


def _open(certificate: Certificate) -> bool:
    names = certificate.data.get("symbols")
    return isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)


def _meaning(claim: Claim, metric: dict[str, Json], i: int, of: int) -> Markup:
    note = tag("p", f"Of the claim between data {claim.d_in} apart:") if of > 1 else ""
    return join(note, guarantee(claim, relation(metric, claim.d_in), f"curve-{i + 1}"))
