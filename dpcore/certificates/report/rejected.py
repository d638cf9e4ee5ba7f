"""The report of a certificate that the checker rejects: that it does, and where. Never a guarantee."""

from __future__ import annotations

import json
import re

from dpcore.certificates.certificate import Certificate
from dpcore.certificates.report.checking import Verdict
from dpcore.certificates.report.markup import Markup, join, tag
from dpcore.certificates.report.page import page, section
from dpcore.certificates.report.trust import check_it_yourself

SHOWN = 2000
"""Characters of the rejected place that are shown."""


def rejection(certificate: Certificate, verdict: Verdict, foot: Markup) -> str:
    """The document."""
    said = verdict.lines[0]
    head = join(
        tag("span", "\N{MULTIPLICATION SIGN} Rejected", cls="badge bad"),
        tag("h1", "REJECTED: this certificate promises nothing"),
        tag("div", tag("p", tag("strong", "Do not rely on it. "), "The checker worked the derivation out again and does "
            "not accept it. Whatever the file claims is not shown here."), cls="note bad", role="alert"),
    )  # fmt: skip
    where = section(
        "Why",
        tag("pre", said, tabindex="0", cls="said"),
        *_there(certificate, said),
        tag("p", "Either the file was changed after it was written, or what wrote it is wrong, or this checker is older "
            "than what wrote it. In no case is there a guarantee."),
    )  # fmt: skip
    check = section("Check it yourself", check_it_yourself(certificate, verdict))
    return page("REJECTED: a certificate that promises nothing", head, [where, check], foot)


def _there(certificate: Certificate, said: str) -> list[Markup]:
    """What stands at the rejected place of the derivation or the space; of a claim not even that is shown."""
    if not said.startswith(("rejected at /derivation", "rejected at /space")):
        return []
    excerpt = tag("pre", _excerpt(certificate, said), tabindex="0")
    return [tag("p", "At that place, the certificate says, wrongly or in a wrong place:"), excerpt]


def _excerpt(certificate: Certificate, said: str) -> str:
    """What stands at the place that was named, as far as it can be found."""
    here: object = certificate.data
    found = re.match(r"rejected at /([^:]*):", said)
    for name in found[1].split("/") if found else ():
        if isinstance(here, dict) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdigit() and int(name) < len(here):
            here = here[int(name)]
        else:
            break
    written = json.dumps(here, indent=1, sort_keys=True)
    return written if len(written) <= SHOWN else written[:SHOWN] + "\n..."
