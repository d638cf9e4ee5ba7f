"""A release, made and not uploaded: `make release VERSION=1.2.3`.

In a clean tree: the version is written where it stands, in pyproject.toml; what the changelog holds as unreleased becomes
that version; the two are committed and tagged; wheel and sdist are built from the tag, into `dist/1.2.3`, with their
SHA-256 sums and a statement of where they come from. What cannot be done is refused before anything is changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]

Build: TypeAlias = Callable[[Path, Path], None]
"""Puts wheel and sdist of the first folder into the second."""

VERSION_LINE: Final = re.compile(r'^version = "(\d+\.\d+\.\d+)"$', flags=re.MULTILINE)
UNRELEASED: Final = "## Unreleased\n"


class Refused(Exception):
    """Why no release can be made; nothing was changed."""


def release(root: Path, version: str, build: Build, day: str) -> Path:
    """The folder in which the release lies."""
    project, changelog = root / "pyproject.toml", root / "CHANGELOG.md"
    _allowed(root, version)
    new_project = with_version(project.read_text(encoding="utf-8"), version)
    new_changelog = with_release(changelog.read_text(encoding="utf-8"), version, day)
    project.write_text(new_project, encoding="utf-8")
    changelog.write_text(new_changelog, encoding="utf-8")
    git(root, "commit", "-q", "-m", f"Release {version}", "--", "pyproject.toml", "CHANGELOG.md")
    git(root, "tag", "-a", f"v{version}", "-m", f"dpcore {version}")
    folder = root / "dist" / version
    folder.mkdir(parents=True)
    build(root, folder)
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}
    (folder / "SHA256SUMS").write_text("".join(f"{digests[name]}  {name}\n" for name in digests), encoding="ascii")
    statement = provenance(git(root, "rev-parse", "HEAD"), version, digests)
    (folder / "provenance.intoto.json").write_text(json.dumps(statement, indent=2) + "\n", encoding="ascii")
    return folder


def _allowed(root: Path, version: str) -> None:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refused(f"Expected a version such as 1.2.3 but got {version!r}")
    if git(root, "status", "--porcelain"):
        raise Refused("Expected a clean tree but something is not committed")
    if git(root, "tag", "--list", f"v{version}"):
        raise Refused(f"Expected a new version but there is a tag v{version}")
    if (root / "dist" / version).exists():
        raise Refused(f"Expected no dist/{version} but there is one")


def with_version(project: str, version: str) -> str:
    """pyproject.toml with the new version in place of the old one, which is smaller or has not been released."""
    found = VERSION_LINE.findall(project)
    if len(found) != 1:
        raise Refused(f"Expected one line with a version in pyproject.toml but got {len(found)}")
    if _ordered(version) < _ordered(found[0]):
        raise Refused(f"Expected a version from {found[0]} on but got {version}")
    return VERSION_LINE.sub(f'version = "{version}"', project)


def _ordered(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def with_release(changelog: str, version: str, day: str) -> str:
    """The changelog in which what was unreleased is this version, and nothing is unreleased."""
    before, heading, after = changelog.partition(UNRELEASED)
    if not heading or not after.partition("\n## ")[0].strip():
        raise Refused("Expected something under Unreleased in CHANGELOG.md but got nothing")
    return f"{before}{UNRELEASED}\n## {version} ({day})\n{after}"


def provenance(commit: str, version: str, digests: dict[str, str]) -> dict[str, object]:
    """A statement in the form of in-toto: what the files are, from which commit, and what built them."""
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in digests.items()],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:dpcore:make-release",
                "externalParameters": {"version": version, "tag": f"v{version}"},
                "internalParameters": {
                    "python": platform.python_version(),
                    "system": f"{platform.system()} {platform.machine()}",
                    "build": version_of("build"),
                },
                "resolvedDependencies": [{"name": "dpcore", "digest": {"gitCommit": commit}}],
            },
            "runDetails": {"builder": {"id": "urn:dpcore:make-release"}},
        },
    }


def built(root: Path, folder: Path) -> None:
    """Wheel and sdist, with the time of the commit in place of the clock, so that they can be built again alike."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": git(root, "log", "-1", "--format=%ct")}
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(root)], env=environment, check=True)


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        sys.exit("Expected one version: make release VERSION=1.2.3")
    today = datetime.now(UTC).date().isoformat()
    try:
        folder = release(ROOT, arguments[0], built, today)
    except Refused as refused:
        sys.exit(str(refused))
    print(f"{folder.relative_to(ROOT)}; look at it, then: git push origin HEAD v{arguments[0]}. Nothing was uploaded.")


if __name__ == "__main__":
    main(sys.argv[1:])
