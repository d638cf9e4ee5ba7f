"""Every certificate of the catalogue has a report that is one accessible document and fetches nothing."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from dpcore.certificates.certificate import Certificate
from dpcore.certificates.reading import Node, read
from dpcore.errors import DPError, FreeSymbols, InvalidParameter, Vacuous
from dpcore.maps.presentation import SHOWN
from dpcore.report import render, write
from dpcore.report.checker import DERIVED
from proofs.derivations import rules
from tests.certificates.tools import measurements, of_example
from tests.report.document import Element, parsed

ACCEPTED = Path(__file__).parents[1] / "certificates" / "accept"
GOLDEN = sorted(ACCEPTED.glob("*.json"))
HEADINGS = ("h1", "h2", "h3")


def _certificates() -> dict[str, Certificate]:
    found = {path.stem: Certificate.load(path) for path in GOLDEN}
    for name in measurements():
        try:
            found[name] = of_example(name)
        except Vacuous:  # which promises nothing, and has no certificate
            continue
    return found


CERTIFICATES = _certificates()


@cache
def _report(name: str) -> tuple[str, Element]:
    html = render(CERTIFICATES[name])
    return html, parsed(html)


@pytest.mark.spread(4)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_it_is_verified_and_says_the_claim_first(name: str) -> None:
    html, document = _report(name)
    (badge,) = document.classed("badge")
    (heading,) = document.all("h1")
    assert re.fullmatch(r"✓ Checked by dpcore [0-9.]+ on \d{4}-\d\d-\d\d", badge.text)
    assert html.index("dpcore verify FILE") < html.index('class="released"') < html.index("<h1")
    assert re.search(r"[≤≥] \d", heading.text)
    assert "REJECTED" not in document.text


@pytest.mark.spread(4)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_it_holds_no_script_and_fetches_nothing(name: str) -> None:
    html, document = _report(name)
    assert not document.all(
        "script", "link", "img", "iframe", "object", "embed", "base", "form", "input", "use", "image"
    )
    for element in document.walk():
        for attribute, value in element.attributes.items():
            assert not attribute.startswith("on"), (element.name, attribute)
            assert attribute not in ("src", "srcset", "style", "action", "xlink:href", "background"), element.name
            assert attribute != "href" or value.startswith("#"), value
    assert "url(" not in html
    assert "@import" not in html


@pytest.mark.spread(4)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_it_can_be_read_by_everybody(name: str) -> None:
    _, document = _report(name)
    (html,) = document.all("html")
    assert html.attributes["lang"] == "en"
    for landmark in ("header", "nav", "main", "footer", "title", "h1"):
        assert len([e for e in document.all(landmark) if e not in _in_pictures(document)]) == 1, landmark
    levels = [int(heading.name[1]) for heading in document.all(*HEADINGS)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    names = Counter(e.attributes["id"] for e in document.walk() if "id" in e.attributes)
    assert max(names.values()) == 1
    referred = {e.attributes["href"][1:] for e in document.all("a")}
    referred |= {name for e in document.walk() for name in e.attributes.get("aria-labelledby", "").split()}
    assert referred <= set(names)
    for picture in document.all("svg"):
        assert picture.attributes["role"] == "img"
        assert len(picture.all("title")) == len(picture.all("desc")) == 1
    for table in document.all("table"):
        assert len(table.all("caption")) == 1
        assert all(cell.attributes["scope"] in ("row", "col") for cell in table.all("th"))
    for box in (*document.classed("wide"), *document.classed("formula"), *document.all("pre")):
        assert box.attributes["tabindex"] == "0"  # what scrolls can be reached by keyboard


def _in_pictures(document: Element) -> list[Element]:
    return [inner for picture in document.all("svg") for inner in picture.walk()]


@pytest.mark.spread(4)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_its_formulas_are_mathml_that_browsers_show(name: str) -> None:
    _, document = _report(name)
    found = document.all("math")
    assert found or CERTIFICATES[name].data["derivation"]
    for math in found:
        assert {e.name for e in math.walk()} <= {*SHOWN, "math"}
        assert math.text.strip()


@pytest.mark.spread(4)
@pytest.mark.parametrize("name", CERTIFICATES)
def test_each_node_has_its_value(name: str) -> None:
    """And the value of the whole is at most what is claimed, which was rounded up from it."""
    for node in _walk(read(CERTIFICATES[name])):
        assert node.value is not None, node.rule
    assert "not known here" not in _report(name)[0]


def _walk(node: Node) -> list[Node]:
    return [node, *(each for premise in node.premises for each in _walk(premise))]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_it_is_written_to_a_file(path: Path, tmp_path: Path) -> None:
    write(path, tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == render(Certificate.load(path))


def test_what_is_no_certificate_has_no_report(tmp_path: Path) -> None:
    for name, content in {"empty": b"", "other": b"{}", "half": GOLDEN[0].read_bytes()[:99]}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidParameter):
            write(tmp_path / name, tmp_path / "report.html")
    assert issubclass(InvalidParameter, DPError)
    assert not (tmp_path / "report.html").exists()


def test_a_certificate_with_symbols_has_no_report() -> None:
    import dpcore as dp

    opened = dp.certify(dp.rows(dp.integers()) >> dp.count() >> dp.laplace(scale=dp.symbol("b")))
    with pytest.raises(FreeSymbols, match="bind"):
        render(opened)
    assert "ε ≤ 0.5" in render(opened.bind(b=2))


def test_derived_are_the_rules_that_have_a_derivation() -> None:
    assert set(DERIVED) == set(rules.DERIVED)
