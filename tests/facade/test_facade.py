"""The public face: what a type checker sees, what Python finds, and what `from dpcore import *` gives are one list."""

from __future__ import annotations

import ast
import subprocess
import sys
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


def test_nothing_that_draws_is_loaded_for_a_loss() -> None:
    pipeline = "import dpcore as dp; m = dp.rows(dp.integers(0, 9)) >> dp.sum() >> dp.laplace(scale=1); "
    drawing = {"cryptography", "dpcore.noise.samples", "dpcore.noise.accuracy", "dpcore.distributions", "difflib"}
    assert not drawing & _loaded_after(pipeline + "m.loss(1)")
    assert {"cryptography", "dpcore.noise.samples"} <= _loaded_after(pipeline + "m.loss(1); m.release([1, 2])")


def test_sympy_waits_for_the_first_formula() -> None:
    pipeline = (
        "import dpcore as dp\nm = dp.rows(dp.integers()) >> dp.clamp(0, 120) >> dp.sum() >> dp.laplace(scale=120)\n"
    )
    assert "sympy" not in _loaded_after(pipeline + "m.loss(1); m.release([1, 2])")
    assert "sympy" in _loaded_after(pipeline + "str(m.map)")
