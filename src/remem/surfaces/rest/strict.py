"""Strict numbers and booleans in JSON bodies: no conversion from text or 0."""

from typing import Any

from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import CoreSchema, no_info_before_validator_function

# Where a schema of pydantic keeps what is not part of it.
_ASIDE = frozenset({"metadata", "serialization", "default", "default_factory"})


def with_json_types(schema: CoreSchema) -> CoreSchema:
    """The schema of a body, with every bool, int and float inside it taken strictly."""
    return _strict(schema)


def _strict(node: Any) -> Any:
    if isinstance(node, list | tuple):
        return type(node)(_strict(part) for part in node)
    if not isinstance(node, dict):
        return node
    kept = {key: part if key in _ASIDE else _strict(part) for key, part in node.items()}
    if kept.get("type") == "bool":
        return {**kept, "strict": True}
    if kept.get("type") in ("int", "float"):
        return no_info_before_validator_function(_number, kept)  # pyrefly: ignore
    return kept


def _number(value: Any) -> Any:
    """Whole numbers may be written 5.0, as JSON has one kind of number."""
    if isinstance(value, bool | str | bytes):
        raise PydanticCustomError("number_type", "is not a number; send one without quotes")
    return value
