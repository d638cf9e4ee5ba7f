"""The published table has a line for every example and no other. That each is current is tested with the laws."""

from __future__ import annotations

from tests.laws.catalogue import EXAMPLES
from tests.laws.claimed_and_true import FILE, HEAD


def test_a_line_for_every_example_and_no_other() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    names = [line.split(" | ")[0].removeprefix("| ") for line in text[len(HEAD) :].splitlines()]
    assert names == [example.name for example in EXAMPLES]
