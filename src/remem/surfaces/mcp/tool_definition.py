"""Define tools for models: short schemas, hints, and errors that say what to fix."""

from collections.abc import Callable, Coroutine
from typing import Any, get_args

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import TypeAdapter, ValidationError

from remem.core.errors import RememError
from remem.surfaces.mcp.calls import describe_error

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDITIVE = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
DESTRUCTIVE = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


class DefinedTool(Tool):
    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> Any:
        self._reject_unknown(arguments)
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if message := _describe(error.__cause__):
                raise ToolError(message) from error.__cause__
            raise

    def _reject_unknown(self, arguments: dict[str, Any]) -> None:
        known = self.parameters["properties"]
        if unknown := next((name for name in arguments if name not in known), None):
            hint = f"this tool takes {', '.join(known)}" if known else "this tool takes none"
            raise ToolError(f"{unknown}: is not an argument here; {hint}")


class _Arguments(FuncMetadata):
    """Accept lists sent as JSON text, but do not parse arguments whose type is text."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        texts = {
            name: data[name]
            for name, field in self.arg_model.model_fields.items()
            if name in data and str in get_args(field.annotation)
        }
        return {**super().pre_parse_json(data), **texts}


def define_tool(
    fn: Callable[..., Coroutine[Any, Any, CallToolResult]],
    name: str,
    description: str,
    hints: ToolAnnotations,
    shape: Any,
) -> DefinedTool:
    """Without a `shape`, the result is structured too, but models do not pay for its schema."""
    tool = DefinedTool.from_function(
        fn, name=name, description=description, annotations=hints, structured_output=False
    )
    assert isinstance(tool, DefinedTool)
    tool.parameters = input_schema(tool.parameters)
    tool.fn_metadata = _Arguments(
        arg_model=tool.fn_metadata.arg_model, output_schema=output_schema(shape) if shape else None
    )
    return tool


def _describe(cause: BaseException | None) -> str | None:
    match cause:
        case RememError():
            return describe_error(cause)
        case ValidationError():
            return "; ".join(_describe_field_error(field_error) for field_error in cause.errors())
        case _:
            return None


def _describe_field_error(error: Any) -> str:
    field = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"{field}: is required; send it"
    if error["type"].startswith("uuid"):
        return f"{field}: is not a UUID; send an id that another tool answered"
    return f"{field}: {error['msg'][0].lower()}{error['msg'][1:]}"


# JSON Schemas made as short as possible, because models pay for every token.


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
