"""JSON-RPC batches: parse them, and check their entries."""

import json
from typing import Any

from mcp_types import INVALID_REQUEST

ENTRIES_LIMIT = 100


def parse_batch(body: bytes) -> list[Any] | None:
    """The entries of a batch; None for anything else, which the SDK handles."""
    if body.lstrip()[:1] != b"[":
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def size_problem(entries: list[Any]) -> str | None:
    if 0 < len(entries) <= ENTRIES_LIMIT:
        return None
    return f"A batch has 1 to {ENTRIES_LIMIT} entries, not {len(entries)}; split it."


def entry_problem(entry: Any) -> str | None:
    if not isinstance(entry, dict) or entry.get("jsonrpc") != "2.0":
        return 'The entry is not a JSON-RPC 2.0 message; send an object with "jsonrpc": "2.0".'
    if "result" in entry or "error" in entry:
        return None
    if not isinstance(entry.get("method"), str):
        return "method: is required; send the name of one."
    if entry["method"] == "initialize":
        return "method: initialize cannot be part of a batch; send it alone, first."
    return None


def invalid_request(entry: Any, message: str) -> dict[str, Any]:
    """The error response to an invalid entry, or to a whole batch."""
    id = entry.get("id") if isinstance(entry, dict) else None
    valid_id = id if isinstance(id, str | int) else None
    return {
        "jsonrpc": "2.0",
        "id": valid_id,
        "error": {"code": INVALID_REQUEST, "message": message},
    }
