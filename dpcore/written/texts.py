"""What is written as one text: names, days, digests, norms, measures."""

from __future__ import annotations

import datetime
from typing import Final, final, get_args

from dpcore.calculus.parameters import Json, Kind, Many, OneText, Schema
from dpcore.domains import Norm
from dpcore.errors import InvalidParameter, NotCertifiable
from dpcore.measures import MEASURES, Measure

_ANY: Final[Schema] = {"type": "string"}
TEXT: Final = OneText("text", str, _ANY, str, str)
TEXTS: Final = Many("texts", OneText("", str, _ANY, str, str), least=0)
NORM: Final = OneText("norm", str, {"enum": [*get_args(Norm)]}, str, str)
DIGEST: Final = OneText("digest", str, {**_ANY, "pattern": "^[0-9a-f]{64}$"}, str, str)
DAY: Final = OneText(
    "day",
    datetime.date,
    {**_ANY, "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    datetime.date.isoformat,
    datetime.date.fromisoformat,
)


@final
class MeasureKind(Kind[Measure]):
    """What a loss is counted in, by its name."""

    def encode(self, value: object) -> Json:
        if not isinstance(value, Measure):
            raise NotCertifiable(f"a certificate writes no value of type {type(value).__name__} here", produced=value)
        return value.name

    def decode(self, written: Json) -> Measure:
        for measure in MEASURES:
            if measure.name == written:
                return measure
        raise InvalidParameter(f"there is no measure {written!r}", produced=written)

    def definition(self) -> Schema:
        return {"enum": [measure.name for measure in MEASURES]}


MEASURE: Final = MeasureKind("measure")
