"""What the checker says of a certificate, and what a report repeats of it: on what the claim rests, the rules relied on,
and how to check it oneself. The checker itself is run, in a process that cannot import dpcore.

A report speaks of a guarantee only where the checker has verified it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, final

from dpcore.calculus import RULES
from dpcore.certificates.certificate import Certificate
from dpcore.certificates.checker_file import ask_checker
from dpcore.report.markup import Inner, Markup, definitions, join, prose, tag
from dpcore.report.theorems import stated, theorem

DERIVED: Final[tuple[str, ...]] = (
    *("above_threshold_linf", "above_threshold_range", "exponential_linf", "exponential_range", "gaussian"),
    *("gaussian_profile", "gaussian_to_profile", "gaussian_to_renyi", "gaussian_to_tradeoff", "gaussian_to_zcdp"),
    *("gaussian_vector", "laplace"),
    *("permute_and_flip_linf", "permute_and_flip_range", "pure_to_profile", "pure_to_renyi", "pure_to_total_variation"),
    "pure_to_tradeoff",
    *("pure_to_zcdp", "randomized_response", "renyi_to_approx", "threshold_release", "zcdp_to_approx"),
    "zcdp_to_approx_tight",
)
"""Rules whose map is derived from the density of their noise, by sympy, under `proofs/derivations`."""

_LEGEND: Final = (
    ("proved", "has a theorem in Coq, which is named beside it; that it holds, make proofs says: this page ran no Coq."),
    ("derived", "assumed as well, but a computer algebra system works its formula out from the definitions, such as the "
     "density of the noise; the argument around that is ours."),
    ("assumed", "rests on the source that is named, or on the argument that dpcore gives; no machine has checked it."),
)  # fmt: skip

_COMMANDS: Final = """\
# the digest below
sha256sum FILE

# the checker alone: exit status 0 verified, 1 rejected, 2 not a certificate, 4 not decided
python -I -S check_certificate.py FILE

# the same with dpcore installed; the derivation; this report
dpcore verify FILE
dpcore explain FILE
dpcore report FILE -o report.html"""


@final
@dataclass(frozen=True, slots=True)
class Verdict:
    """The lines that the checker printed, and whether they say that the certificate holds."""

    verified: bool
    lines: tuple[str, ...]
    status: int
    """The exit status of the checker."""

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """Each rule relied on, and how it stands: `proved`, or `assumed: ...`."""
        said = next(self.said("rules"), "")
        return tuple((rule, standing) for rule, standing in re.findall(r"(\w+) \(([^()]*)\)", said))

    def said(self, word: str) -> Iterator[str]:
        """What stands after `word: ` in the lines that begin so."""
        start = f"{word}: "
        return (line.removeprefix(start) for line in self.lines if line.startswith(start))


def verdict(data: bytes) -> Verdict:
    """Run the checker on a file of these bytes. Verified is what it says to be verified, with status 0, and nothing else."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "certificate.json").write_bytes(data)
        status, lines = ask_checker("certificate.json", folder)
    verified = status == 0 and lines[0] == 'verified: "certificate.json"'
    return Verdict(verified, tuple(lines), status if verified or status else 4)


# ---- on what it rests --------------------------------------------------------------------------------------------------


def attention(verdict: Verdict, advice: Sequence[str]) -> Markup:
    """What a reader must not miss, in the first lines: what the checker says, and what the claims are worth."""
    lines = [tag("li", line) for line in (*verdict.said("attention"), *advice)]
    if not lines:
        return Markup("")
    return tag("div", tag("p", tag("strong", "Attention")), tag("ul", *lines), cls="note", role="note")


def count(verdict: Verdict) -> Markup:
    """In the first lines, on how many assumptions all of it rests."""
    many = len([*verdict.said("assumption")])
    assumed = f"{many} assumption{'s' * (many > 1)} that nobody proved"
    on = assumed if many else "no assumption beyond what always stays trusted"
    return join("It rests on ", tag("a", on, href="#assumptions"), ".")


