"""Ids as people type them: the last digits are enough when they are unique."""

import re
from typing import TYPE_CHECKING

from remem.surfaces.cli.output import is_terminal

if TYPE_CHECKING:
    from remem.client import AsyncRemem

# Ids begin with their creation time and differ at the end.
SHORT = 8
_FULL = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.I)
_IN_PATH = re.compile(r"(?<=/)(memories|documents)/([0-9a-f-]{8,35})(?=/|$)", re.I)
_KINDS = {"memories": "memory", "documents": "document"}


def short_id(id: str) -> str:
    return id[-SHORT:]


def shown_id(id: str) -> str:
    """Return a short id for a terminal, and the full id for programs."""
    return short_id(id) if is_terminal() else id


async def full_id(remem: "AsyncRemem", id: str, kind: str) -> str:
    """Complete a short id. Anything else is returned unchanged, so that the server reports what is
    wrong."""
    if _FULL.fullmatch(id) or not re.fullmatch(r"[0-9a-f-]{8,35}", id, re.I):
        return id
    return (await remem.request("GET", f"/v3/ids/{id.lower()}", params={"kind": kind}))["id"]


async def full_path(remem: "AsyncRemem", path: str) -> str:
    """Complete the short id in a path of the API."""
    match = _IN_PATH.search(path)
    if match is None:
        return path
    id = await full_id(remem, match[2], _KINDS[match[1].lower()])
    return path[: match.start(2)] + id + path[match.end(2) :]
