"""Where one call goes: the functions and files of dpcore that a reader follows to see what a pipeline does.

    python benchmarks/walk.py             # writes docs/walk.md
    python benchmarks/walk.py release     # prints every call of that walk in order: file and function

A call is one frame of dpcore that is entered: a comprehension is part of the function it stands in, and a generator that
goes on was entered before. Modules are loaded before anything is counted, and the bits of the noise are fixed, so the
figures are those of the code and of nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Final, TypeAlias, final

import numpy as np

import dpcore as dp
from dpcore.noise.bits import SeededBits

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "dpcore"
PAGE: Final = ROOT / "docs" / "walk.md"
INLINED: Final = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>"})  # from Python 3.12 on they have no frame

Counts: TypeAlias = dp.types.Measurement[dp.types.Rows[dp.types.Record], dp.SymmetricDistance, dp.PureDP, list[int]]


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A function of dpcore that was entered."""

    file: str
    function: str


@final
@dataclass(frozen=True, slots=True)
class Walk:
    """The calls of dpcore in order."""

    calls: tuple[Call, ...]

    @property
    def functions(self) -> int:
        return len(set(self.calls))

    @property
    def files(self) -> int:
        return len({call.file for call in self.calls})

    @property
    def changes(self) -> int:
        """How often the reader turns to another file."""
        return sum(call.file != before.file for before, call in zip(self.calls, self.calls[1:], strict=False))


@final
class _Recorder:
    """What `sys.setprofile` is given."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._entered: set[FrameType] = set()  # holding a frame, so that no other can take its identity
        self._names: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or frame in self._entered or (file := self._file(frame.f_code)) is None:
            return
        self._entered.add(frame)
        self.calls.append(Call(file, frame.f_code.co_qualname))

    def _file(self, code: CodeType) -> str | None:
        if code not in self._names:
            path = Path(code.co_filename)
            ours = path.is_relative_to(PACKAGE) and code.co_name not in INLINED
            self._names[code] = path.relative_to(PACKAGE).as_posix() if ours else None
        return self._names[code]


@final
@dataclass(frozen=True, slots=True)
class Stage:
    """What is done with a pipeline, and what was done with it before."""

    name: str
    what: str
    work: Callable[[Counts], object]
    before: Callable[[], Counts]
    wanted: int | None = None
    """At most so many files are wanted."""

    def walk(self) -> Walk:
        """What is called the second time: the first loads modules."""
        self.work(self.before())
        subject, recorder = self.before(), _Recorder()
        outside = sys.getprofile()
        sys.setprofile(recorder)
        try:
            self.work(subject)
        finally:
            sys.setprofile(outside)
        return Walk(tuple(recorder.calls))


PEOPLE: Final = dp.rows(dp.record(age=dp.integers(0, 120), region=dp.categories("N", "E", "S", "W")))
ROWS: Final = [{"age": 30, "region": "N"}, {"age": 12, "region": "S"}]
COLUMNS: Final = {"age": np.array([30, 12]), "region": np.array(["N", "S"])}


def built() -> Counts:
    """Filtered, counted by region, noised; built anew, since an arrow remembers how it is read."""
    return PEOPLE >> dp.filter(dp.field("age") >= 18) >> dp.histogram(dp.field("region")) >> dp.laplace(scale=1)


def asked() -> Counts:
    """One whose loss was asked for before."""
    m = built()
    m.loss(d_in=1)
    return m


def released() -> Counts:
    """One that was run before, so that its run is prepared."""
    m = built()
    m.release(ROWS, bits=SeededBits(1))
    return m


STAGES: Final = (
    Stage("build", "the pipeline", lambda _: built(), built, wanted=12),
    Stage("map", "the pipeline, and `str(.map)`", lambda _: str(built().map), built),
    Stage("loss", "`.loss(d_in=1)` again", lambda m: m.loss(d_in=1), asked),
    Stage("release", "`.release` of 2 rows in a list", lambda m: m.release(ROWS, bits=SeededBits(1)), built, wanted=16),
    Stage("again", "`.release` of the same again", lambda m: m.release(ROWS, bits=SeededBits(1)), released, wanted=16),
    Stage("columns", "`.release` of 2 rows in numpy columns", lambda m: m.release(COLUMNS, bits=SeededBits(1)), built),
    Stage("certify", "`certify`", lambda m: dp.certify(m, d_in=1), built, wanted=16),
)


def page() -> str:
    """The table of all walks, as it is published."""
    walks = [(stage, stage.walk()) for stage in STAGES]
    lines = [
        f"| {s.what} | {len(w.calls)} | {w.functions} | {w.files} | {w.changes} | {s.wanted or ''} |" for s, w in walks
    ]
    return "\n".join([_HEAD, *lines, ""])


_HEAD: Final = """# Walks

How many functions and files of dpcore a reader follows to see what one pipeline does:

    people >> filter(field("age") >= 18) >> histogram(field("region")) >> laplace(scale=1)

A call is a function that is entered; a change of file is a call in another file than the call before. The modules are
loaded before, and the bits of the noise are fixed. A test refuses walks through more files than here, or back and forth
more often. Each pipeline is a new one, so a release is its first, in which its run is prepared, but for `again`.
Made by `make walk`; `python benchmarks/walk.py release` prints every call of that walk in order.

| walk | calls | functions | files | changes of file | files wanted |
|---|---|---|---|---|---|"""


def main(names: list[str]) -> None:
    stages = {stage.name: stage for stage in STAGES}
    if unknown := [name for name in names if name not in stages]:
        sys.exit(f"Expected some of {', '.join(stages)} but got {', '.join(unknown)}")
    for name in names:
        for call in stages[name].walk().calls:
            print(call.file, call.function)
    if not names:
        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
