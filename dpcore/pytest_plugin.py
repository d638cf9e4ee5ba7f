"""The pytest fixture `attack`: a test that fails with the counterexample where a claim is wrong.

def test_my_arrows(attack):
    attack(my_transformation)
    attack(my_module)

Every pytest of everybody who has dpcore installed loads this module, so it imports nothing until its fixture is asked for.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from dpcore.core.origins import Arrow


class Attack(Protocol):
    """Attack an arrow, or all arrows that a module exports; fail if a claim is wrong."""

    def __call__(self, target: Arrow | ModuleType, *, rows: int = 3, examples: int = 500, seed: int = 0) -> None: ...


@pytest.fixture
def attack() -> Attack:
    """Attack an arrow, or all arrows that a module exports, with `falsify` and `exhaust`; fail if a claim is wrong."""
    from dpcore.assurance.checking import check, check_module

    def attack(target: Arrow | ModuleType, *, rows: int = 3, examples: int = 500, seed: int = 0) -> None:
        if isinstance(target, ModuleType):
            results = list(check_module(target, rows=rows, examples=examples, seed=seed))
            if not results:
                pytest.fail(f"the module {target.__name__} exports no arrow", pytrace=False)
        else:
            results = [check(target, rows=rows, examples=examples, seed=seed)]
        broken = [result for result in results if not result.sound]
        if broken:
            pytest.fail("\n\n".join(map(str, broken)), pytrace=False)

    return attack
