"""The report in headless Chromium: what a reader sees, light and dark, wide and narrow, on screen and on paper.

Run by `make browser-test`, not with the other tests: it needs a browser. Screenshots go to $SCREENSHOTS, if that is set.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import dpcore as dp
from dpcore.certificates.certificate import Certificate, certify
from dpcore.report import render
from tests.browser.chromium import Browser, browser

ACCEPTED = Path(__file__).parents[1] / "certificates" / "accept"
EVIL = "</style><script>console.error('mine')</script><img src=https://example.org/x>"
LOOKS = [(width, scheme) for width in (1200, 360) for scheme in ("light", "dark")]
NARROW = 320


def _composition(n: int) -> Certificate:
    rows = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "E", "S", "W")))
    return certify(
        dp.compose(
            [rows >> dp.filter(dp.field("age") >= i % 90) >> dp.count() >> dp.laplace(1000 + i) for i in range(n)]
        )
    )


def _hostile() -> Certificate:
    rows = dp.rows(dp.record(**{EVIL: dp.categories(EVIL, "b")}))
    return certify(rows >> dp.filter(dp.field(EVIL, str) == EVIL) >> dp.count() >> dp.laplace(scale=1))


def _long() -> Certificate:
    """Numbers of hundreds of digits, and a name without a place to break it."""
    rows = dp.rows(dp.record(**{"x" * 300: dp.integers(0, 10**300)}))
    select = dp.select(dp.field("x" * 300, int), dp.integers(0, 10**300))
    return certify(rows >> select >> dp.sum() >> dp.laplace(scale=f"{10**301 + 7}/3"))


def _rejected() -> Certificate:
    text = (ACCEPTED / "total.json").read_text()
    return Certificate(text.replace('"epsilon": "1"', '"epsilon": "1/2"'))


def _of_points() -> Certificate:
    noisy = dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=1)
    return certify(noisy.to(dp.Tradeoff), at=["1/100", "1/20", "1/10", "1/4", "1/2"])


CASES = {
    "pure sum": lambda: Certificate.load(ACCEPTED / "total.json"),
    "zcdp to approx": lambda: Certificate.load(ACCEPTED / "two_gaussians.json"),
    "parallel": lambda: Certificate.load(ACCEPTED / "regions_replaced.json"),
    "2000 leaves": lambda: _composition(2000),
    "a curve": _of_points,
    "long": _long,
    "hostile": _hostile,
    "rejected": _rejected,
}


@dataclass(frozen=True)
class Report:
    """A report on disk."""

    name: str
    path: Path

    @property
    def url(self) -> str:
        return self.path.as_uri()

    @property
    def rejected(self) -> bool:
        return self.name == "rejected"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture(scope="module", params=CASES)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(CASES[request.param]()), encoding="utf-8")
    return Report(request.param, path)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_the_claim_and_the_curve_are_seen(chromium: Browser, report: Report, width: int, scheme: str) -> None:
    chromium.look(width, scheme)
    chromium.open(report.url)
    assert _box(chromium, "h1")["width"] > 100
    if report.rejected:
        assert "REJECTED" in chromium.js("document.querySelector('h1').innerText")
        assert chromium.js("document.querySelectorAll('svg, .claim').length") == 0
    else:
        figures, curve = _box(chromium, ".claim .figures"), _box(chromium, "svg .curve")
        assert chromium.js("/[≤≥] *[0-9]/.test(document.querySelector('.claim .figures').innerText)")
        released, heading = _box(chromium, ".released"), _box(chromium, "h1")
        assert 0 <= released["left"] < released["right"] <= width
        assert released["bottom"] <= heading["top"], "what is released leads"
        assert _box(chromium, ".badge")["bottom"] <= released["top"]
        assert all(box["height"] < 200 for box in _boxes(chromium, "tbody th")), "a long name stacks"
        assert figures["width"] > 50
        assert figures["height"] > 20
        assert curve["width"] > 200
        assert curve["height"] > 200
        assert 0 <= curve["left"] < curve["right"] <= width
        assert all(box["height"] > 5 for box in _boxes(chromium, "math")), "a formula of no height"
        labels = _boxes(chromium, "svg text")
        assert labels
        assert all(box["height"] > 7 for box in labels), "labels too small to be read"
    _save(chromium, report, f"{width}-{scheme}")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_nothing_is_fetched_and_nothing_fails(chromium: Browser, report: Report, width: int, scheme: str) -> None:
    chromium.look(width, scheme)
    chromium.open(report.url)
    chromium.js("document.querySelectorAll('details').forEach(each => each.open = true)")
    asked = {params["request"]["url"] for params in chromium.heard("Network.requestWillBeSent")}
    assert asked == {report.url}
    assert [*chromium.heard("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")] == []
    assert chromium.js("document.scripts.length + document.images.length") == 0
    assert chromium.js("document.styleSheets.length") == 1, "the policy of the page refuses its own style"


def test_a_page_that_fetches_or_complains_is_noticed(chromium: Browser, tmp_path: Path) -> None:
    """What the other tests do not see, they could see."""
    (tmp_path / "bad.html").write_text("<img src='other.png'><script>console.error('x'); missing()</script>")
    chromium.open((tmp_path / "bad.html").as_uri())
    assert len({params["request"]["url"] for params in chromium.heard("Network.requestWillBeSent")}) == 2
    assert [*chromium.heard("Runtime.exceptionThrown")]
    assert [*chromium.heard("Runtime.consoleAPICalled")]


@pytest.mark.parametrize("width", [NARROW, 390, 1280])
def test_the_page_itself_never_scrolls_sideways(chromium: Browser, report: Report, width: int) -> None:
    chromium.look(width, "light")
    chromium.open(report.url)
    for opened in ("false", "true"):
        chromium.js(f"document.querySelectorAll('details').forEach(each => each.open = {opened})")
        wide, seen = chromium.js("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert wide <= seen, f"{wide} wide on {seen}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(chromium: Browser, report: Report, scheme: str) -> None:
    chromium.look(1280, scheme)
    chromium.open(report.url)
    chromium.js("document.querySelectorAll('.fold').forEach(each => each.open = true)")
    ratio, text = chromium.js(_LEAST_CONTRAST)
    assert ratio >= 4.5, text


def test_light_and_dark_differ(chromium: Browser, report: Report) -> None:
    backs = []
    for scheme in ("light", "dark"):
        chromium.look(1280, scheme)
        chromium.open(report.url)
        backs.append(chromium.js("getComputedStyle(document.body).backgroundColor"))
    assert backs[0] != backs[1]


def test_the_keyboard_reaches_what_scrolls_and_it_shows(chromium: Browser, report: Report) -> None:
    chromium.look(390, "light")
    chromium.open(report.url)
    for key in ("keyDown", "keyUp"):
        chromium.call("Input.dispatchKeyEvent", type=key, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert chromium.js("document.activeElement.tagName") == "A"
    assert chromium.js("parseFloat(getComputedStyle(document.activeElement).outlineWidth)") >= 2
    scrolls = "[...document.querySelectorAll('main *')].filter(e => e.scrollWidth > e.clientWidth + 1 && "
    scrolls += "/auto|scroll/.test(getComputedStyle(e).overflowX) && e.tabIndex < 0).length"
    assert chromium.js(scrolls) == 0


def test_it_prints_light_and_whole(chromium: Browser, report: Report) -> None:
    chromium.look(1280, "dark")
    chromium.open(report.url)
    chromium.call("Emulation.setEmulatedMedia", media="print")
    assert chromium.js("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    chromium.call("Emulation.setEmulatedMedia", media="")
    printed = base64.b64decode(chromium.call("Page.printToPDF", printBackground=True)["data"])
    assert printed.startswith(b"%PDF")
    _write(report, "print.pdf", printed)
    pages = printed.count(b"/Type /Page\n")
    assert 1 <= pages <= 30, pages


# ---- looking -----------------------------------------------------------------------------------------------------------


def _boxes(chromium: Browser, selector: str) -> list[dict[str, float]]:
    found = chromium.js(
        f"JSON.stringify([...document.querySelectorAll({json.dumps(selector)})].filter(e => e.checkVisibility())"
        ".map(e => e.getBoundingClientRect()))"
    )
    return list(json.loads(found))


def _box(chromium: Browser, selector: str) -> dict[str, float]:
    return _boxes(chromium, selector)[0]


def _save(chromium: Browser, report: Report, name: str) -> None:
    height = min(chromium.js("document.documentElement.scrollHeight"), 12_000)
    width = chromium.js("innerWidth")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    png = base64.b64decode(
        chromium.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
    )
    assert png.startswith(b"\x89PNG")
    assert len(set(_pixels(png))) > 20, "the picture is empty"
    _write(report, f"{name}.png", png)


def _pixels(png: bytes) -> bytes:
    """The first rows of the picture, unpacked."""
    packed, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += size + 12
    return zlib.decompressobj().decompress(packed, 1 << 22)


def _write(report: Report, name: str, data: bytes) -> None:
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{report.name.replace(' ', '_')}-{name}").write_bytes(data)


_LEAST_CONTRAST = """(() => {
  const parts = colour => colour.match(/[0-9.]+/g).map(Number);
  const light = colour => parts(colour).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor, alpha = parts(colour)[3];
      if (alpha === undefined || alpha > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  let least = [21, ''];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement, said = walk.currentNode.data.trim();
    if (!said || e.closest('svg') || !e.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least[0]) least = [ratio, said.slice(0, 80)];
  }
  return least;
})()"""
