"""The tree, copied to a place where it may be changed, and Python run on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.source.syntax import ROOT

FOLDERS = ("dpcore", "proofs", "tests", "docs", "tools")
FILES = ("pyproject.toml", "README.md", "CONTRIBUTING.md")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.vo*", "*.glob", "*.aux", "extract", "corpus.jsonl")


def copied(root: Path) -> Path:
    root.mkdir(exist_ok=True)
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=NOT_COPIED)
    for file in FILES:
        shutil.copy(ROOT / file, root)
    return root


def run(root: Path, arguments: Sequence[str]) -> str:
    """What Python says of it, on the tree and not on the one that is installed."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, *arguments], cwd=root, env=environment, capture_output=True, text=True)
    return "passed" if done.returncode == 0 else done.stdout[-3000:] + done.stderr[-3000:]
