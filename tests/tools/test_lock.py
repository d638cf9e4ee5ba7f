"""The locked versions are what pip would install, and they fit what pyproject.toml asks for."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement

from tests.source.syntax import ROOT
from tools.lock import HEAD, Report, locked

LOCK = (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
VERSIONS = dict(line.split("==") for line in LOCK.removeprefix(HEAD).splitlines())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_only_names_and_versions_are_kept() -> None:
    packages = {"mpmath": "1.3.0", "dpcore": "0.1.0", "Alpha_b": "2"}
    report: Report = {"install": [{"metadata": {"name": name, "version": packages[name]}} for name in packages]}
    assert locked(report) == f"{HEAD}alpha_b==2\nmpmath==1.3.0\n"


def test_no_place_is_named() -> None:
    lines = LOCK.removeprefix(HEAD).splitlines()
    assert [line for line in lines if not re.fullmatch(r"[a-z][\w.-]*==[\w.]+", line)] == []


def test_what_is_asked_for_is_locked_at_a_version_that_fits() -> None:
    extras = PROJECT["optional-dependencies"]
    asked = [Requirement(each) for each in [*PROJECT["dependencies"], *extras["test"], *extras["fuzz"]]]
    assert {each.name for each in asked} <= set(VERSIONS)
    assert [str(each) for each in asked if not each.specifier.contains(VERSIONS[each.name])] == []
