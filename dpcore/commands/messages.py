"""What a command says that cannot do what it is asked: one line, whatever it met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from dpcore.calculus.parameters.quoting import line
from dpcore.commands.files import is_ledger, shown
from dpcore.errors import DPError, MissingExtra

T = TypeVar("T")

LEDGER: Final = "is a ledger, and no certificate: see dpcore ledger show, verify or export"


class Refused(Exception):
    """What the command cannot do, in one line."""


def read(path: str, reading: Callable[[], T]) -> T:
    """What reading gives; one line about whatever it meets instead."""
    try:
        return reading()
    except OSError as error:
        why = error.strerror or "cannot be read"
        raise Refused(f"{shown(str(error.filename or path))}: {why[:1].lower()}{why[1:]}") from None
    except DPError as error:
        if is_ledger(path):
            raise Refused(f"{shown(path)}: {LEDGER}") from None
        raise Refused(f"not a certificate: {shown(path)}: {said(error)}") from None
    except (RecursionError, MemoryError) as error:
        raise Refused(f"not a certificate: {shown(path)}: {type(error).__name__}") from None


def said(error: DPError) -> str:
    """The error in one line, with the way out where there is one."""
    if error.bridge is None:
        return line(error.headline)
    found = f"{error.headline}; use {error.bridge}"
    if isinstance(error, MissingExtra):  # what pip would fetch by name is not what stands in a checkout
        found += ", in a checkout " + error.bridge.replace("'dpcore[", "-e '.[")
    return line(found)
