"""Each page of the gallery runs; its picture is the one that it draws, and the checker verifies its certificate."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

from dpcore.certificates.certificate import Certificate
from dpcore.pictures import Picture
from tests.certificates.tools import rejection

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
CONTENTS = GALLERY / "README.md"
PAGES = sorted(page for page in GALLERY.glob("*.md") if page != CONTENTS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_runs_and_draws_and_certifies(page: Path) -> None:
    """`WRITE=1` before the tests writes its picture anew."""
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.stem, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, clear_globs=False)
    assert runner.failures == 0
    picture, file = test.globs["picture"], page.with_suffix(".svg")
    assert isinstance(picture, Picture)
    if os.environ.get("WRITE"):
        picture.save(file)
    assert file.read_text(encoding="utf-8") == picture.svg
    assert f"]({file.name})" in page.read_text(encoding="utf-8"), "the page shows its picture"
    certificate = test.globs["certificate"]
    assert isinstance(certificate, Certificate)
    assert rejection(certificate.text()) is None


def test_the_contents_name_every_page() -> None:
    contents = CONTENTS.read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"]({page.name})" not in contents] == []
    assert {svg.stem for svg in GALLERY.glob("*.svg")} == {page.stem for page in PAGES}
