"""JSON Schemas as short as they can be said: a model pays for every word of them."""

from typing import Any

from pydantic import TypeAdapter

# What is so unless something else is said.
_UNSAID = (("default", None), ("additionalProperties", True))


def given(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments: an optional one is left out, and need not be said to be null."""
    return _slim(schema, schema.get("$defs", {}))


def returned(shape: Any) -> dict[str, Any]:
    """An answer: what is always there and never null; there may be more."""
    schema = TypeAdapter(shape).json_schema()
    return _slim(schema, schema.get("$defs", {}))


def _slim(schema: dict[str, Any], shared: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        return _slim(shared[schema["$ref"].rpartition("/")[2]], shared)
    if "anyOf" in schema:
        (only,) = (one for one in schema["anyOf"] if one != {"type": "null"})
        schema = {**only, **{name: one for name, one in schema.items() if name != "anyOf"}}
    return {
        name: _part(name, value, shared)
        for name, value in schema.items()
        if name not in ("title", "$defs") and (name, value) not in _UNSAID
    }


def _part(name: str, value: Any, shared: dict[str, Any]) -> Any:
    if name == "properties":
        return {key: _slim(one, shared) for key, one in value.items()}
    if name == "items":
        return _slim(value, shared)
    return value
