"""The report: one HTML file about a certificate, for whoever has to decide whether to rely on it.

    write("total.cert.json", "total.html")

The checker is run first. What it rejects gets a report that says so, and no guarantee. The command `dpcore report` writes
it; nothing else of dpcore knows of it.
"""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Final, TypeAlias

from dpcore.calculus.parameters import Data, fields
from dpcore.certificates import explaining
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.document import version
from dpcore.certificates.reading import read
from dpcore.errors import FreeSymbols
from dpcore.report import style
from dpcore.report.account import accounts
from dpcore.report.checker import Verdict, assumptions, attention, check_it_yourself, count, rulebook, verdict
from dpcore.report.figures import Claim, claimed, claims, heading, headline
from dpcore.report.guarantee import guarantee, theorems
from dpcore.report.markup import Inner, Markup, join, tag
from dpcore.report.protection import protection, relation
from dpcore.report.released import released
from dpcore.report.tree import tree

__all__ = ["render", "write"]

POLICY: Final = f"default-src 'none'; style-src '{style.DIGEST}'; base-uri 'none'; form-action 'none'"

SHOWN: Final = 2000
"""Characters of a rejected place that are shown."""

Section: TypeAlias = tuple[str, Markup]
"""Its title, for the list of contents; and all of it."""


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
    said = verdict(data)
    return (_verified if said.verified else _rejected)(certificate, said), said.status


def _open(certificate: Certificate) -> bool:
    names = certificate.data.get("symbols")
    return isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)


# ---- what was verified -------------------------------------------------------------------------------------------------


def _verified(certificate: Certificate, said: Verdict) -> str:
    data = certificate.data
    all_claims, neighbours = claims(data), explaining.neighbours(data)
    space = fields(data["space"])
    metric = fields(space["metric"])
    first, several = all_claims[0], len(all_claims) > 1
    head = join(
        tag("span", f"\N{CHECK MARK} Checked by dpcore {version()} on {date.today().isoformat()}", cls="badge"),
        tag("p", "A page can say anything of itself: run ", tag("code", "dpcore verify FILE"), " to check it yourself.",
            cls="quiet small"),
        released(data),
        tag("h1", heading(first)),
        tag("p", f"What a release can reveal, between data {first.d_in} apart: {neighbours}.", cls="lead"),
        tag("p", count(said), cls="rests"),
        attention(said, certificate.advice),
    )  # fmt: skip
    account = accounts(certificate)
    meanings = (_meaning(claim, metric, i, several=several) for i, claim in enumerate(all_claims, 1))
    sections = [
        _section("What is claimed", claimed(all_claims, neighbours)),
        _section("Assumptions", assumptions(said)),
        _section("What is protected", protection(relation(metric, first.d_in), neighbours, space)),
        _section("What that means", *meanings),
        *([_section("What was asked", *account)] if account else []),
        _section("How it is derived", tree(read(certificate))),
        _section("The rules relied on", rulebook(said, [name for claim in all_claims for name in theorems(claim)])),
        _section("Check it yourself", check_it_yourself(certificate, said)),
    ]
    return _page(f"{headline(first)} - a report", head, sections)


def _meaning(claim: Claim, metric: Data, number: int, *, several: bool) -> Markup:
    note = tag("p", f"Of the claim between data {claim.d_in} apart:") if several else ""
    return join(note, guarantee(claim, relation(metric, claim.d_in), f"curve-{number}"))


# ---- what was rejected: that it was, and where; never a guarantee ------------------------------------------------------


def _rejected(certificate: Certificate, said: Verdict) -> str:
    why = said.lines[0]
    head = join(
        tag("span", "\N{MULTIPLICATION SIGN} Rejected", cls="badge bad"),
        tag("h1", "REJECTED: this certificate promises nothing"),
        tag("div", tag("p", tag("strong", "Do not rely on it. "), "The checker worked the derivation out again and does "
            "not accept it. Whatever the file claims is not shown here."), cls="note bad", role="alert"),
    )  # fmt: skip
    sections = [
        _section("Why", tag("pre", why, tabindex="0", cls="said"), _there(certificate, why),
            tag("p", "Either the file was changed after it was written, or what wrote it is wrong, or this checker is older "
                "than what wrote it. In no case is there a guarantee.")),
        _section("Check it yourself", check_it_yourself(certificate, said)),
    ]  # fmt: skip
    return _page("REJECTED: a certificate that promises nothing", head, sections)


def _there(certificate: Certificate, why: str) -> Markup:
    """What stands at the rejected place of the derivation or the space; of a claim not even that is shown."""
    if not why.startswith(("rejected at /derivation", "rejected at /space")):
        return join()
    excerpt = tag("pre", _excerpt(certificate, why), tabindex="0")
    return join(tag("p", "At that place, the certificate says, wrongly or in a wrong place:"), excerpt)


def _excerpt(certificate: Certificate, why: str) -> str:
    """What stands at the place that was named, as far as it can be found."""
    here: object = certificate.data
    place = re.match(r"rejected at /([^:]*):", why)
    for name in place[1].split("/") if place else ():
        if isinstance(here, dict) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            break
    written = json.dumps(here, indent=1, sort_keys=True)
    return written if len(written) <= SHOWN else written[:SHOWN] + "\n..."


# ---- the page around the sections: one document, with no script and nothing that is fetched ----------------------------


def _section(title: str, *inner: Inner) -> Section:
    """A section with its heading."""
    name = _anchor(title)
    return title, tag("section", tag("h2", title, id=name), *inner, aria_labelledby=name)


def _page(title: str, head: Markup, sections: list[Section]) -> str:
    """The whole document."""
    contents = [tag("li", tag("a", name, href=f"#{_anchor(name)}")) for name, _ in sections]
    html = tag(
        "html",
        tag("head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", title),
            tag("style", Markup(style.STYLE))),
        tag("body",
            tag("header", head),
            tag("nav", tag("ol", *contents), aria_label="Contents"),
            tag("main", *(body for _, body in sections)),
            tag("footer", tag("p", "Made by dpcore. It holds no script, and opening it fetches nothing."))),
        lang="en",
    )  # fmt: skip
    return join(Markup("<!doctype html>\n"), html, "\n")


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z]+", "-", title.lower()).strip("-")
