"""What an agent's event says, under the names that each agent uses."""

from pathlib import Path
from typing import Any


def folder_of(event: dict[str, Any]) -> str:
    roots = event.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    return str(event.get("cwd") or first or Path.cwd())


def session_of(event: dict[str, Any]) -> str:
    return str(event.get("session_id") or event.get("conversation_id") or "")
