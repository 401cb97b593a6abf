"""JSON Schemas as short as they can be said: a model pays for every word of them."""

from typing import Any

from pydantic import TypeAdapter

_NULL = {"type": "null"}
# What is so unless something else is said.
_UNSAID = (("default", None), ("additionalProperties", True))


def given(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments: an optional one is left out, and need not be said to be null."""
    return _slim(schema, schema.get("$defs", {}), nullable=False)


def returned(shape: Any) -> dict[str, Any]:
    schema = TypeAdapter(shape).json_schema()
    return _slim(schema, schema.get("$defs", {}), nullable=True)


def _slim(schema: dict[str, Any], shared: dict[str, Any], *, nullable: bool) -> dict[str, Any]:
    if "$ref" in schema:
        return _slim(shared[schema["$ref"].rpartition("/")[2]], shared, nullable=nullable)
    if "anyOf" in schema:
        schema = _without_null(schema, nullable)
    return {
        name: _part(name, value, shared, nullable)
        for name, value in schema.items()
        if name not in ("title", "$defs") and (name, value) not in _UNSAID
    }


def _without_null(schema: dict[str, Any], nullable: bool) -> dict[str, Any]:
    (only,) = (one for one in schema["anyOf"] if one != _NULL)
    rest = {name: value for name, value in schema.items() if name != "anyOf"}
    return {**only, **rest, "type": [only["type"], "null"] if nullable else only["type"]}


def _part(name: str, value: Any, shared: dict[str, Any], nullable: bool) -> Any:
    if name == "properties":
        return {key: _slim(one, shared, nullable=nullable) for key, one in value.items()}
    if name == "items":
        return _slim(value, shared, nullable=nullable)
    return value
