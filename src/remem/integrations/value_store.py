"""Exact values stored as documents: what a framework stores comes back unchanged."""

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
from remem.client.fields import to_form

# The metadata key of stored values; existing stores contain it.
MARK = "shelf"
PAGE = 100
# The server accepts 64,000 characters of metadata; larger values are stored as a file.
MAX_METADATA_CHARS = 60_000
CONCURRENCY = 8

_PLAIN = re.compile(r"(?!x-)[a-z0-9_]+(-+[a-z0-9_]+)*")


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A stored value; `about` is the metadata stored with it."""

    id: str
    about: dict[str, Any]
    value: Any
    created_at: datetime


def encode_part(name: str) -> str:
    """Encode a name as an unambiguous part of a container's name: names with capitals, spaces or
    other letters are hex-encoded."""
    return name if _PLAIN.fullmatch(name) else f"x-{name.encode().hex()}"


def decode_part(part: str) -> str:
    return bytes.fromhex(part[2:]).decode() if part.startswith("x-") else part


def name_tag(name: str) -> str:
    """Return a tag by which a value is found exactly, however long its name is."""
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()
    return f"name:{digest[:32]}"


async def put_value(
    remem: AsyncRemem,
    container: str,
    text: str,
    value: Any,
    about: Mapping[str, Any],
    tags: list[str] | None = None,
) -> str:
    """Store a value. It is found by its text, which has to be unique."""
    metadata = {MARK: {**about, "value": json.dumps(value)}}
    fields = {"container": container, "tags": tags or [], "index_only": True}
    if len(json.dumps(metadata)) <= MAX_METADATA_CHARS:
        body = {"content": _storable(text), "content_type": "text", "metadata": metadata, **fields}
        return (await remem.request("POST", "/v1/documents", json=body))["id"]
    file = BytesIO(json.dumps({"about": dict(about), "value": value}).encode())
    metadata = {MARK: {**about, "value": None}}
    return (
        await remem.request(
            "POST",
            "/v1/documents/upload",
            data=to_form({"metadata": metadata, **fields}),
            files={"file": ("value.json", file)},
        )
    )["id"]


def _storable(text: str) -> str:
    """Replace characters that cannot be stored in the searchable text; the value keeps them."""
    return text.replace("\x00", " ").encode(errors="replace").decode()


async def update_value(remem: AsyncRemem, id: str, value: Any, about: Mapping[str, Any]) -> None:
    """Replace the value that is stored under the same text."""
    await remem.documents.change(id, metadata={MARK: {**about, "value": json.dumps(value)}})


async def load_value(remem: AsyncRemem, document: Entry | Result) -> StoredValue:
    about = dict(document.metadata[MARK])
    id = document["id"] if "id" in document else document["document_id"]
    encoded = about.pop("value")
    value = json.loads(encoded) if encoded is not None else await _from_file(remem, id)
    return StoredValue(id, about, value, document.created_at)


async def _from_file(remem: AsyncRemem, id: str) -> Any:
    blocks = [block async for block in remem.documents.original(id)]
    return json.loads(b"".join(blocks))["value"]


async def list_entries(
    remem: AsyncRemem, container: str, tags: list[str] | None = None, page: int = PAGE
) -> AsyncIterator[Entry]:
    """The items of a container, newest first; none if it does not exist."""
    query: dict[str, Any] = {"container": container, "tags": tags or [], "limit": page}
    cursor: str | None = ""
    while cursor is not None:
        if cursor:
            query["cursor"] = cursor
        try:
            reply = await remem.request("POST", "/v1/documents/list", json=query)
        except NotFound:
            return
        for document in reply["documents"]:
            if MARK in document["metadata"]:
                yield Entry(document)
        cursor = reply["next_cursor"]


async def delete_values(remem: AsyncRemem, ids: list[str]) -> None:
    """Delete values from the store, ignoring those that are gone already."""
    semaphore = asyncio.Semaphore(CONCURRENCY)

    async def delete_value(id: str) -> None:
        async with semaphore:
            try:
                await remem.documents.forget(id)
            except NotFound:
                return

    await asyncio.gather(*(delete_value(id) for id in ids))
