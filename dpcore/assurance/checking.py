"""Every arrow that a module exports, attacked: what `dpcore check module.py` and the pytest fixture run.

Each goes through `falsify` and `exhaust`. A measurement whose releases cannot be written out is audited instead, on a few
small neighbours: a weaker attack, and it is said so.
"""

from __future__ import annotations

import importlib.util
import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final, final

from dpcore.assurance.arrows import AnyMeasurement, is_measurement
from dpcore.assurance.auditing import Audit, audit
from dpcore.assurance.exhaustion import Exhaustion, exhaust
from dpcore.assurance.falsification import EXAMPLES, Falsification, falsify
from dpcore.assurance.universe import members, some_atoms
from dpcore.core import Measurement, Transformation
from dpcore.core.checks import number_of
from dpcore.core.origins import Arrow
from dpcore.errors import DPError, InvalidParameter

ROWS: Final = 3
DEPTH: Final = 5
"""How deep in lists and dictionaries arrows are looked for."""
PAIRS: Final = 4
RELEASES: Final = 5000
SURE: Final = "0.999999999999"
"""So sure is an audit that a right claim is called wrong once in a million million times."""


@final
@dataclass(frozen=True, slots=True)
class Checked:
    """What `falsify` and `exhaust` say of one arrow. `str` prints both."""

    name: str
    falsification: Falsification
    exhaustion: Exhaustion | None
    not_exhausted: str = ""
    """Why not every pair of a small universe could be tried."""
    audits: tuple[Audit, ...] = ()
    """Instead of that, where it is a measurement."""

    @property
    def sound(self) -> bool:
        """Whether nothing was found against it."""
        exceeded = any(audit.exceeded for audit in self.audits)
        return not self.falsification.found and not exceeded and (self.exhaustion is None or self.exhaustion.sound)

    @property
    def summary(self) -> str:
        """One line: its name and the verdict."""
        if self.falsification.found:
            return f"{self.name}: UNSOUND: {self.falsification.findings[0].kind}"
        searched = f"nothing found in {_counted(self.falsification.tried, 'pair')}"
        left = f"; not looked at: {self.falsification.not_looked_at}" if self.falsification.not_looked_at else ""
        if self.exhaustion is not None:
            return f"{self.name}: {self.exhaustion.verdict}; {searched}{left}"
        if not self.sound:
            return f"{self.name}: UNSOUND: an audit exceeds the claim"
        audited = f"; {_counted(len(self.audits), 'audit')} below the claim" if self.audits else ""
        return f"{self.name}: {searched}{audited}; not exhausted: {self.not_exhausted}{left}"

    def __str__(self) -> str:
        said = [f"{self.name}: {self.falsification}"]
        said.append(str(self.exhaustion) if self.exhaustion else f"  not exhausted: {self.not_exhausted}")
        said += [str(audit) for audit in self.audits]
        return "\n".join(said)


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def check(arrow: Arrow, name: str = "arrow", *, rows: int = ROWS, examples: int = EXAMPLES, seed: int = 0) -> Checked:
    """Attack one arrow with both tools."""
    rows = number_of(rows, "rows", 0)
    falsification = falsify(arrow, examples=examples, seed=seed)
    if any(finding.kind.startswith("map ") for finding in falsification.findings):
        return Checked(name, falsification, None, "its map is no map")
    try:
        return Checked(name, falsification, exhaust(arrow, rows=rows))
    except DPError as error:
        audits = tuple(_audits(arrow)) if is_measurement(arrow) else ()
        return Checked(name, falsification, None, error.headline, audits)


def _audits(m: AnyMeasurement) -> Iterator[Audit]:
    """Audits between a few of the smallest neighbours; of what cannot be told apart by an event, none."""
    try:
        tried = members(m.input, some_atoms(m.input, m.derivation)[:2], 2)
        near = sorted((m.input.metric.carried(x, y), i, j) for i, x in enumerate(tried) for j, y in enumerate(tried))
        pairs = [(tried[i], tried[j]) for d, i, j in near if 0 < d < math.inf][:PAIRS]
    except DPError:
        return
    for x, y in pairs:
        try:
            yield audit(m, x, y, n=RELEASES, confidence=SURE)
        except DPError:
            continue


def check_module(module: ModuleType, *, rows: int = ROWS, examples: int = EXAMPLES, seed: int = 0) -> Iterator[Checked]:
    """Attack every arrow that a module exports, one after the other."""
    for name, arrow in arrows_of(module).items():
        yield check(arrow, name, rows=rows, examples=examples, seed=seed)


def arrows_of(module: ModuleType) -> Mapping[str, Arrow]:
    """The arrows that a module exports: the names of `__all__`, or those without an underscore.

    An arrow may stand in a list, tuple or dictionary, and a function that needs no argument may make it: what such a
    function is annotated to return decides, so that nothing is called that makes no arrow.
    """
    names: list[str] = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    absent = [name for name in names if not hasattr(module, name)]
    if absent:
        raise InvalidParameter(f"__all__ of {module.__name__} names {absent[0]!r}, which is not there")
    return dict(entry for name in names for entry in _arrows(name, getattr(module, name), module, DEPTH))


def _arrows(name: str, value: object, module: ModuleType, depth: int) -> Iterator[tuple[str, Arrow]]:
    if not depth:
        return
    if isinstance(value, (Transformation, Measurement)):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _arrows(f"{name}[{key!r}]", inner, module, depth - 1)
    elif isinstance(value, (list, tuple)):
        for i, inner in enumerate(value):
            yield from _arrows(f"{name}[{i}]", inner, module, depth - 1)
    elif isinstance(value, FunctionType) and value.__module__ == module.__name__ and _makes_an_arrow(value):
        try:
            yield f"{name}()", value()
        except Exception as error:
            raise InvalidParameter(f"{name}() raised {type(error).__name__}: {error}") from error


def _makes_an_arrow(function: FunctionType) -> bool:
    """Whether it is said to return an arrow, and can be called without arguments."""
    signature = inspect.signature(function)
    spread = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    if any(p.default is p.empty and p.kind not in spread for p in signature.parameters.values()):
        return False
    returned: object = signature.return_annotation
    said = returned if isinstance(returned, str) else getattr(returned, "__name__", "")
    return str(said).partition("[")[0].rpartition(".")[2] in ("Transformation", "Measurement")


def module_at(path: str | Path) -> ModuleType:
    """The module in a file, run as `import` would; what it imports beside itself is found."""
    file = Path(path).resolve()
    if not file.is_file() or file.suffix != ".py":
        raise InvalidParameter(f"Expected a Python file but there is none at {path}", produced=str(path))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    beside, before = str(file.parent), sys.modules.get(file.stem)
    sys.path.insert(0, beside)
    sys.modules[file.stem] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InvalidParameter(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(beside)
        if before is None:
            del sys.modules[file.stem]
        else:
            sys.modules[file.stem] = before
    return module
