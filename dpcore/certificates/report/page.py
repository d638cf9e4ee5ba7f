"""The page around the sections: one document, with no script and nothing that is fetched."""

from __future__ import annotations

import re

from dpcore.certificates.report import style
from dpcore.certificates.report.markup import Inner, Markup, join, tag

POLICY = f"default-src 'none'; style-src '{style.digest()}'; base-uri 'none'; form-action 'none'"


def section(title: str, *inner: Inner) -> tuple[str, Markup]:
    """A section with its heading; and its title, for the list of contents."""
    name = _name(title)
    return title, tag("section", tag("h2", title, id=name), *inner, aria_labelledby=name)


def page(title: str, head: Markup, sections: list[tuple[str, Markup]], foot: Markup) -> str:
    """The whole document."""
    contents = [tag("li", tag("a", name, href=f"#{_name(name)}")) for name, _ in sections]
    made = tag(
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
            tag("footer", foot)),
        lang="en",
    )  # fmt: skip
    return join(Markup("<!doctype html>\n"), made, "\n")


def _name(title: str) -> str:
    return re.sub(r"[^a-z]+", "-", title.lower()).strip("-")
