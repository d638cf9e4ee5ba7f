"""The last sections: assumptions, what stays trusted, and how to check it oneself."""

from __future__ import annotations

from collections.abc import Iterable

from dpcore.certificates.certificate import Certificate
from dpcore.certificates.report.checking import Verdict
from dpcore.certificates.report.markup import Markup, join, tag


def attention(lines: Iterable[str]) -> Markup:
    """What a reader must not miss, in the first lines."""
    found = [tag("li", line) for line in lines]
    if not found:
        return Markup("")
    return tag("div", tag("p", tag("strong", "Attention")), tag("ul", *found), cls="note", role="note")


def assumptions(verdict: Verdict) -> Markup:
    """What nobody proved, by name; and what no check of a certificate can reach."""
    found = [_assumption(each) for each in verdict.said("assumption")]
    evidence = [tag("li", tag("code", each)) for each in verdict.said("evidence, not proof")]
    trusted = [tag("li", _sentence(each)) for each in verdict.said("trusted")]
    return join(
        tag("p", "Beside the rules, the claim rests on these, which nobody proved:") if found else
        tag("p", "Beside the rules, nothing is assumed of this derivation."),
        tag("ol", *found, cls="taken") if found else "",
        tag("p", "Attacks that were tried and found nothing; evidence, and no proof:") if evidence else "",
        tag("ul", *evidence) if evidence else "",
        tag("p", "What stays trusted, here as in every certificate:"),
        tag("ul", *trusted, tag("li", "Random bits that nobody can tell from true ones.")),
    )  # fmt: skip


def count(verdict: Verdict) -> Markup:
    """In the first lines, on how many assumptions all of it rests."""
    many = len([*verdict.said("assumption")])
    on = (
        f"{many} assumption{'s' * (many > 1)} that nobody proved"
        if many
        else "no assumption beyond what always stays trusted"
    )
    return join("It rests on ", tag("a", on, href="#assumptions"), ".")


def _assumption(said: str) -> Markup:
    """What is assumed, and who must see to it."""
    what, _, who = said.rpartition("; whoever relies on this ")
    if not what:
        return tag("li", tag("code", said))
    return tag(
        "li", tag("p", tag("code", what)), tag("p", tag("strong", "Whoever relies on this "), f"{who}.", cls="small")
    )


def check_it_yourself(certificate: Certificate, verdict: Verdict) -> Markup:
    """Commands, digests, and all that the checker said."""
    commands = (
        "# the digest below\nsha256sum FILE\n\n"
        "# the checker alone: exit status 0 verified, 1 rejected, 2 not a certificate, 4 not decided\n"
        "python -I -S check_certificate.py FILE\n\n"
        "# the same with dpcore installed; the derivation; this report\n"
        "dpcore verify FILE\ndpcore explain FILE\ndpcore report FILE -o report.html"
    )
    return join(
        tag("p", "This report is made from a certificate: a file that holds the derivation as data. The checker is one file "
            "of Python that needs its standard library only and shares no code with dpcore. It works the loss out again."),
        tag("pre", commands, tabindex="0"),
        origin(certificate, verdict),
        tag("h3", "What the checker said"),
        tag("pre", "\n".join(verdict.lines), tabindex="0", cls="said"),
    )  # fmt: skip


def origin(certificate: Certificate, verdict: Verdict) -> Markup:
    """By what the certificate can be known, and what wrote it."""
    data = certificate.data
    rows = (
        ("certificate", next(verdict.said("file"), "not read")),
        ("written by", f"dpcore {data.get('dpcore', 'unknown')}"),
        ("its code", f"sha256 {data.get('code', 'unknown')}"),
    )
    return tag("dl", *(join(tag("dt", name), tag("dd", tag("code", value))) for name, value in rows), cls="small")


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."
