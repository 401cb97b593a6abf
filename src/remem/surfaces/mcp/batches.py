"""JSON-RPC batches: what is one, and which of its entries are none of the protocol's."""

import json
from typing import Any

from mcp_types import INVALID_REQUEST

ENTRIES_LIMIT = 100


def entries_of(body: bytes) -> list[Any] | None:
    """The entries of a batch; None for anything else, which is left to the protocol's own words."""
    if body.lstrip()[:1] != b"[":
        return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def wrong_size(entries: list[Any]) -> str | None:
    if 0 < len(entries) <= ENTRIES_LIMIT:
        return None
    return f"A batch has 1 to {ENTRIES_LIMIT} entries, not {len(entries)}; split it."


def wrong_entry(entry: Any) -> str | None:
    if not isinstance(entry, dict) or entry.get("jsonrpc") != "2.0":
        return 'The entry is not a JSON-RPC 2.0 message; send an object with "jsonrpc": "2.0".'
    if "result" in entry or "error" in entry:
        return None
    if not isinstance(entry.get("method"), str):
        return "method: is required; send the name of one."
    if entry["method"] == "initialize":
        return "method: initialize cannot be part of a batch; send it alone, first."
    return None


def refusal(entry: Any, message: str) -> dict[str, Any]:
    """The answer to an entry, or to a whole batch, that cannot be taken."""
    id = entry.get("id") if isinstance(entry, dict) else None
    named = id if isinstance(id, str | int) else None
    return {"jsonrpc": "2.0", "id": named, "error": {"code": INVALID_REQUEST, "message": message}}
