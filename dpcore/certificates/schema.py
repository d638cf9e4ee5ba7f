"""The JSON Schema of certificates, made from the language: each rule with its parameters and witness.

    python -m dpcore.certificates.schema               writes proofs/*.schema.json of this checkout again

It says what a certificate looks like, for whoever reads or writes one in another language. Whether what it says is true is
for the checker to find out.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dpcore.certificates.decoding import load_rules
from dpcore.certificates.document import FORMAT
from dpcore.certificates.encoding import DIGITS
from dpcore.certificates.language import LANGUAGE
from dpcore.certificates.numbers import KINDS, NUMBERS
from dpcore.derivation import RULES, Rule
from dpcore.expressions.node import DECLARED
from dpcore.expressions.operations import OPERATIONS
from dpcore.measures import MEASURES, Measure

Schema = dict[str, object]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

READERS: Final[Mapping[str, str]] = {
    **{name: kind.name for name, kind in NUMBERS.items()},
    **dict.fromkeys(("to", "condition", "by", "order", "fill"), "spoken"),
    **dict.fromkeys(("keys", "bins", "answers", "values"), "constants"),
    **dict.fromkeys(("domain", "output", "each"), "domain"),
    **dict.fromkeys(("metric", "source", "target", "within"), "metric"),
    **dict.fromkeys(("function", "map"), "function"),
    **dict.fromkeys(("losses", "joint", "promised"), "rowsOfFigures"),
    **dict.fromkeys(("epsilons", "alphas", "orders", "candidates"), "figures"),
    "choices": "functions",
    "names": "texts",
    "queries": "expressions",
    "fields": "fields",
    "norm": "norm",
    "measure": "measure",
    "mu": "positive",
    **dict.fromkeys(("first", "last"), "day"),
    **dict.fromkeys(("person", "name"), "text"),
}
"""How each parameter, witness and field is read, by its name: the name of a definition below."""

NULLABLE: Final = ("at_most",)
"""The parameters that may be null."""

WITNESSES: Final[Mapping[str, str]] = {
    "zcdp_to_approx_tight": "alpha",
    "renyi_to_approx": "alpha",
    "profile_to_approx": "epsilon",
    "pure_to_gaussian": "mu",
    "gaussian_to_tradeoff": "epsilons",
    "profile_to_tradeoff": "epsilons",
    "tradeoff_to_profile": "alphas",
    "zcdp_to_profile": "orders",
    "claimed_transformation": "promised",
    "claimed_measurement": "promised",
}
"""The rules that need a witness, and its name."""

DOMAINS: Final[Mapping[str, str]] = {
    "integers": "low? high?",
    "numbers": "low? high? step?",
    "booleans": "",
    "text": "",
    "date": "first? last?",
    "categories": "values",
    "optional": "each",
    "fields": "fields",
    "vector": "each size norm? bound?",
    "rows": "each size?",
    "parts": "each values",
    "graphs": "size",
}
"""The kinds of domains and their fields; those with a question mark may be null."""

METRICS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("SymmetricDistance", "ChangeOneDistance", "DiscreteDistance", "AbsoluteDistance"), ""),
    **dict.fromkeys(("L1Distance", "L2Distance", "LInfDistance", "RangeDistance", "EdgeDistance", "NodeDistance"), ""),
    "PersonDistance": "person",
    "PartDistance": "within",
    "Granularity": "name function rows?",
}


def schema() -> Schema:
    """The schema of certificates."""
    load_rules()
    top: Schema = {
        "format": {"const": FORMAT},
        "dpcore": {"type": "string", "description": "the version that wrote it"},
        "code": {"$ref": "#/$defs/digest", "description": "of the code of dpcore that wrote it"},
        "neighbours": {"type": "string", "description": "what being 1 apart means"},
        "space": _object({"domain": _ref("domain"), "metric": _ref("metric")}),
        "derivation": _ref("node"),
        "claims": _list(_ref("claim")),
        "assumptions": {**_ref("texts"), "description": "what nobody proved, by name"},
        "attention": {**_ref("texts"), "description": "what a reader must not miss"},
        "evidence": {**_ref("texts"), "description": "what attacks have shown; it proves nothing"},
    }
    return {
        "$schema": DIALECT,
        "$id": "urn:dpcore:certificate:1",
        "title": "A certificate of differential privacy",
        "description": "The derivation of a bound. This says what a certificate looks like; the checker says if it holds.",
        **_object(top),
        "$defs": _definitions(),
    }


def symbolic_schema() -> Schema:
    """The schema of certificates with symbols: numbers may be formulas, and what is claimed is null."""
    found = schema()
    definitions = {**_definitions(), "formula": _formula()}
    for kind in KINDS:
        definitions[kind.name] = {"anyOf": [definitions[kind.name], _ref("formula")]}
    for name in WITNESSES:  # what was named is kept, and the rest is found when the symbols are numbers
        definitions[f"rule:{name}"] = _rule(RULES[name], witness_needed=False)
    definitions["claim"] = _claim("null")
    properties = {**_properties(found), "symbols": _list({"type": "string"}, unique=True)}
    return {
        **found,
        "$id": "urn:dpcore:certificate:1:symbolic",
        "title": "A certificate of differential privacy that claims nothing until its symbols are numbers",
        **_object(properties),
        "$defs": definitions,
    }


def rendered(of: Schema) -> str:
    """The text of a schema, as it is published."""
    return json.dumps(of, indent=1, ensure_ascii=True) + "\n"


FILES: Final = {"certificate.schema.json": schema, "symbolic.schema.json": symbolic_schema}


# ---- definitions -------------------------------------------------------------------------------------------------------


def _definitions() -> Schema:
    return {
        **{
            kind.name: {
                "description": f"a number {kind.says}, in lowest terms"
                if kind.says != "a number"
                else "in lowest terms",
                "type": "string",
                "pattern": kind.pattern,
                "maxLength": 2 * DIGITS + 2,
            }
            for kind in KINDS
        },
        "text": {"type": "string"},
        "texts": _list({"type": "string"}, least=0),
        "day": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "norm": {"enum": ["L1", "L2", "LInf"]},
        "measure": {"enum": [measure.name for measure in MEASURES]},
        "figures": _list(_ref("number")),
        "rowsOfFigures": _list(_list(_ref("notNegative"))),
        "function": {
            "description": "a function of the user's own, by its name and a digest of its code",
            **_object({"name": {"type": "string"}, "digest": _ref("digest")}),
        },
        "functions": _list(_ref("function")),
        "fields": {"type": "object", "additionalProperties": _ref("domain")},
        "constant": _constant(),
        "constants": _list(_ref("constant"), unique=True),
        "expression": _expression(),
        "expressions": _list(_ref("expression")),
        "spoken": _spoken(),
        "domain": _by_kind("kind", {kind: _fields(names) for kind, names in DOMAINS.items()}),
        "metric": _by_kind("kind", {kind: _fields(names) for kind, names in METRICS.items()}),
        "claim": _claim("notNegative"),
        "node": _node(),
        **{f"rule:{name}": _rule(RULES[name]) for name in LANGUAGE},
    }


def _node() -> Schema:
    """A rule applied: what stands beside it depends on the rule."""
    sides: Schema = {name: {"type": "object"} for name in ("parameters", "witness")}
    node = _object({"rule": {"enum": [*LANGUAGE]}, **sides, "premises": _list(_ref("node"), least=0)})
    return {**node, "allOf": [_if("rule", name, _ref(f"rule:{name}")) for name in LANGUAGE]}


def _rule(rule: Rule, *, witness_needed: bool = True) -> Schema:
    names = [word.partition("=")[0] for word in LANGUAGE[rule.name].split()]
    parameters = " ".join(name + "?" * (name in NULLABLE) for name in names)
    witness = _fields(WITNESSES.get(rule.name, ""))
    return {
        "description": " ".join(rule.statement.split()),
        "properties": {
            "parameters": _fields(parameters),
            "premises": _premises(rule),
            "witness": witness if witness_needed else {**witness, "required": []},
        },
    }


def _premises(rule: Rule) -> Schema:
    """How many premises the map of the rule takes after the distance."""
    parameters = [*inspect.signature(rule.map).parameters.values()][1:]
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {"minItems": 1}
    count = sum(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
    return {"minItems": count, "maxItems": count}


def _claim(figure: str) -> Schema:
    claim = _object({"d_in": _ref("positive"), "measure": _ref("measure"), "loss": {"type": "object"}})
    return {**claim, "allOf": [_if("measure", measure.name, _loss(measure, figure)) for measure in MEASURES]}


def _loss(measure: Measure, figure: str) -> Schema:
    one: Schema = {"type": "null"} if figure == "null" else _ref(figure)
    if measure.variable is None:
        return {"properties": {"loss": _object(dict.fromkeys(measure.figures, one))}}
    point: Schema = {"type": "array", "prefixItems": [_ref("notNegative"), one], "minItems": 2, "maxItems": 2}
    described = {**_list(point), "description": f"{measure.variable}, and {measure.figures[0]} there"}
    return {"properties": {"loss": _object({"points": described})}}


def _expression() -> Schema:
    """A function of one row."""
    arities = {
        name: {"minItems": operation.arity} | ({} if operation.more else {"maxItems": operation.arity})
        for name, operation in OPERATIONS.items()
    }
    declared: Schema = {"enum": [*DECLARED]}
    operations: Schema = {
        **_object({"op": {"enum": [*OPERATIONS]}, "of": _list(_ref("expression"), least=0)}),
        "allOf": [_if("op", name, {"properties": {"of": arity}}) for name, arity in arities.items()],
    }
    return {
        "anyOf": [
            _ref("constant"),
            _object({"op": {"const": "row"}}, optional={"type": declared}),
            _object({"op": {"const": "field"}, "name": {"type": "string"}}, optional={"type": declared}),
            operations,
        ]
    }


def _constant() -> Schema:
    values: Schema = {
        "null": {"type": "null"},
        "truth": {"type": "boolean"},
        "text": {"type": "string"},
        "number": _ref("number"),
        "date": _ref("day"),
    }
    return {
        "description": "a value that data can have, with its type",
        "oneOf": [_object({"op": {"const": kind}, "value": value}) for kind, value in values.items()],
    }


def _spoken() -> Schema:
    of_names: Schema = {"type": "object", "additionalProperties": _ref("expression"), "minProperties": 1}
    kinds: Schema = {"expression": _ref("expression"), "record": of_names, "function": _ref("function")}
    return {
        "description": "what is done to a row: an expression, several by name, or a function of the user's own",
        "oneOf": [_object({kind: of}) for kind, of in kinds.items()],
    }


def _formula() -> Schema:
    operation = _object({"op": {"enum": ["add", "multiply", "power"]}, "of": _list(_ref("number"))})
    return {
        "description": "a number that is not known yet",
        "anyOf": [_object({"symbol": {"type": "string"}}), operation],
    }


# ---- how schemas are put together --------------------------------------------------------------------------------------


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Mapping[str, object], optional: Mapping[str, object] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": [*properties],
        "additionalProperties": False,
    }


def _fields(names: str) -> Schema:
    """An object whose fields are read as their names say; with a question mark, or null."""
    found: Schema = {}
    for word in names.split():
        reader = _ref(READERS[word.rstrip("?")])
        found[word.rstrip("?")] = {"anyOf": [reader, {"type": "null"}]} if word.endswith("?") else reader
    return _object(found)


def _by_kind(key: str, kinds: Mapping[str, Schema]) -> Schema:
    """One of several objects, told apart by a field."""
    return {
        "oneOf": [_object({key: {"const": kind}, **_properties(fields)}) for kind, fields in kinds.items()],
    }


def _properties(of: Schema) -> Mapping[str, object]:
    found = of["properties"]
    assert isinstance(found, dict)
    return found


def _list(of: Schema, *, least: int = 1, unique: bool = False) -> Schema:
    return {"type": "array", "items": of, "minItems": least, **({"uniqueItems": True} if unique else {})}


def _if(key: str, value: str, then: Schema) -> Schema:
    return {"if": {"properties": {key: {"const": value}}, "required": [key]}, "then": then}


if __name__ == "__main__":
    for file, made in FILES.items():
        (Path(__file__).parents[2] / "proofs" / file).write_text(rendered(made()), encoding="utf-8")
