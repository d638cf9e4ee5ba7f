"""The public face: what a type checker sees, what Python finds, and what `from dpcore import *` gives are one list."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import dpcore
from dpcore.errors import HINTS
from tools.names import PAGE, groups, page

MOST = 118
"""How many public names there may be: a hundred for what is put together, five to ask questions one by one, and those of
the lecture notes (many queries, learning, the local model, beliefs, planning)."""

STUB = Path(dpcore.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
FRONT, _, MOVED = STUB.partition("\n# ---- Moved")


def _exported_to_type_checkers(code: str = FRONT) -> dict[str, str]:
    """A stub gives out what it imports under its own name, `sum as sum`, and nothing else: each name, and from where."""
    imports = [node for node in ast.parse(code).body if isinstance(node, ast.ImportFrom)]
    pairs = [(alias, node.module) for node in imports for alias in node.names if alias.asname == alias.name]
    return {alias.name: str(module) for alias, module in pairs}


GONE = _exported_to_type_checkers(f"# {MOVED}")


def test_few_names() -> None:
    assert len(dir(dpcore)) <= MOST


def test_the_groups_are_shown() -> None:
    """By `help(dpcore)`, and by a page that `make names` writes."""
    assert sorted(name for names in groups().values() for name in names) == dir(dpcore)
    assert re.findall(r"^# ---- (.*)$", FRONT, flags=re.MULTILINE) == [*groups()]
    assert PAGE.read_text(encoding="utf-8") == page(), "make names"
    assert not re.findall(r"`` *\||\| *\|$", page().replace("| | |", "")), "each name has a first sentence"


@pytest.mark.parametrize("name", sorted(GONE))
def test_a_name_that_moved_says_where_it_is(name: str) -> None:
    assert name not in dir(dpcore)
    assert name not in HINTS
    with pytest.warns(DeprecationWarning, match=f"dpcore.{name} is now {GONE[name]}.{name};") as warned:
        found: object = getattr(dpcore, name)
    assert warned[0].filename == __file__, "where it was written"
    assert found is getattr(importlib.import_module(GONE[name]), name)


NEVER_THERE = {
    *("ApproxZCDPLoss", "Beliefs", "ByKey", "Comparison", "Comparisons", "Coordinates", "Curator", "Estimator"),
    *(
        "Interactive",
        "Odometer",
        "OnlineWeights",
        "Plan",
        "Posterior",
        "Randomizer",
        "Running",
        "Synthetic",
        "SyntheticTable",
        "Way",
    ),
}
"""Types that came after the front was cleared."""


def test_what_moved_is_one_step_from_the_front() -> None:
    assert set(GONE.values()) == {"dpcore.types", "dpcore.errors", "dpcore.expressions", "dpcore.planning"}
    assert {name for name, module in GONE.items() if module == "dpcore.types"} == set(dpcore.types.__all__) - {
        *dir(dpcore)
    } - NEVER_THERE
    found = vars(dpcore.errors).items()
    kinds = {name for name, kind in found if isinstance(kind, type) and issubclass(kind, dpcore.errors.DPError)}
    assert {name for name, module in GONE.items() if module == "dpcore.errors"} <= kinds


def test_one_list_of_names() -> None:
    starred: dict[str, object] = {}
    exec("from dpcore import *", starred)
    assert sorted(_exported_to_type_checkers()) == sorted(starred.keys() - {"__builtins__"}) == dir(dpcore)


def test_every_name_is_found() -> None:
    for name in dir(dpcore):
        assert getattr(dpcore, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(dpcore, "no_such_name")


def _loaded_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    assert not {"sympy", "numpy", "flint", "cryptography"} & _loaded_after("import dpcore")


FIRST = "import dpcore as dp; m = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120); "

FOR_A_LOSS = {
    "calculus",
    "core",
    "domains",
    "engines",
    "errors",
    "expressions",
    "functions",
    "kinds",
    "maps",
    "measurements",
    "measures",
    "metrics",
    "noise",
    "transformations",
    "written",
}
"""What of dpcore builds a pipeline and counts its loss."""

NOT_ALL_OF = {
    "core": {"arrows", "chaining", "checks", "keyed", "origins", "readings", "spaces", "steps", "typing"},
    "engines": {"table", "tables"},
    "measurements": {"additive", "laplace"},
    "noise": {"bits"},
    "transformations": {"row_map", "sum"},
}
"""Of packages that hold more than that, the part that does."""


def test_a_first_loss_loads_what_it_needs_alone() -> None:
    new = _loaded_after(FIRST + "m.loss(1)") - _loaded_after("")
    assert new & packages_distributions().keys() <= {"dpcore", "flint"}
    ours = {tuple(name.split(".")[1:3]) for name in new if name.startswith("dpcore.")}
    assert {name[0] for name in ours} <= FOR_A_LOSS
    for package, parts in NOT_ALL_OF.items():
        assert {name[1] for name in ours if name[0] == package and len(name) == 2} <= parts


def test_what_a_release_needs_is_loaded_with_it() -> None:
    assert {"numpy", "cryptography", "dpcore.engines.doors", "dpcore.noise.samples"} <= _loaded_after(
        FIRST + "m.release([1, 2])"
    )


def test_sympy_waits_for_the_first_formula() -> None:
    assert "sympy" not in _loaded_after(FIRST + "m.loss(1); m.release([1, 2])")
    assert "sympy" in _loaded_after(FIRST + "str(m.map)")
