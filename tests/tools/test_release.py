"""A release in a copy of the repository: one commit, one tag, and files whose digests are those that are stated."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.release import ROOT, VERSION_LINE, Refused, git, release

DAY = "2030-01-02"
VERSION = "99.0.0"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What a release changes, as it stands, committed."""
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / ".gitignore").write_text("/dist/\n", encoding="utf-8")
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "user.name", "a")
    git(tmp_path, "config", "user.email", "a@b.example")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "all")
    return tmp_path


def written(root: Path, folder: Path) -> None:
    """In the place of a build, which takes a network: files that hold the version they were built from."""
    [version] = VERSION_LINE.findall((root / "pyproject.toml").read_text(encoding="utf-8"))
    for name in (f"dpcore-{version}.tar.gz", f"dpcore-{version}-py3-none-any.whl"):
        (folder / name).write_text(f"{version} {name}", encoding="utf-8")


def test_version_changelog_commit_and_tag(copy: Path) -> None:
    before = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    release(copy, VERSION, written, DAY)
    assert VERSION_LINE.findall((copy / "pyproject.toml").read_text(encoding="utf-8")) == [VERSION]
    after = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    assert after == before.replace("## Unreleased\n", f"## Unreleased\n\n## {VERSION} ({DAY})\n", 1)
    assert git(copy, "status", "--porcelain") == ""
    assert git(copy, "log", "-1", "--format=%s") == f"Release {VERSION}"
    assert git(copy, "rev-parse", f"v{VERSION}^{{commit}}") == git(copy, "rev-parse", "HEAD")


def test_the_digests_are_those_of_the_files(copy: Path) -> None:
    folder = release(copy, VERSION, written, DAY)
    names = [f"dpcore-{VERSION}-py3-none-any.whl", f"dpcore-{VERSION}.tar.gz"]
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}
    sums = (folder / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    assert sums == [f"{digests[name]}  {name}" for name in names]
    statement = json.loads((folder / "provenance.intoto.json").read_text(encoding="ascii"))
    assert {each["name"]: each["digest"]["sha256"] for each in statement["subject"]} == digests
    [source] = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
    assert source["digest"]["gitCommit"] == git(copy, "rev-parse", "HEAD")


def spoiled_by_a_file(copy: Path) -> None:
    (copy / "new.py").write_text("", encoding="utf-8")


def spoiled_by_a_tag(copy: Path) -> None:
    git(copy, "tag", f"v{VERSION}")


def spoiled_by_silence(copy: Path) -> None:
    (copy / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- x\n", encoding="utf-8"
    )
    git(copy, "commit", "-q", "-a", "-m", "nothing to say")


@pytest.mark.parametrize(
    ("spoil", "version", "reason"),
    [
        (spoiled_by_a_file, VERSION, "clean tree"),
        (spoiled_by_a_tag, VERSION, "there is a tag"),
        (spoiled_by_silence, VERSION, "something under Unreleased"),
        (lambda copy: None, "0.0.9", "version from"),
        (lambda copy: None, "one", "such as 1.2.3"),
    ],
)
def test_what_is_refused_changes_nothing(copy: Path, spoil: Callable[[Path], None], version: str, reason: str) -> None:
    spoil(copy)
    before = git(copy, "rev-parse", "HEAD"), git(copy, "status", "--porcelain"), git(copy, "tag")
    with pytest.raises(Refused, match=reason):
        release(copy, version, written, DAY)
    assert (git(copy, "rev-parse", "HEAD"), git(copy, "status", "--porcelain"), git(copy, "tag")) == before
    assert not (copy / "dist").exists()
