"""One hypothesis profile for all tests: the same examples on every run and machine, and no clock. And a choice of laws."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "dpcore", derandomize=True, deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dpcore")


AT_MOST = 40
"""So many laws are a first answer, see `tools/quick.py`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--laws-of", help="of the laws only some, on examples with a rule of these modules of dpcore")


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
    from dpcore.derivation import RULES
    from tests.laws.arrows import arrow
    from tests.laws.examples.example import Example

    example = (
        item.callspec.params.get("example") if isinstance(item, pytest.Function) and hasattr(item, "callspec") else None
    )
    if not isinstance(example, Example):
        return set()
    return {RULES[rule].map.__module__ for rule in arrow(example.build()).derivation.rules()}
