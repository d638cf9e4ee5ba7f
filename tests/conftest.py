"""One hypothesis profile for all tests: the same examples on every run and machine, and no clock. And how many tests run."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dpcore", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dpcore")


met = Counter[str]()
"""How many of each family of tests were collected."""

AT_MOST = 40
"""So many laws are a first answer, see `tools/quick.py`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--laws-of", help="of the laws only some, on examples with a rule of these modules of dpcore")
    parser.addoption("--releases", type=int, default=1_000_000, help="so many on each side in the long audits")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: garbage is not looked for in it, neither while it grows nor afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """At the end it is garbage like any other, and what it holds open is closed."""
    gc.unfreeze()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Of a family of tests that are alike, `make test` runs every so many-th, and `make assurance` the others."""
    if not isinstance(item, pytest.Function):
        return
    spread = item.get_closest_marker("spread")
    if spread is not None:
        every: int = spread.args[0]
        family = f"{item.path}::{item.originalname}"
        if met[family] % every:
            item.add_marker(pytest.mark.long)
        met[family] += 1
    if hasattr(item, "callspec") and getattr(item.callspec.params.get("example"), "slow", False):
        item.add_marker(pytest.mark.long)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    modules: str | None = config.getoption("--laws-of")
    if modules is None:
        return
    laws = [item for item in items if "laws" in item.path.parts]
    concerned = [item for item in laws if _rules_of(item) & {*modules.split(",")}]
    chosen = concerned or laws
    kept = {*chosen[:: -(-len(chosen) // AT_MOST)]}
    left_out = [item for item in laws if item not in kept]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _rules_of(item: pytest.Item) -> set[str]:
    """The modules of the rules that stand in the example of a law."""
    from dpcore.calculus import RULES
    from tests.laws.arrows import arrow
    from tests.laws.examples.example import Example

    example = (
        item.callspec.params.get("example") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None
    )
    if not isinstance(example, Example):
        return set()
    return {RULES[rule].map.__module__ for rule in arrow(example.build()).derivation.rules()}
