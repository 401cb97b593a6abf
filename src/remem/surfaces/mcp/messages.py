"""Errors for messages that the SDK would drop without a response."""

import json
import re
from typing import Any

from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)

from remem.surfaces.error_shapes import mcp_body

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def find_error(body: bytes) -> dict[str, Any] | None:
    """Return the JSON-RPC error for a message, or None if the message is valid."""
    try:
        jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValueError:
        return _explain(body)
    return invalid_id_error(body)


def invalid_id_error(body: bytes) -> dict[str, Any] | None:
    """Return the error for a request with an invalid id, which the SDK treats as a notification."""
    try:
        message = jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValueError:
        return None
    if isinstance(message, JSONRPCNotification) and b'"id"' in body and "id" in json.loads(body):
        return _error(None, INVALID_REQUEST, "id: is neither text nor a whole number; send one.")
    return None


def _explain(body: bytes) -> dict[str, Any]:
    try:
        loaded = json.loads(body)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "This is not JSON; send one JSON-RPC message per line.")
    id = loaded.get("id") if isinstance(loaded, dict) else None
    if _LONE_SURROGATE.search(json.dumps(loaded, ensure_ascii=False)):
        message = "A text contains half of a character (a lone surrogate); send whole characters."
        return _error(id, INVALID_PARAMS, message)
    message = 'This is not a JSON-RPC 2.0 message; send an object with "jsonrpc": "2.0".'
    return _error(id, INVALID_REQUEST, message)


def _error(id: Any, code: int, message: str) -> dict[str, Any]:
    is_valid_id = isinstance(id, int) or (isinstance(id, str) and not _LONE_SURROGATE.search(id))
    return {"jsonrpc": "2.0", "id": id if is_valid_id else None, "error": mcp_body(code, message)}
