"""A metric of a certificate in words, in full: what 1 apart is, with the function that says so if it is the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from dpcore.certificates import decoding, wording
from dpcore.certificates.encoding import Json
from dpcore.certificates.quoting import quoted, sentence
from dpcore.errors import DPError

UNREADABLE = (DPError, LookupError, TypeError, ValueError, AttributeError)


def neighbours(data: Mapping[str, Json]) -> str:
    """What 1 apart is in the input space of a certificate; if that cannot be read, what the certificate says itself."""
    try:
        return in_words(cast("dict[str, dict[str, Json]]", data["space"])["metric"])
    except UNREADABLE:
        return sentence(str(data.get("neighbours")))


def in_words(metric: Json) -> str:
    """As the checkers say it."""
    written = cast("dict[str, Json]", metric)
    match written["kind"]:
        case "Granularity":
            name, function = quoted(cast(str, written["name"])), wording.function(written["function"])
            return (
                f"one step of {name}, in the words of its author; how far apart data are, says the function {function}"
            )
        case "PersonDistance":
            return (
                f"all rows of one person, whom the field {quoted(cast(str, written['person']))} names, added or removed"
            )
        case "PartDistance":
            return f"{in_words(written['within'])}, in any of the parts"
    return decoding.metric(metric).words()
