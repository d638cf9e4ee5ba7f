"""Every package of dpcore has its folder of tests; every other folder of tests is explained in tests/README.md."""

from __future__ import annotations

import re

from tests.source.syntax import ROOT

README = (ROOT / "tests/README.md").read_text(encoding="utf-8")


def folders(of: str) -> set[str]:
    """Those that hold a file of Python, at any depth."""
    return {path.name for path in (ROOT / of).iterdir() if path.is_dir() and any(path.rglob("*.py"))}


def test_every_package_has_its_tests() -> None:
    assert folders("dpcore") - folders("tests") == set()
    assert "maps" in folders("dpcore")


def test_every_other_folder_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \|", README, flags=re.MULTILINE))
    assert explained == folders("tests") - folders("dpcore")
