"""Accepted certificates, changed field by field: what could make a claim false is rejected with its place."""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import dpcore as dp
from dpcore.certificates.certificate import certify
from dpcore.errors import NotCertifiable
from tests.certificates.tools import checker, measurements, of_example, rejection

Data = dict[str, Any]
Place = tuple[str | int, ...]


def _accepted() -> Iterator[tuple[str, Data]]:
    """One certificate for each rule that certificates speak of, and for each metric and measure."""
    seen: set[str] = set()
    for name, m in measurements().items():
        new = m.derivation.rules() - seen
        if not new:
            continue
        for d_in in (1, 2):
            try:
                found = of_example(name, d_in)
            except (NotCertifiable, dp.errors.Vacuous):
                continue
            seen |= new
            yield name, found.data
            break


ACCEPTED = list(_accepted())
_each = pytest.mark.parametrize("data", [d for _, d in ACCEPTED], ids=[name for name, _ in ACCEPTED])


def each_accepted(test: Callable[..., None]) -> Callable[..., None]:
    marked: Callable[..., None] = pytest.mark.spread(8)(_each(test))
    return marked


def _written(data: object) -> bytes:
    return json.dumps(data).encode()


def _places(x: object, place: Place = ()) -> Iterator[tuple[Place, object]]:
    """Every value with its place; of a long list, some entries from its beginning and its end stand for all."""
    yield place, x
    items = [*x.items()] if isinstance(x, dict) else [*enumerate(x)] if isinstance(x, list) else []
    items = items if len(items) < 40 else items[:10] + items[-10:]
    for key, inner in items:
        yield from _places(inner, (*place, key))


def _changed(data: Data, place: Place, value: object) -> Data:
    made = copy.deepcopy(data)
    at: Any = made
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return made


def _fraction(x: object) -> Fraction | None:
    try:
        return Fraction(x) if isinstance(x, str) else None
    except (ValueError, ZeroDivisionError):
        return None


@each_accepted
def test_it_is_accepted(data: Data) -> None:
    assert rejection(_written(data)) is None


# ---- of the wrong shape -------------------------------------------------------------------------------------------------

BARE = "0123456789 this is replaced by JSON"


@each_accepted
@pytest.mark.parametrize(
    "json_text", ["1", "1.5", "NaN", "Infinity", "-1e9", "1" * 100_000, "[[]]", '{"x": {}}', '"\\ud800"']
)
def test_a_wrong_type_is_rejected_anywhere(data: Data, json_text: str) -> None:
    """Every value is replaced, in turn, by one that stands nowhere in a certificate."""
    for place, x in _places(data):
        if not place or (json_text == '"\\ud800"' and (not isinstance(x, str) or place[-1] in ("dpcore", "code"))):
            continue
        if json_text == '"\\ud800"' and _is_a_name(data, place):
            continue
        text = json.dumps(_changed(data, place, BARE)).replace(json.dumps(BARE), json_text)
        found = rejection(text.encode())
        assert found is not None, place
        assert found[0] or found[1], place
        if place[0] in ("claims", "space"):
            assert found[0].startswith(str(place[0])), (place, found)


def _is_a_name(data: Data, place: Place) -> bool:
    """Texts that are the user's own: names of functions and fields, texts and days among the data."""
    return place[-1] in ("name", "digest", "value", "first", "last", "person", "type") or "names" in place


@each_accepted
def test_unknown_and_missing_fields_are_rejected(data: Data) -> None:
    for place, x in _places(data):
        if not isinstance(x, dict) or (place and place[-1] in ("record", "fields")):
            continue
        found = rejection(_written(_changed(data, (*place, "surplus"), "1")))
        assert found is not None, place
        for key in x:
            made = copy.deepcopy(data)
            at: Any = made
            for step in place:
                at = at[step]
            del at[key]
            found = rejection(_written(made))
            # The declared type of a field is the one thing that may be left out.
            assert found is not None or key == "type", (place, key)


@each_accepted
def test_a_repeated_key_is_rejected(data: Data) -> None:
    for place, x in _places(data):
        if not isinstance(x, dict) or not x:
            continue
        key = next(iter(x))
        marked = {**x, BARE: x[key]}
        text = json.dumps(_changed(data, place, marked) if place else marked).replace(json.dumps(BARE), json.dumps(key))
        found = rejection(text.encode())
        assert found is not None, place
        assert "repeated" in found[1] or not place, (place, found)


