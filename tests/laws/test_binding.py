"""To bind a symbol is to call the constructor with the number: the same value, or the same refusal.

Every number that a step of the examples was given is tried as a symbol, and every arrow with symbols. A check that stands
in the constructor alone, not in the step's `__post_init__`, is missing when a symbol is bound, and fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest

import dpcore as dp
from dpcore.assurance.arrows import AnyArrow
from dpcore.core.origins import Arrow, Call, rebuilt
from dpcore.core.steps import Step
from dpcore.functions import UserFunction
from dpcore.maps import argument
from tests.laws.catalogue import EXAMPLES, SYMBOLIC, Example, Symbolic

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

VALUES = (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(7, 2))
NAME = "unknown"
UNKNOWN = dp.symbol(NAME)
NAMES = {name: getattr(dp, name) for name in dir(dp)} | {"Fraction": Fraction, NAME: UNKNOWN}


def called(text: str, name: str, value: Fraction) -> object:
    """What the printed call makes with the number in the place of the symbol."""
    return eval(text.replace(argument(dp.symbol(name)), repr(value)), NAMES)


def outcome(make: Callable[[], object]) -> object:
    """The value that is made, or the refusal."""
    try:
        return make()
    except dp.errors.DPError as refusal:
        return type(refusal), str(refusal)


def steps_of(arrow: Arrow) -> Iterator[Step]:
    if isinstance(arrow.origin, Call) and isinstance(arrow.origin.function, Step):
        yield arrow.origin.function
    for part in arrow.origin.contents(arrow.input).parts:
        yield from steps_of(part.arrow)


def with_symbols(step: Step) -> Iterator[tuple[str, Step]]:
    """The step with a symbol for one of its numbers, for each that its constructor takes one for."""
    made = cast("DataclassInstance", step)
    given = {field.name: getattr(step, field.name) for field in fields(made)}
    functions = {f.name: f for f in given.values() if isinstance(f, UserFunction)}
    for name, value in given.items():
        if type(value) not in (int, Fraction):
            continue
        try:
            open_step = cast(Step, replace(made, **{name: UNKNOWN}))
            accepted = eval(repr(open_step), {**NAMES, **functions})
        except dp.errors.DPError:
            continue
        assert accepted == open_step
        yield f"{step.word} {name}", open_step


STEPS = dict(
    named
    for example in EXAMPLES
    for step in steps_of(cast(Arrow, example.build()))
    for named in with_symbols(step)
)  # fmt: skip


def test_steps_with_symbols_are_found() -> None:
    words = {name.partition(" ")[0] for name in STEPS}
    assert words >= {"clamp", "laplace", "gaussian", "randomized_response", "clip_norm", "above_threshold"}


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_bound_as_it_is_called(name: str, value: Fraction) -> None:
    step = STEPS[name]
    bound = outcome(partial(step.bind, {NAME: value}))
    assert bound == outcome(partial(called, repr(step), NAME, value))


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("example", SYMBOLIC, ids=lambda e: e.name)
def test_an_arrow_is_bound_as_it_is_called(example: Symbolic, value: Fraction) -> None:
    arrow = cast(AnyArrow, example.build())
    for name in sorted(arrow.symbols):
        bound = outcome(partial(arrow.bind, **{name: value}))
        assert bound == outcome(partial(called, repr(arrow), name, value))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.name)
def test_an_arrow_made_again_on_its_space_is_itself(example: Example) -> None:
    arrow = cast(Arrow, example.build())
    again = rebuilt(arrow, arrow.input, {})
    assert again is not arrow
    assert again == arrow
    assert repr(again) == repr(arrow)
