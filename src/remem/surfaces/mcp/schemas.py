"""JSON Schemas made as short as possible, because models pay for every token."""

from typing import Any

from pydantic import TypeAdapter

# Defaults that need not be stated.
_DEFAULTS = (("default", None), ("additionalProperties", True))


def input_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Shorten the schema of arguments: optional ones are left out instead of null."""
    return _shorten(schema, schema.get("$defs", {}))


def output_schema(shape: Any) -> dict[str, Any]:
    """The schema of a result: fields that are always present and never null."""
    schema = TypeAdapter(shape).json_schema()
    return _shorten(schema, schema.get("$defs", {}))


def _shorten(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _shorten(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        (only,) = (option for option in schema["anyOf"] if option != {"type": "null"})
        schema = {**only, **{name: value for name, value in schema.items() if name != "anyOf"}}
    return {
        name: _shorten_value(name, value, definitions)
        for name, value in schema.items()
        if name not in ("title", "$defs") and (name, value) not in _DEFAULTS
    }


def _shorten_value(name: str, value: Any, definitions: dict[str, Any]) -> Any:
    if name == "properties":
        return {key: _shorten(field, definitions) for key, field in value.items()}
    if name == "items":
        return _shorten(value, definitions)
    return value
