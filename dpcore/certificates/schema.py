"""The JSON Schema of certificates, made from what the rules say of themselves: each with its parameters and witness.

    python -m dpcore.certificates.schema               writes proofs/*.schema.json of this checkout again

It says what a certificate looks like, for whoever reads or writes one in another language. Whether what it says is true is
for the checker to find out.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from dpcore.calculus import RULES, Premises, Rule
from dpcore.calculus.parameters import (
    COUNTS_OF_EACH,
    FIGURES,
    LOSS,
    NUMBERS,
    ORDERS,
    ROWS_OF_FIGURES,
    Kind,
    Parameter,
    Schema,
)
from dpcore.calculus.parameters.data import if_then, list_of, object_of, ref
from dpcore.certificates.document import FORMAT
from dpcore.certificates.rules import load_rules
from dpcore.measures import MEASURES, Measure
from dpcore.written import (
    CONSTANT,
    CONSTANTS,
    CONSTANTS_OF_EACH,
    DAY,
    DIGEST,
    DOMAIN,
    EXPRESSION,
    EXPRESSIONS,
    FIELDS,
    FUNCTION,
    FUNCTIONS,
    MEASURE,
    METRIC,
    NORM,
    RANGE,
    SPOKEN,
    TEXT,
    TEXTS,
)

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> Schema:
    """The schema of certificates."""
    load_rules()
    top: Schema = {
        "format": {"const": FORMAT},
        "dpcore": {"type": "string", "description": "the version that wrote it"},
        "code": {"$ref": "#/$defs/digest", "description": "of the code of dpcore that wrote it"},
        "neighbours": {"type": "string", "description": "what being 1 apart means"},
        "space": object_of({"domain": ref("domain"), "metric": ref("metric")}),
        "derivation": ref("node"),
        "claims": list_of(ref("claim")),
        "assumptions": {**ref("texts"), "description": "what nobody proved, by name"},
        "attention": {**ref("texts"), "description": "what a reader must not miss"},
        "evidence": {**ref("texts"), "description": "what attacks have shown; it proves nothing"},
    }
    return {
        "$schema": DIALECT,
        "$id": "urn:dpcore:certificate:1",
        "title": "A certificate of differential privacy",
        "description": "The derivation of a bound. This says what a certificate looks like; the checker says if it holds.",
        **object_of(top),
        "$defs": _definitions(),
    }


def symbolic_schema() -> Schema:
    """The schema of certificates with symbols: numbers may be formulas, and what is claimed is null."""
    found = schema()
    definitions = {**_definitions(), "formula": _formula()}
    for kind in NUMBERS:
        definitions[kind.name] = {"anyOf": [definitions[kind.name], ref("formula")]}
    for rule in _rules():
        if rule.witness is not None:  # what was named is kept, and the rest is found when the symbols are numbers
            definitions[f"rule:{rule.name}"] = _rule(rule, witness_needed=False)
    definitions["claim"] = _claim("null")
    properties = {**_properties(found), "symbols": list_of({"type": "string"}, unique=True)}
    return {
        **found,
        "$id": "urn:dpcore:certificate:1:symbolic",
        "title": "A certificate of differential privacy that claims nothing until its symbols are numbers",
        **object_of(properties),
        "$defs": definitions,
    }


def rendered(of: Schema) -> str:
    """The text of a schema, as it is published."""
    return json.dumps(of, indent=1, ensure_ascii=True) + "\n"


FILES: Final = {"certificate.schema.json": schema, "symbolic.schema.json": symbolic_schema}


# ---- definitions -------------------------------------------------------------------------------------------------------


KINDS: Final[tuple[Kind[object], ...]] = (
    *NUMBERS,
    *(TEXT, TEXTS, DAY, DIGEST, NORM, MEASURE),
    *(FIGURES, ORDERS, LOSS, ROWS_OF_FIGURES, COUNTS_OF_EACH, FUNCTION, FUNCTIONS, FIELDS),
    *(CONSTANT, CONSTANTS, CONSTANTS_OF_EACH, RANGE, EXPRESSION, EXPRESSIONS, SPOKEN, DOMAIN, METRIC),
)
"""The kinds of parameters and fields, each with a definition of its own."""


def _rules() -> list[Rule]:
    """The rules that certificates speak of."""
    load_rules()
    return [rule for _, rule in sorted(RULES.items()) if rule.writes is not None]


def _definitions() -> Schema:
    return {
        **{kind.name: kind.definition() for kind in KINDS},
        "claim": _claim("notNegative"),
        "node": _node(),
        **{f"rule:{rule.name}": _rule(rule) for rule in _rules()},
    }


def _node() -> Schema:
    """A rule applied: what stands beside it depends on the rule."""
    names = [rule.name for rule in _rules()]
    sides: Schema = {name: {"type": "object"} for name in ("parameters", "witness")}
    node = object_of({"rule": {"enum": names}, **sides, "premises": list_of(ref("node"), least=0)})
    return {**node, "allOf": [if_then("rule", name, ref(f"rule:{name}")) for name in names]}


def _rule(rule: Rule, *, witness_needed: bool = True) -> Schema:
    witness = _fields([] if rule.witness is None else [rule.witness.parameter])
    return {
        "description": " ".join(rule.statement.split()),
        "properties": {
            "parameters": _fields(rule.writes or ()),
            "premises": _premises(rule),
            "witness": witness if witness_needed else {**witness, "required": []},
        },
    }


def _fields(parameters: Sequence[Parameter]) -> Schema:
    return object_of({each.name: each.schema() for each in parameters})


def _premises(rule: Rule) -> Schema:
    """How many premises the map of the rule takes after the distance."""
    parameters = [*inspect.signature(rule.map).parameters.values()][1:]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {"minItems": int(rule.premises is not Premises.ANY_AT_1)}
    count = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
    return {"minItems": count, "maxItems": count}


def _claim(figure: str) -> Schema:
    claim = object_of({"d_in": ref("positive"), "measure": ref("measure"), "loss": {"type": "object"}})
    return {**claim, "allOf": [if_then("measure", measure.name, _loss(measure, figure)) for measure in MEASURES]}


def _loss(measure: Measure, figure: str) -> Schema:
    one: Schema = {"type": "null"} if figure == "null" else ref(figure)
    if measure.variable is None:
        return {"properties": {"loss": object_of(dict.fromkeys(measure.figures, one))}}
    point: Schema = {"type": "array", "prefixItems": [ref("notNegative"), one], "minItems": 2, "maxItems": 2}
    described = {**list_of(point), "description": f"{measure.variable}, and {measure.figures[0]} there"}
    return {"properties": {"loss": object_of({"points": described})}}


def _formula() -> Schema:
    operation = object_of({"op": {"enum": ["add", "multiply", "power"]}, "of": list_of(ref("number"))})
    return {
        "description": "a number that is not known yet",
        "anyOf": [object_of({"symbol": {"type": "string"}}), operation],
    }


def _properties(of: Schema) -> Mapping[str, object]:
    found = of["properties"]
    assert isinstance(found, dict)
    return found


if __name__ == "__main__":
    for file, made in FILES.items():
        (Path(__file__).parents[2] / "proofs" / file).write_text(rendered(made()), encoding="utf-8")
