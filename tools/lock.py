"""The versions of all that is installed for development, as constraints for pip: `make lock` writes requirements-dev.lock.

What is read is pip's own report of what it would install. Only names and versions are kept: where a file came from is the
affair of who installs it.
"""

from __future__ import annotations

import json
import sys
from typing import TypedDict


class _Metadata(TypedDict):
    name: str
    version: str


class _Installed(TypedDict):
    metadata: _Metadata


class Report(TypedDict):
    """As much of pip's installation report as is read."""

    install: list[_Installed]


HEAD = """# All that `make test` and `make fuzz` install, as it was when this was made: `make lock`.
# To install the same: make test LOCK=requirements-dev.lock
"""


def locked(report: Report, project: str = "dpcore") -> str:
    """One line for each package but the project itself."""
    packages = {each["metadata"]["name"].lower(): each["metadata"]["version"] for each in report["install"]}
    packages.pop(project, None)
    return HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(packages.items()))


if __name__ == "__main__":
    sys.stdout.write(locked(json.load(sys.stdin)))
