"""What a document refers to is there, and the files of the checker in Coq are all in its README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (".", "docs", "proofs", "proofs/coq", "proofs/coq/checker", "proofs/derivations")
DOCUMENTS = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.md"))


def targets(text: str) -> list[str]:
    """The files of the project that a text links to."""
    found = re.findall(r"\]\(([^)\s]+)\)", text)
    return [link.partition("#")[0] for link in found if "://" not in link and not link.startswith("#")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    missing = [link for link in targets(document.read_text(encoding="utf-8")) if not (document.parent / link).exists()]
    assert missing == []


def test_a_link_that_leads_nowhere_is_seen() -> None:
    assert targets("see [this](no/such/file.md#part), [that](https://example.org) and [here](#part)") == [
        "no/such/file.md"
    ]


def test_every_file_of_the_checker_is_in_its_readme() -> None:
    folder = ROOT / "proofs/coq/checker"
    assert set(targets((folder / "README.md").read_text(encoding="utf-8"))) >= {
        path.name for path in folder.glob("*.v")
    }
