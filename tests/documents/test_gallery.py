"""The pages of the gallery run, as doctests; and their pictures are those that the pages draw."""

from __future__ import annotations

import doctest
import os
from pathlib import Path

import pytest

from dpcore.pictures import Picture

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
PAGES = sorted(page for page in GALLERY.glob("*.md") if page.with_suffix(".svg").exists())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_picture_is_the_one_that_the_page_draws(page: Path) -> None:
    """`WRITE=1` before the tests writes it anew."""
    test = doctest.DocTestParser().get_doctest(page.read_text(encoding="utf-8"), {}, page.stem, str(page), 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, clear_globs=False)
    assert runner.failures == 0
    picture, file = test.globs["picture"], page.with_suffix(".svg")
    assert isinstance(picture, Picture)
    if os.environ.get("WRITE"):
        picture.save(file)
    assert file.read_text(encoding="utf-8") == picture.svg


def test_every_page_with_a_picture_is_met() -> None:
    assert PAGES
    assert {svg.stem for svg in GALLERY.glob("*.svg")} <= {page.stem for page in PAGES}
