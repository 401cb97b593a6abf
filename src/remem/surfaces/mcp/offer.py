"""A tool as a model sees it: a short schema, hints, and errors that say what to fix."""

from collections.abc import Callable, Coroutine
from typing import Any, get_args

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import ValidationError

from remem.core.errors import RememError
from remem.surfaces.mcp.calls import describe_error
from remem.surfaces.mcp.schemas import given, returned

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
FORGETS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)


class Offered(Tool):
    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> Any:
        self._refuse_unknown(arguments)
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if words := _words(error.__cause__):
                raise ToolError(words) from error.__cause__
            raise

    def _refuse_unknown(self, arguments: dict[str, Any]) -> None:
        known = self.parameters["properties"]
        if unknown := next((name for name in arguments if name not in known), None):
            takes = f"this tool takes {', '.join(known)}" if known else "this tool takes none"
            raise ToolError(f"{unknown}: is not an argument here; {takes}")


class _Arguments(FuncMetadata):
    """A list may come as text that contains one; a text that looks like a list stays a text."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        texts = {
            name: data[name]
            for name, field in self.arg_model.model_fields.items()
            if name in data and str in get_args(field.annotation)
        }
        return {**super().pre_parse_json(data), **texts}


def offer(
    fn: Callable[..., Coroutine[Any, Any, CallToolResult]],
    name: str,
    description: str,
    hints: ToolAnnotations,
    shape: Any,
) -> Offered:
    tool = Offered.from_function(
        fn, name=name, description=description, annotations=hints, structured_output=False
    )
    assert isinstance(tool, Offered)
    tool.parameters = given(tool.parameters)
    tool.fn_metadata = _Arguments(
        arg_model=tool.fn_metadata.arg_model, output_schema=returned(shape)
    )
    return tool


def _words(cause: BaseException | None) -> str | None:
    match cause:
        case RememError():
            return describe_error(cause)
        case ValidationError():
            return "; ".join(_wrong(one) for one in cause.errors())
        case _:
            return None


def _wrong(one: Any) -> str:
    field = ".".join(str(part) for part in one["loc"])
    if one["type"] == "missing":
        return f"{field}: is required; send it"
    if one["type"].startswith("uuid"):
        return f"{field}: is not a UUID; send an id that another tool answered"
    return f"{field}: {one['msg'][0].lower()}{one['msg'][1:]}"
