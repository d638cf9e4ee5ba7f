"""The main job in one page: pipelines on a small table, their formulas, their exact losses, a release of each, and a
certificate of one of them, checked.

    dpcore demo [FOLDER]

The certificate and its report are written into the folder, or into a new temporary one.
The table is made up: visits to a clinic, with the visitor, age, region and length in minutes.
"""

from __future__ import annotations

import csv
import shlex
import sys
from fractions import Fraction
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from textwrap import indent
from typing import Protocol, TypeAlias

import dpcore as dp
from dpcore.certificates.checker_file import checker_file
from dpcore.commands.actions import checked
from dpcore.commands.cli import main as dpcore

Counts: TypeAlias = dp.types.Measurement[
    dp.types.Rows[dp.types.Record], dp.SymmetricDistance, dp.PureDP, dp.types.Coordinates[int]
]


def visits() -> list[dict[str, object]]:
    """The bundled table as records."""
    text = files("dpcore").joinpath("data", "visits.csv").read_text(encoding="utf-8")
    return [
        {"person": r["person"], "age": int(r["age"]), "region": r["region"], "minutes": float(r["minutes"])}
        for r in csv.DictReader(text.splitlines())
    ]


VISIT = dp.record(
    person=dp.text(),
    age=dp.integers(0, 120),
    region=dp.categories("N", "E", "S", "W"),
    minutes=dp.numbers(0, 180),
)


def main(folder: Path) -> int:
    data = visits()
    by_row = dp.rows(VISIT)
    by_person = dp.rows(VISIT, dp.PersonDistance("person"))

    adults = by_row >> dp.filter(dp.field("age") >= 18) >> dp.histogram(dp.field("region")) >> dp.laplace(scale=2)
    minutes = (
        by_row
        >> dp.select(dp.field("minutes"), dp.numbers(0, 180))
        >> dp.clamp(0, 60)
        >> dp.quantize("0.1")
        >> dp.sum()
        >> dp.gaussian(sigma=120)
    )
    visitors = by_person >> dp.bound_contributions(3) >> dp.count() >> dp.laplace(accuracy=20, confidence=0.95)

    print(f"{len(data)} visits, made up. Each line below is derived from the pipeline, not written by hand.\n")
    show("visits of adults by region", adults, "one visit more or less", data)
    show("minutes in all, at most 60 a visit", minutes, "one visit more or less", data)
    show("visits, at most 3 a person", visitors, "one person more or less", data)

    if find_spec("polars"):
        of_a_frame(adults, data)

    within = minutes.to(dp.ApproxDP, delta="1e-6")
    print("The second loss in (epsilon, delta):")
    print(f"    {within.loss(d_in=1)}\n")

    scale = dp.symbol("scale")
    open_scale = by_row >> dp.count() >> dp.laplace(scale=scale)
    print("A count with the scale left open, solved for epsilon = 1/10:")
    print(f"    epsilon = {open_scale.map}    scale = {open_scale.solve(dp.pure('1/10'), d_in=1)}\n")

    print("What does not fit is refused when it is put together:")
    try:
        print(by_row >> dp.histogram(dp.field("region")) >> dp.gaussian(sigma=2))  # type: ignore[operator]
    except dp.errors.MetricMismatch as error:
        print("    " + str(error).replace("\n", "\n    "))
    return certified(dp.certify(within, d_in=1), folder)


def of_a_frame(counts: Counts, data: list[dict[str, object]]) -> None:
    """The same question to a table as it is."""
    import polars as pl

    frame = pl.DataFrame(data)
    print(
        "The first question again, of a frame of polars: one query, its checks of the data with it, and a frame comes out,"
    )
    print("here with half the width of an interval that holds the number without noise 19 times of 20:")
    print(f"    {frame.shape[0]} rows of {', '.join(frame.columns)}")
    print(indent(str(counts.release(frame, confidence=0.95)), "    "), end="\n\n")


def certified(certificate: dp.types.Certificate, folder: Path) -> int:
    """Write the certificate and its report, and have it checked. What the checker says is the exit status."""
    folder.mkdir(parents=True, exist_ok=True)
    path, page = folder / "minutes.cert.json", folder / "minutes.html"
    certificate.save(path)
    print(
        "\nA certificate of the minutes in (epsilon, delta), for somebody who does not have dpcore. The checker says:"
    )
    _, status, lines = checked(str(path))
    print("".join(f"    {line}\n" for line in lines))
    print(f"certificate: {path}")
    print(f"check it:    {shlex.join([sys.executable, '-I', '-S', str(checker_file()), str(path)])}")
    dpcore(["report", str(path), "--force", "-o", str(page)])
    return status


class Shown(Protocol):
    """A measurement on the table."""

    @property
    def map(self) -> object: ...
    def loss(self, d_in: int) -> dp.types.Loss: ...
    def release(self, data: list[dict[str, object]]) -> object: ...


def show(title: str, measurement: Shown, neighbours: str, data: list[dict[str, object]]) -> None:
    release = measurement.release(data)
    print(title)
    print(f"    pipeline  {str(measurement).split(' >> ', 1)[1]}")
    print(f"    bound     {measurement.map}")
    print(f"    loss      {measurement.loss(d_in=1)}    ({neighbours})")
    print(f"    release   {float(release) if isinstance(release, Fraction) else release}\n")
