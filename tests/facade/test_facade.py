"""The public face: what a type checker sees, what Python finds, and what `from dpcore import *` gives are one list."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import dpcore


def _exported_to_type_checkers() -> list[str]:
    """A stub gives out what it imports under its own name, `sum as sum`, and nothing else."""
    tree = ast.parse(Path(dpcore.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return [alias.name for node in imports for alias in node.names if alias.asname == alias.name]


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
    "chaining",
    "checks",
    "core",
    "derivation",
    "domains",
    "engines",
    "errors",
    "expressions",
    "formulas",
    "functions",
    "losses",
    "maps",
    "measurements",
    "measures",
    "metrics",
    "noise",
    "origins",
    "parameters",
    "readings",
    "spaces",
    "steps",
    "transformations",
    "typing",
    "written",
}
"""What of dpcore builds a pipeline and counts its loss."""

NOT_ALL_OF = {
    "engines": {"table"},
    "measurements": {"additive", "laplace"},
    "noise": {"bits"},
    "transformations": {"known_size", "row_map", "sum", "to_metric"},
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