@each_accepted
def test_truncated_text_is_no_certificate(data: Data) -> None:
    text = _written(data)
    for end in range(0, len(text), max(1, len(text) // 60)):
        with pytest.raises((ValueError, checker.Rejected)):
            checker.verify(text[:end])


# ---- of another meaning -------------------------------------------------------------------------------------------------

MORE = Fraction(10**12 + 1, 10**12)

WEIGHTY = frozenset(
    [
        "scale",
        "threshold_scale",
        "query_scale",
        "sigma_squared",
        "p",
        "limit",
        "hits",
        "delta",
        "slack",
        "epsilon",
        "d_in",
        "losses",
        "joint",
        "column",
        "a",
        "b",
        "rows",
        "rho",
        "mu",
        "points",
    ]
)
"""Numbers that the loss depends on: any other value gives another loss than the claimed one."""


IDLE = (
    "parallel",
    "general_composition",
    "overlapping_symmetric",
    "count_change_one",
    "quantile_scores",
    "optimal_composition",
)
"""Rules that take the worst of several: what is not the worst may be made better, and the claim stays what it was."""


def _weighty(place: Place) -> bool:
    names = [key for key in place if isinstance(key, str)]
    if place[0] == "claims":
        return "points" not in place or place[-1] == 1
    return place[0] == "derivation" and "domain" not in names and names[-1] in WEIGHTY


@each_accepted
def test_another_number_is_rejected(data: Data) -> None:
    """A bound lowered by one part in 10^12, a scale enlarged, a limit moved: the claim is no longer what is derived."""
    for place, x in _places(data):
        value = _fraction(x)
        if (
            not value
            or not _weighty(place)
            or (place[0] != "claims" and any(rule in json.dumps(data) for rule in IDLE))
        ):
            continue
        for factor in (1 / MORE, MORE, Fraction(1, 2), Fraction(2)):
            changed = value * factor
            found = rejection(_written(_changed(data, place, str(changed))))
            assert found is not None or _only_better(data, place, factor), (place, x, str(changed))
            assert found is None or found[1], place


def _only_better(data: Data, place: Place, factor: Fraction) -> bool:
    """Whether it is the more private for it, and a witness bounds what it was; or no data are so far apart."""
    if "gaussian_profile" in json.dumps(data):
        return place[-1] == "d_in" and factor == MORE  # whole numbers are a whole number of steps apart
    private = factor < 1 if place[-1] == "p" else factor > 1
    return "pure_to_gaussian" in json.dumps(data) and place[-1] in ("p", "scale") and private


@each_accepted
def test_a_lower_claim_is_rejected(data: Data) -> None:
    for place, x in _places(data["claims"]):
        value = _fraction(x)
        if value is None or value == 0 or "loss" not in place or (place[-2:-1] == ("points",)) or place[-1] == 0:
            continue
        tradeoff = data["claims"][0]["measure"] == "tradeoff"
        found = rejection(_written(_changed(data, ("claims", *place), str(value * (MORE if tradeoff else 1 / MORE)))))
        assert found is not None
        assert found[0].startswith("claims/0")
        assert "worked out" in found[1]


METRICS: list[Data] = [
    *({"kind": name} for name in ("SymmetricDistance", "ChangeOneDistance", "DiscreteDistance", "AbsoluteDistance")),
    *({"kind": name} for name in ("L1Distance", "L2Distance", "LInfDistance", "RangeDistance", "EdgeDistance")),
    {"kind": "PersonDistance", "person": "who"},
    {"kind": "PartDistance", "within": {"kind": "SymmetricDistance"}},
    {"kind": "PartDistance", "within": {"kind": "ChangeOneDistance"}},
]


@each_accepted
def test_another_metric_is_rejected(data: Data) -> None:
    """Also where the words are changed with it."""
    known: tuple[dp.types.Metric, ...] = (dp.SymmetricDistance(), dp.ChangeOneDistance(), dp.DiscreteDistance())
    words = {type(m).__name__: m.words() for m in known}
    for metric in METRICS:
        if metric == data["space"]["metric"]:
            continue
        made = _changed(data, ("space", "metric"), metric)
        assert rejection(_written(made)) is not None, metric
        said = words.get(str(metric["kind"]))
        # What an adaptive choice costs is an assumption, whatever the metric.
        if said is not None and "adaptive" not in json.dumps(data):
            assert rejection(_written(_changed(made, ("neighbours",), said))) is not None, metric


@each_accepted
def test_another_rule_is_rejected(data: Data) -> None:
    for place, x in _places(data["derivation"]):
        if not place or place[-1] != "rule":
            continue
        for other in (
            "chain",
            "post_process",
            "laplace",
            "count_symmetric",
            "pure_to_approx",
            "group_pure",
            "nothing",
            "",
        ):
            # A rule that says nothing more is said by others as well: a group of 1, a composition of one. A count of what a
            # filter keeps moves by no more than any count, which under `parallel` the loss of two parts may cover.
            nothing_more = other == "chain" and str(x).startswith(("group_", "compose_"))
            less = (x, other) == ("count_filtered", "count_symmetric") and "parallel_" in json.dumps(data)
            if other != x and not nothing_more and not less:
                assert rejection(_written(_changed(data, ("derivation", *place), other))) is not None, (place, other)


@each_accepted
def test_another_order_of_links_is_rejected(data: Data) -> None:
    for place, x in _places(data["derivation"]):
        if isinstance(x, dict) and x.get("rule") == "chain" and len(x["premises"]) > 1:
            swapped = [*x["premises"]]
            swapped[0], swapped[-1] = swapped[-1], swapped[0]
            assert rejection(_written(_changed(data, ("derivation", *place, "premises"), swapped))) is not None


@each_accepted
def test_premises_left_out_or_doubled_are_rejected(data: Data) -> None:
    for place, x in _places(data["derivation"]):
        if not place or place[-1] != "premises" or not isinstance(x, list) or not x:
            continue
        for other in ([], x[:-1], x[1:], [*x, x[-1]]):
            found = rejection(_written(_changed(data, ("derivation", *place), other)))
            assert found is not None or _harmless(data, place, other), (place, len(other))


def _harmless(data: Data, place: Place, other: list[object]) -> bool:
    """A beginning of a chain left out may leave the same loss; one that did nothing to it."""
    rest: Any = data["derivation"]
    for key in place[:-1]:
        rest = rest[key]
    return bool(other) and rest["rule"] == "chain"


@each_accepted
@pytest.mark.parametrize("field", ["assumptions", "attention"])
def test_remarks_left_out_or_added_are_rejected(data: Data, field: str) -> None:
    for i in range(len(data[field])):
        found = rejection(_written(_changed(data, (field,), data[field][:i] + data[field][i + 1 :])))
        assert found is not None
        assert found[1].startswith(field)
    assert rejection(_written(_changed(data, (field,), [*data[field], "all is well"]))) is not None
    assert rejection(_written(_changed(data, ("neighbours",), "nobody"))) is not None
    assert rejection(_written(_changed(data, ("format",), "dpcore-certificate/2"))) is not None


# ---- written by hand ----------------------------------------------------------------------------------------------------


def _node(rule: str, premises: list[Data] | None = None, witness: Data | None = None, **parameters: object) -> Data:
    return {"rule": rule, "parameters": parameters, "premises": premises or [], "witness": witness or {}}


# ---- what would take forever -------------------------------------------------------------------------------------------

SOUND = certify(dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)).data


@pytest.mark.parametrize("opening", ["[", '{"premises":[', '{"of":[', '{"each":', '"\\"[', '["]",'])
def test_deep_nesting_is_rejected_at_once(opening: str) -> None:
    began = time.perf_counter()
    for depth in (300, 100_000):
        with pytest.raises((checker.Rejected, ValueError)):
            checker.verify((opening * depth).encode())
        text = json.dumps(_changed(SOUND, ("derivation",), BARE)).replace(json.dumps(BARE), opening * depth)
        with pytest.raises((checker.Rejected, ValueError)):
            checker.verify(text.encode())
    assert time.perf_counter() - began < 5


def test_a_derivation_nested_too_deeply_is_rejected_by_name() -> None:
    node = {"rule": "post_process", "parameters": {"function": {"name": "f", "digest": ""}}, "witness": {}}
    text = json.dumps({**node, "premises": BARE}).replace(json.dumps(BARE), "[%s]")
    nested = json.dumps(SOUND["derivation"])
    for _ in range(500):
        nested = text % nested
    found = rejection(json.dumps(_changed(SOUND, ("derivation",), BARE)).replace(json.dumps(BARE), nested).encode())
    assert found is not None
    assert "nested" in found[1]


@pytest.mark.parametrize("digits", [1001, 5000, 10**6])
def test_long_numbers_are_rejected_by_name(digits: int) -> None:
    for number in ("9" * digits, "1/" + "7" * digits, "-" + "3" * digits):
        made = _changed(SOUND, ("derivation", "premises", 2, "parameters", "scale"), number)
        found = rejection(_written(made))
        assert found is not None
        assert "digits" in found[1]
        assert found[0].endswith("parameters/scale")


NUMBERS = [
    "",
    " 1",
    "1 ",
    "+1",
    "01",
    "-0",
    "1/0",
    "0/1",
    "2/4",
    "1/1",
    "1.5",
    "1e3",
    "½",
    "\u0661",
    "1_000",
    "0x10",
    "nan",
    "1\n",
    "--1",
]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_have_one_way_of_writing(number: str) -> None:
    found = rejection(_written(_changed(SOUND, ("claims", 0, "d_in"), number)))
    assert found is not None
    assert found[0] == "claims/0/d_in"


def test_losses_that_grow_without_end_are_refused_in_time() -> None:
    """Exponents, sums and products that would fill the memory."""
    began = time.perf_counter()
    approx = dp.rows(dp.text()) >> dp.threshold_release(scale="1/2", threshold=30)
    data = certify(dp.group_privacy(approx)).data
    for d_in in (10**3, 10**9, 10**900):
        assert rejection(_written(_changed(data, ("claims", 0, "d_in"), str(d_in)))) is not None
    for scale in (Fraction(1, 10**900), Fraction(10**900)):
        place: Place = ("derivation", "premises", 0, "parameters", "scale")
        assert rejection(_written(_changed(data, place, str(scale)))) is not None
    spread: Data = certify(
        dp.value(dp.vector(dp.integers(), 2), dp.L1Distance()) >> dp.to_metric(dp.L2Distance()) >> dp.gaussian(sigma=1)
    ).data
    first, second = spread["derivation"]["premises"]
    there = {"rule": "linf_to_l2", "parameters": {"size": "2"}, "premises": [], "witness": {}}
    back = {"rule": "l2_to_linf", "parameters": {}, "premises": [], "witness": {}}
    up = {"rule": "l1_to_l2", "parameters": {}, "premises": [], "witness": {}}
    down = {"rule": "l2_to_l1", "parameters": {"size": "2"}, "premises": [], "witness": {}}
    for links in ([up, down] * 2000, [first, *[back, there] * 2000]):
        found = rejection(_written(_changed(spread, ("derivation", "premises"), [*links, second])))
        assert found is not None
    assert time.perf_counter() - began < 20


def test_joint_vectors_within_joint_vectors_take_no_exponential_time() -> None:
    began = time.perf_counter()
    rows = {
        "rule": "filter_symmetric",
        "parameters": {"condition": {"expression": {"op": "truth", "value": True}}},
        "premises": [],
        "witness": {},
    }
    inner: Any = SOUND["derivation"]
    for _ in range(30):
        vectors = [["1"], ["1/2"], ["1/3"]]
        inner = {
            "rule": "general_composition_pure",
            "parameters": {"joint": vectors},
            "premises": [rows, inner],
            "witness": {},
        }
    assert rejection(_written(_changed(SOUND, ("derivation",), inner))) is not None
    assert time.perf_counter() - began < 5


def test_curves_within_curves_take_no_exponential_time() -> None:
    began = time.perf_counter()
    inner: Any = SOUND["derivation"]
    inner = _node("pure_to_approx", [inner])
    for _ in range(40):
        inner = _node("approx_to_profile", [inner])
        inner = _node("profile_to_approx", [inner], {"epsilon": "1/2"}, at_most=None)
    assert rejection(_written(_changed(SOUND, ("derivation",), inner))) is not None
    assert time.perf_counter() - began < 5
