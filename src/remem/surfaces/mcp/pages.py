"""A saved item in full, as returned by `fetch` and by resources."""

from typing import Any, NotRequired
from urllib.parse import quote

from typing_extensions import TypedDict

from remem.core.errors import Invalid
from remem.core.text import shown_title, title_of
from remem.surfaces.hit_notes import replacement, stored_times
from remem.surfaces.mcp.calls import NOTE, client, get
from remem.surfaces.mcp.ids import is_uuid

CUT_CHARS = 100_000


class Page(TypedDict):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, Any]


class HitMetadata(TypedDict):
    """When a memory happened or is due, and what replaces a memory or chunk."""

    occurred_at: NotRequired[str]
    due_at: NotRequired[str]
    replaced_by: NotRequired[str]


def hit_metadata(hit: dict[str, Any]) -> HitMetadata:
    """The metadata of a hit or memory in any dialect of the API; missing fields are left out."""
    metadata: HitMetadata = {}
    if happened := hit.get("occurred_at") or hit.get("occurredAt"):
        metadata["occurred_at"] = happened
    if due := hit.get("due_at") or hit.get("dueAt"):
        metadata["due_at"] = due
    if newer := replacement(hit):
        metadata["replaced_by"] = newer
    return metadata


def metadata_notes(metadata: dict[str, Any]) -> list[str]:
    """The metadata as lines of text."""
    times, newer = stored_times(metadata), metadata.get("replaced_by")
    notes = [f"({times})" if times else "", f"(Outdated: {newer})" if newer else ""]
    return [note for note in notes if note]


async def read_page(name: str) -> Page:
    """Read an item by `document/<id>`, `memory/<id>`, `chunk/<id>`, or by its id alone. Ids may be
    shortened."""
    kind, _, id = name.removeprefix("remem://").rpartition("/")
    if kind not in ("", *_READERS):
        raise Invalid("id", "is not a valid id; send one from search or recall")
    if not kind or not is_uuid(id):
        item = await get(f"/v3/ids/{quote(id, safe='')}", kind=kind or None)
        kind, id = item["kind"], item["id"]
    return await _READERS[kind](id)


async def _memory(id: str) -> Page:
    memory = await get(f"/api/memories/{id}")
    metadata = {"category": memory["category"], **hit_metadata(memory)}
    return _page(f"memory/{id}", memory, metadata, memory["createdAt"])


async def _document(id: str) -> Page:
    document = await client().document(id)
    metadata = {"content_type": document["content_type"]}
    return _page(f"document/{id}", document, metadata, document["created_at"])


async def _chunk(id: str) -> Page:
    chunk = await get(f"/v3/chunks/{id}")
    metadata = {"document_id": chunk["document_id"], "chunk_index": chunk["chunk_index"]}
    return _page(f"chunk/{id}", chunk, metadata, chunk["created_at"])


_READERS = {"memory": _memory, "document": _document, "chunk": _chunk}


def _page(name: str, item: dict[str, Any], metadata: dict[str, Any], created_at: str) -> Page:
    text = item["content"]
    if len(text) > CUT_CHARS:
        metadata["truncated"] = f"these are the first {CUT_CHARS:,} of {len(text):,} characters"
    return {
        "id": name,
        "title": shown_title(item["title"] or title_of(text)),
        "text": text[:CUT_CHARS],
        "url": item.get("source_url") or f"remem://{name}",
        "metadata": {"note": NOTE, **metadata, "created_at": created_at},
    }
