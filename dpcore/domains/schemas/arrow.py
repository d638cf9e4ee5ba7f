"""The schema that any library hands over as a capsule of Arrow's C data interface, read without a library for Arrow.

https://arrow.apache.org/docs/format/CDataInterface.html says how the structure lies in memory and what its texts mean.
"""

from __future__ import annotations

from ctypes import POINTER, PYFUNCTYPE, Structure, c_char_p, c_int64, c_void_p, py_object, pythonapi
from typing import Final

from dpcore.errors import InvalidParameter


class ArrowSchema(Structure):
    """One field, or the struct of all of them."""


ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]

_POINTER_IN: Final = PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", pythonapi))

NAMES: Final = {
    "b": "bool", "c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32", "I": "uint32", "l": "int64",
    "L": "uint64", "e": "float16", "f": "float", "g": "double", "u": "string", "U": "string", "vu": "string",
    "tdD": "date", "tdm": "date", "tss:": "timestamp", "tsm:": "timestamp", "tsu:": "timestamp", "tsn:": "timestamp",
}  # fmt: skip
"""The formats that have a domain, as other libraries write them."""


def columns_of(capsule: object) -> list[tuple[str, str]]:
    """The names of the columns and their types; the format itself where it has no other name."""
    schema = ArrowSchema.from_address(_POINTER_IN(capsule, b"arrow_schema"))
    if schema.format != b"+s":
        raise InvalidParameter("Expected a schema of several columns but got one of single values")
    return [_column(schema.children[i].contents) for i in range(schema.n_children)]


def _column(field: ArrowSchema) -> tuple[str, str]:
    name, said = (field.name or b"").decode(), field.format.decode()
    if field.dictionary:
        return name, "category"
    if said.startswith("d:"):
        return name, f"decimal({', '.join(said[2:].split(',')[:2])})"
    return name, NAMES.get(said, said)