def assumptions(verdict: Verdict) -> Markup:
    """What nobody proved, by name; and what no check of a certificate can reach."""
    assumed = [_assumption(each) for each in verdict.said("assumption")]
    evidence = [tag("li", tag("code", each)) for each in verdict.said("evidence, not proof")]
    trusted = [tag("li", f"{each[:1].upper()}{each[1:]}.") for each in verdict.said("trusted")]
    return join(
        tag("p", "Beside the rules, the claim rests on these, which nobody proved:") if assumed else
        tag("p", "Beside the rules, nothing is assumed of this derivation."),
        tag("ol", *assumed, cls="taken") if assumed else "",
        tag("p", "Attacks that were tried and found nothing; evidence, and no proof:") if evidence else "",
        tag("ul", *evidence) if evidence else "",
        tag("p", "What stays trusted, here as in every certificate:"),
        tag("ul", *trusted, tag("li", "Random bits that nobody can tell from true ones.")),
    )  # fmt: skip


def _assumption(said: str) -> Markup:
    """What is assumed, and who must see to it."""
    what, _, who = said.rpartition("; whoever relies on this ")
    if not what:
        return tag("li", tag("code", said))
    whoever = tag("p", tag("strong", "Whoever relies on this "), f"{who}.", cls="small")
    return tag("li", tag("p", tag("code", what)), whoever)


# ---- the rules ---------------------------------------------------------------------------------------------------------


def rulebook(verdict: Verdict, of_beliefs: Sequence[str]) -> Markup:
    """The rules that the checker says it relied on: proved, derived or assumed, what each states and where it is from. Then
    what the theorems state, those of beliefs too.
    """
    rules = sorted(_statuses(verdict), key=lambda status: status[0])
    entries = [
        tag("li", tag("div", tag("span", rule, cls="rule", id=f"rule-{rule}"), tag("span", status, cls=f"status {status}")),
            tag("div", tag("p", _statement(rule)), tag("p", source, cls="quiet small")))
        for rule, status, source in rules
    ]  # fmt: skip
    met = {status for _, status, _ in rules}
    legend = definitions([(word, meaning) for word, meaning in _LEGEND if word in met], "small")
    proved = list(dict.fromkeys([*(rule for rule, status, _ in rules if status == "proved"), *of_beliefs]))
    theorems = join(tag("h3", "What the theorems state, as Coq prints it"), stated(proved)) if proved else ""
    return join(legend, tag("ul", *entries, cls="rules"), theorems)


def _statuses(verdict: Verdict) -> Iterator[tuple[str, str, Inner]]:
    """Rule, status and source, from the lines of the checker."""
    for rule, standing in verdict.rules:
        if standing == "proved":
            yield rule, "proved", theorem(rule)
        else:
            yield rule, "derived" if rule in DERIVED else "assumed", standing.removeprefix("assumed: ")


def _statement(rule: str) -> Markup:
    """The first paragraph of what dpcore states."""
    return prose(RULES[rule].statement.split("\n\n")[0]) if rule in RULES else Markup("")


# ---- check it yourself -------------------------------------------------------------------------------------------------


def check_it_yourself(certificate: Certificate, verdict: Verdict) -> Markup:
    """Commands, digests, and all that the checker said."""
    data = certificate.data
    known_by = {
        "certificate": next(verdict.said("file"), "not read"),
        "written by": f"dpcore {data.get('dpcore', 'unknown')}",
        "its code": f"sha256 {data.get('code', 'unknown')}",
    }
    return join(
        tag("p", "This report is made from a certificate: a file that holds the derivation as data. The checker is one file "
            "of Python that needs its standard library only and shares no code with dpcore. It works the loss out again."),
        tag("pre", _COMMANDS, tabindex="0"),
        definitions([(word, tag("code", said)) for word, said in known_by.items()], "small"),
        tag("h3", "What the checker said"),
        tag("pre", "\n".join(verdict.lines), tabindex="0", cls="said"),
    )  # fmt: skip
