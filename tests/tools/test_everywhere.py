"""What runs on other machines calls what runs here: make and `.ci/run`, on the Pythons that are promised."""

from __future__ import annotations

import re
import tomllib

from tests.source.syntax import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, flags=re.MULTILINE))
SCRIPT = (ROOT / ".ci/run").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_python_that_is_promised_is_tested() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    assert len(promised) == 3
    assert re.findall(r'"(3\.\d+)"', WORKFLOW) == promised
    for text, start in ((MAKEFILE, "PYTHONS ?= "), (SCRIPT, "PYTHONS-")):
        assert start + " ".join(f"python{each}" for each in promised) in text


def test_the_workflow_calls_the_script() -> None:
    assert "run: .ci/run\n" in WORKFLOW


def test_hooks_are_local_and_call_make() -> None:
    assert re.findall(r"repo: (.*)", HOOKS) == ["local"]
    entries = re.findall(r"entry: (.*)", HOOKS)
    assert len(entries) == 3
    assert {f"make {target}" for target in TARGETS} >= set(entries)


def test_what_is_told_to_be_made_can_be_made() -> None:
    run = set(re.findall(r"^ *make ([a-z-]+)", SCRIPT, flags=re.MULTILINE))
    assert {"test", "proofs"} <= run <= TARGETS | {"--version"}
    told = set(re.findall(r"`make ([a-z-]+)", CONTRIBUTING)) | set(
        re.findall(r"^    make ([a-z-]+)", CONTRIBUTING, flags=re.MULTILINE)
    )
    assert len(told) > 8
    assert told <= TARGETS
