"""A module that is not ours, attacked in a process of its own: `python -m dpcore.commands.attack FD MODULE ...`.

It may do as it likes there: print, raise anything, end the process, start others, or never end. What is found comes back
over a pipe, and what ends without a word that it is done has found nothing. All that it started ends with it.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, final

from dpcore.assurance.checking import check_module, module_at
from dpcore.calculus.parameters.quoting import line
from dpcore.commands import keeper as keeping
from dpcore.commands.messages import said
from dpcore.errors import DPError
from dpcore.extras import require

MEDDLING: Final = "the module wrote to the pipe over which results come: it cannot be attacked"
LONGEST: Final = 1 << 20
"""Bytes of one result, at most."""


class Misbehaved(Exception):
    """The module cannot be attacked: why, in one line."""


@final
@dataclass(frozen=True, slots=True)
class Result:
    """What was found of one arrow."""

    said: str
    sound: bool


def attacked(module: str, *, rows: int, examples: int, seed: int, seconds: float) -> Iterator[Result]:
    """The results, as they are found. `Misbehaved` where the module ends before it is done, or takes longer."""
    require("hypothesis", "assurance")
    back, there = os.pipe()
    keeper = [sys.executable, "-I", "-S", keeping.__file__]
    command = [sys.executable, "-P", "-m", __name__, str(there), module, str(rows), str(examples), str(seed)]
    try:
        process = subprocess.Popen(
            keeper + command, pass_fds=(there,), stdin=subprocess.DEVNULL, stdout=_stderr(), start_new_session=True
        )
    except ValueError:
        os.close(back)
        raise Misbehaved(f"no file can be named {module!a}") from None
    finally:
        os.close(there)
    try:
        yield from _heard(back, process, time.monotonic() + seconds, seconds)
    finally:
        if process.poll() is None:
            keeping.end_descendants(process.pid)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the keeper, which leads a group of its own
        process.wait()
        os.close(back)  # not before, or else it complains of that


def _heard(back: int, process: subprocess.Popen[bytes], until: float, seconds: float) -> Iterator[Result]:
    done = False
    for message in _messages(back, until, seconds):
        match message:
            case {"refused": str(why)}:
                raise Misbehaved(line(why))
            case {"done": True}:
                done = True
                break
            case {"said": str(words), "sound": bool(sound)}:
                yield Result(_lines(words), sound)
            case _:
                raise Misbehaved(MEDDLING)
    if not done:
        try:
            status = process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Misbehaved(_too_long(seconds)) from None
        raise Misbehaved(f"the module ended the process, with exit status {status}, before it was attacked in full")


def _messages(back: int, until: float, seconds: float) -> Iterator[object]:
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(back, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise Misbehaved(_too_long(seconds))
            piece = os.read(back, 1 << 16)
            if not piece:
                return
            *whole, rest = (rest + piece).split(b"\n")
            if len(rest) > LONGEST:
                raise Misbehaved(MEDDLING)
            for each in whole:
                try:
                    yield json.loads(each)
                except (ValueError, RecursionError):
                    raise Misbehaved(MEDDLING) from None


def _too_long(seconds: float) -> str:
    return f"it took longer than {seconds:g} seconds; use --seconds to allow more"


def _lines(found: str) -> str:
    """Of what was found, only the first line begins at the margin, so that no name and no message begins one of ours."""
    first, *others = found.split("\n")
    return "\n".join([line(first), *(line(each if each.startswith("  ") else f"  {each}") for each in others)])


def _stderr() -> int:
    """What the module prints is not what the command says."""
    try:
        return sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return subprocess.DEVNULL


def main(arguments: list[str]) -> None:
    """In the process of its own."""
    there, module, rows, examples, seed = arguments
    os.set_inheritable(int(there), False)
    with open(int(there), "w", encoding="utf-8") as back:

        def tell(message: dict[str, object]) -> None:
            back.write(json.dumps(message) + "\n")
            back.flush()

        try:
            for each in check_module(module_at(module), rows=int(rows), examples=int(examples), seed=int(seed)):
                tell({"said": each.summary if each.sound else str(each), "sound": each.sound})
        except DPError as error:
            tell({"refused": said(error)})
        except BaseException as error:  # a module may raise what it likes
            tell({"refused": line(f"{module} raised {type(error).__name__}: it cannot be attacked")})
        else:
            tell({"done": True})


SECONDS: Final = 600.0
"""How long an attack on a module may take, where nothing else is said."""

if __name__ == "__main__":
    main(sys.argv[1:])
