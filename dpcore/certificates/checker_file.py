"""Where the checker is: the one file that auditors have."""

from __future__ import annotations

from pathlib import Path
from typing import Final

NAME: Final = "check_certificate.py"


def checker_file() -> Path:
    """Beside this file in a wheel, in `proofs` of a checkout."""
    here = Path(__file__).with_name(NAME)
    return here if here.is_file() else Path(__file__).parents[2] / "proofs" / NAME
