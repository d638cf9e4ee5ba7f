"""Headless Chromium, spoken to over pipes: the DevTools protocol with the standard library and nothing else."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]  # whatever the browser says: JSON

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT = 120.0
"""Seconds after which the browser is taken for dead. No test asks how long it took."""


class NoBrowser(Exception):
    """There is no Chromium here."""

    def __init__(self) -> None:
        super().__init__("Chromium is not installed; on Debian: apt-get install -y chromium")


class Browser:
    """One page of a running browser, and all that it reported."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._last = to, back, b"", 0
        self._session: str | None = None
        self.events: list[Message] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> Message:
        """Say it, and wait for the answer; what is reported meanwhile is kept."""
        self._last += 1
        said: Message = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            said["sessionId"] = self._session
        os.write(self._to, json.dumps(said).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._last:
                if "error" in heard:
                    raise RuntimeError(f"{method}: {heard['error']}")
                return dict(heard["result"])
            self.events.append(heard)

    def open(self, url: str) -> None:
        """Go to the page and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._hear())
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def look(self, width: int, scheme: str, height: int = 900) -> None:
        """Be so wide, and prefer that colour scheme."""
        phone = width < 600
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                  mobile=phone)  # fmt: skip
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def js(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"])
        return found["result"].get("value")

    def heard(self, *methods: str) -> Iterator[Mapping[str, Any]]:
        """What was reported under these names."""
        return (event["params"] for event in self.events if event.get("method") in methods)

    def _hear(self) -> Message:
        deadline = time.monotonic() + WAIT
        while b"\0" not in self._rest:
            if not select.select([self._back], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"the browser said nothing for {WAIT} seconds")
            piece = os.read(self._back, 1 << 20)
            if not piece:
                raise EOFError("the browser is gone")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


def found() -> str:
    """Where the browser is."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise NoBrowser
    return path


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser of its own, with a profile of its own, that is gone afterwards."""
    path = found()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   f"--user-data-dir={profile}", "--remote-debugging-pipe"]  # fmt: skip
        process, to, back = _started([path, *options])
        try:
            yield Browser(to, back)
        finally:
            os.close(to)
            os.close(back)
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def _started(command: list[str]) -> tuple[int, int, int]:
    """The process, which reads what it is told from 3 and writes what it reports to 4; and our ends of both pipes."""
    their_in, to = os.pipe()
    back, their_out = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (their_in, their_out)]  # out of the way of 3 and 4
    nowhere = os.open(os.devnull, os.O_RDWR)
    ends = ((high[0], 3), (high[1], 4), (nowhere, 1), (nowhere, 2))
    actions = [(os.POSIX_SPAWN_DUP2, end, number) for end, number in ends]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=actions, setsigmask=[])
    for end in (their_in, their_out, nowhere, *high):
        os.close(end)
    return process, to, back
