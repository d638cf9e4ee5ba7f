"""A function of the user's own, of which a certificate holds the name and a digest of its code, and nothing that runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NoReturn, final

from dpcore.calculus.parameters import Json, Kind, Many, Schema, fields, text
from dpcore.calculus.parameters.data import object_of
from dpcore.calculus.parameters.kind import a
from dpcore.calculus.parameters.quoting import quoted
from dpcore.calculus.parameters.words import plain
from dpcore.errors import InvalidParameter
from dpcore.functions import UserFunction, known_as, user_function
from dpcore.written.texts import DIGEST


@final
class Function(Kind[UserFunction]):
    """A function, by its name and digest; read back, it cannot be called."""

    def encode(self, value: object) -> Json:
        function = user_function(value if callable(value) else a(UserFunction, value), "distance")
        return {"name": function.told, "digest": function.digest}

    def decode(self, written: Json) -> UserFunction:
        given = fields(written, "name", "digest")
        return known_as(_absent, text(given["name"]), text(given["digest"]))

    def definition(self) -> Schema:
        return {
            "description": "a function of the user's own, by its name and a digest of its code",
            **object_of({"name": {"type": "string"}, "digest": DIGEST.schema()}),
        }

    def words(self, written: Json) -> str:
        if isinstance(written, dict) and written.keys() == {"name", "digest"}:
            return f"{quoted(str(written['name']))} (sha256 {plain(written['digest'])})"
        return plain(written)

    @property
    def of_users(self) -> bool:
        return True

    def functions(self, written: Json) -> Iterator[str]:
        yield named(written)


def _absent(x: object) -> NoReturn:
    raise InvalidParameter("a certificate holds the name of a function, not the function")


def named(written: Json) -> str:
    """What assumptions call a function."""
    given = fields(written, "name", "digest")
    return f"{text(given['name'])} ({text(given['digest'])[:16]})"


FUNCTION: Final = Function("function")
FUNCTIONS: Final = Many("functions", FUNCTION)
