"""Every message counts as a request of its caller; one too many is answered in the protocol."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from mcp_types import CallToolResult, TextContent
from starlette.responses import JSONResponse, Response

from remem.core.errors import RateLimited
from remem.surfaces.error_shapes import error_reply

# Counts one message; raises RateLimited.
Spend: TypeAlias = Callable[[], Awaitable[None]]


def too_many(entry: Any, error: RateLimited) -> dict[str, Any] | None:
    """The reply to a message that was not answered; a notification gets none. A model reads the
    result of a tool, so a call says in its result how long to wait."""
    if not isinstance(entry, dict) or "id" not in entry or "method" not in entry:
        return None
    reply = {"jsonrpc": "2.0", "id": entry["id"]}
    if entry["method"] == "tools/call":
        result = CallToolResult(content=[TextContent(text=error.message)], is_error=True)
        return reply | {"result": result.model_dump(by_alias=True, exclude_none=True)}
    return reply | {"error": error_reply("mcp", error).body}


def refuse(body: bytes, error: RateLimited) -> Response:
    reply = too_many(_read(body), error)
    made = error_reply("mcp", error)
    return JSONResponse(reply, 200 if reply and "result" in reply else made.status, made.headers)


def _read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
