"""Rate limits: every message counts as a request, and is refused with a JSON-RPC error."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from mcp_types import CallToolResult, TextContent
from starlette.responses import JSONResponse, Response

from remem.core.errors import RateLimited
from remem.surfaces.error_shapes import error_reply

# Counts one message; raises RateLimited.
CheckRateLimit: TypeAlias = Callable[[], Awaitable[None]]


def rate_limit_reply(entry: Any, error: RateLimited) -> dict[str, Any] | None:
    """The response to a message over the limit; None for a notification. A tool call gets the error
    as its result, which is what models read."""
    if not isinstance(entry, dict) or "id" not in entry or "method" not in entry:
        return None
    reply = {"jsonrpc": "2.0", "id": entry["id"]}
    if entry["method"] == "tools/call":
        result = CallToolResult(content=[TextContent(text=error.message)], is_error=True)
        return reply | {"result": result.model_dump(by_alias=True, exclude_none=True)}
    return reply | {"error": error_reply("mcp", error).body}


def rate_limit_response(body: bytes, error: RateLimited) -> Response:
    reply = rate_limit_reply(_read(body), error)
    rest_reply = error_reply("mcp", error)
    return JSONResponse(
        reply, 200 if reply and "result" in reply else rest_reply.status, rest_reply.headers
    )


def _read(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
