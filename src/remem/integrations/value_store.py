"""Exact values kept as documents: what a framework puts away comes back as it was."""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any

from remem.client import AsyncRemem, NotFound
from remem.client.answers import Entry, Result
from remem.client.fields import form

MARK = "shelf"
PAGE = 100
# The server takes 64,000 characters of metadata; what is larger is kept as a file.
ROOM = 60_000
AT_ONCE = 8

_PLAIN = re.compile(r"(?!x-)[a-z0-9_]+(-+[a-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class Kept:
    """A value in the store: `about` is what was noted with it."""

    id: str
    about: dict[str, Any]
    value: Any
    created_at: datetime


def part(name: str) -> str:
    """A name as a part of a container's, each as another: those with capitals, spaces or other
    letters are spelt out."""
    return name if _PLAIN.fullmatch(name) else f"x-{name.encode().hex()}"


def unpart(part: str) -> str:
    return bytes.fromhex(part[2:]).decode() if part.startswith("x-") else part


def tag(name: str) -> str:
    """By which a value is found to the letter, however long its name is."""
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    return f"name:{digest[:32]}"


async def keep(
    remem: AsyncRemem,
    container: str,
    text: str,
    value: Any,
    about: Mapping[str, Any],
    tags: list[str] | None = None,
) -> str:
    """Put a value in the store; it is found again by its text, which has to be its own."""
    metadata = {MARK: {**about, "value": json.dumps(value)}}
    fields = {"container": container, "tags": tags or [], "index_only": True}
    if len(json.dumps(metadata)) <= ROOM:
        body = {"content": _storable(text), "content_type": "text", "metadata": metadata, **fields}
        return (await remem.request("POST", "/v1/documents", json=body))["id"]
    whole = BytesIO(json.dumps({"about": dict(about), "value": value}).encode())
    metadata = {MARK: {**about, "value": None}}
    return (
        await remem.request(
            "POST",
            "/v1/documents/upload",
            data=form({"metadata": metadata, **fields}),
            files={"file": ("value.json", whole)},
        )
    )["id"]


def _storable(text: str) -> str:
    """Text is for searching: what no text can contain is left out of it, and stays in the value."""
    return text.replace("\x00", " ").encode(errors="replace").decode()


async def amend(remem: AsyncRemem, id: str, value: Any, about: Mapping[str, Any]) -> None:
    """Another value under the same text."""
    await remem.documents.change(id, metadata={MARK: {**about, "value": json.dumps(value)}})


async def kept(remem: AsyncRemem, document: Entry | Result) -> Kept:
    about = dict(document.metadata[MARK])
    id = document["id"] if "id" in document else document["document_id"]
    written = about.pop("value")
    value = json.loads(written) if written is not None else await _from_file(remem, id)
    return Kept(id, about, value, document.created_at)


async def _from_file(remem: AsyncRemem, id: str) -> Any:
    blocks = [block async for block in remem.documents.original(id)]
    return json.loads(b"".join(blocks))["value"]


async def stored(
    remem: AsyncRemem, container: str, tags: list[str] | None = None, page: int = PAGE
) -> AsyncIterator[Entry]:
    """The items of a container, newest first; none if it does not exist."""
    asked: dict[str, Any] = {"container": container, "tags": tags or [], "limit": page}
    cursor: str | None = ""
    while cursor is not None:
        if cursor:
            asked["cursor"] = cursor
        try:
            found = await remem.request("POST", "/v1/documents/list", json=asked)
        except NotFound:
            return
        for one in found["documents"]:
            if MARK in one["metadata"]:
                yield Entry(one)
        cursor = found["next_cursor"]


async def give_up(remem: AsyncRemem, ids: list[str]) -> None:
    """Take values out of the store; those that are gone already are no trouble."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(id: str) -> None:
        async with room:
            try:
                await remem.documents.forget(id)
            except NotFound:
                return

    await asyncio.gather(*(one(id) for id in ids))
