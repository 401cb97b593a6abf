"""Strict numbers and booleans in JSON bodies: no conversion from strings or 0."""

from typing import Any

from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import CoreSchema, no_info_before_validator_function

# Keys of a pydantic schema that contain no schemas.
_NOT_SCHEMAS = frozenset({"metadata", "serialization", "default", "default_factory"})


def with_json_types(schema: CoreSchema) -> CoreSchema:
    """Return the schema with every bool, int and float in it made strict."""
    return _strict(schema)


def _strict(node: Any) -> Any:
    if isinstance(node, list | tuple):
        return type(node)(_strict(child) for child in node)
    if not isinstance(node, dict):
        return node
    schema = {key: child if key in _NOT_SCHEMAS else _strict(child) for key, child in node.items()}
    if schema.get("type") == "bool":
        return {**schema, "strict": True}
    if schema.get("type") in ("int", "float"):
        return no_info_before_validator_function(_require_number, schema)  # pyrefly: ignore
    return schema


def _require_number(value: Any) -> Any:
    """Refuse strings and booleans. 5.0 is a valid integer, because JSON has one number type."""
    if isinstance(value, bool | str | bytes):
        raise PydanticCustomError("number_type", "is not a number; send one without quotes")
    return value
