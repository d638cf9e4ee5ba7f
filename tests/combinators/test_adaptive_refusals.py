"""What an adaptive composition says when it stops: what was shown before, what went wrong, what it would have cost.

So no refusal says that nothing was released where functions of the user have seen releases: no text about a failed function
says more than that no release was returned, and a composition in stages adds what earlier stages showed.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dpcore as dp

d: Any = dp
SECRET = "s3cret"
TEXTS = d.rows(d.text())
COUNT = TEXTS >> d.count() >> d.laplace(1)
SHOWN = "what stage 0 released was shown to the functions that choose, so its loss is spent"


def mistyped(seen: tuple[int, ...]) -> Any:
    return seen[0].as_integer()  # type: ignore[attr-defined]


def unbuildable(seen: tuple[int, ...]) -> Any:
    return TEXTS >> d.sum() >> d.laplace(1)


def quits(seen: tuple[int, ...]) -> Any:
    raise SystemExit("enough")


def dear(seen: tuple[int, ...]) -> Any:
    return TEXTS >> d.count() >> d.laplace("1/2")


def no_measurement(seen: tuple[int, ...]) -> Any:
    return 3


def elsewhere(seen: tuple[int, ...]) -> Any:
    return d.rows(d.integers()) >> d.count() >> d.laplace(1)


def other_measure(seen: tuple[int, ...]) -> Any:
    return COUNT.to(d.ZCDP)


def leaks(row: str) -> int:
    raise ValueError(row)


def fails_on_data(seen: tuple[int, ...]) -> Any:
    return TEXTS >> d.row_map(leaks, d.integers(0, 1)) >> d.sum() >> d.laplace(1)


STOPS: dict[str, tuple[Callable[[tuple[int, ...]], Any], type[dp.errors.DPError], str]] = {
    "a mistake in the function": (
        mistyped,
        dp.errors.UserFunctionFailed,
        "mistyped, which chooses stage 1, raised AttributeError: 'int' object has no attribute 'as_integer'",
    ),
    "a pipeline that does not chain": (
        unbuildable,
        dp.errors.UserFunctionFailed,
        "raised dpcore.errors.DomainMismatch: ",
    ),
    "an exit": (quits, dp.errors.UserFunctionFailed, "raised SystemExit: enough"),
    "too dear": (
        dear,
        dp.errors.BudgetExceeded,
        "it costs PureDP: epsilon = 2, exactly; left for it was PureDP: epsilon = 1, exactly",
    ),
    "no measurement": (no_measurement, dp.errors.InvalidParameter, "chose a int where a measurement is needed"),
    "another space": (elsewhere, dp.errors.MeasureMismatch, "on another space"),
    "another measure": (other_measure, dp.errors.MeasureMismatch, "in another measure"),
    "a failure on data": (fails_on_data, dp.errors.UserFunctionFailed, "the function leaks raised ValueError"),
}


def stopped(stages: list[Any]) -> dp.errors.DPError:
    with pytest.raises(dp.errors.DPError) as refusal:
        d.adaptive(TEXTS, [(d.pure(1), stage) for stage in stages]).release([SECRET])
    return refusal.value


@pytest.mark.parametrize("name", STOPS)
def test_what_earlier_stages_showed_is_said(name: str) -> None:
    stage, kind, words = STOPS[name]
    later = stopped([lambda seen: COUNT, stage])
    assert type(later) is kind
    assert words in str(later)
    assert SHOWN in str(later)
    assert SHOWN in later.args[0]
    assert "nothing was released" not in str(later)
    third = stopped([lambda seen: COUNT, lambda seen: COUNT, stage])
    assert "what stages 0 to 1 released was shown" in str(third)


@pytest.mark.parametrize("name", [name for name in STOPS if name != "a mistake in the function"])
def test_before_the_first_stage_nothing_was_shown(name: str) -> None:
    first = stopped([STOPS[name][0]])
    assert "was shown" not in str(first)


def test_an_error_of_the_data_stays_hidden_though_that_of_a_choice_is_seen() -> None:
    error = stopped([lambda seen: COUNT, fails_on_data])
    assert SECRET not in "".join(traceback.format_exception(error))
    seen = stopped([lambda seen: COUNT, mistyped])
    assert isinstance(seen.__cause__, AttributeError)
    assert SECRET not in "".join(traceback.format_exception(seen))


def test_no_text_about_a_failed_function_says_that_nothing_was_released() -> None:
    """Also where the failure comes in another part of a composition, after a function that chooses saw releases."""
    sources = Path(dp.__file__).parent.rglob("*.py")
    saying = [path.name for path in sources if "nothing was released" in path.read_text()]
    assert saying == ["errors.py"], "of data that were refused before anything was computed from them"
    both = d.compose([d.adaptive(TEXTS, [(d.pure(1), lambda seen: COUNT)]), fails_on_data(())])
    with pytest.raises(dp.errors.UserFunctionFailed) as refusal:
        both.release([SECRET])
    assert "nothing" not in str(refusal.value)
