"""Ids as people type them: the last digits are enough, where only one thing has them."""

import re
from typing import TYPE_CHECKING

from remem.surfaces.cli.output import is_terminal

if TYPE_CHECKING:
    from remem.client import AsyncRemem

# Ids begin with the time they were made at; they differ at the end.
SHORT = 8
_FULL = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.I)
_IN_PATH = re.compile(r"(?<=/)(memories|documents)/([0-9a-f-]{8,35})(?=/|$)", re.I)
_KINDS = {"memories": "memory", "documents": "document"}


def short_id(id: str) -> str:
    return id[-SHORT:]


def shown_id(id: str) -> str:
    """Short for people, who have few columns; whole for programs."""
    return short_id(id) if is_terminal() else id


async def full_id(remem: "AsyncRemem", id: str, kind: str) -> str:
    """What is no part of an id is left as it is: the server says what is wrong with it."""
    if _FULL.fullmatch(id) or not re.fullmatch(r"[0-9a-f-]{8,35}", id, re.I):
        return id
    return (await remem.request("GET", f"/v3/ids/{id.lower()}", params={"kind": kind}))["id"]


async def full_path(remem: "AsyncRemem", path: str) -> str:
    """A path of the API, its short id written out."""
    found = _IN_PATH.search(path)
    if found is None:
        return path
    id = await full_id(remem, found[2], _KINDS[found[1].lower()])
    return path[: found.start(2)] + id + path[found.end(2) :]
