"""One saved thing, whole: what `fetch` answers and a resource contains."""

from typing import Any, NotRequired
from urllib.parse import quote

from typing_extensions import TypedDict

from remem.core.errors import Invalid
from remem.surfaces.hit_notes import replacement, stored_times
from remem.surfaces.mcp.calls import NOTE, get, memory
from remem.surfaces.mcp.ids import is_uuid

CUT_CHARS = 100_000
_TITLE_CHARS = 80


class Page(TypedDict):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, Any]


class HitMetadata(TypedDict):
    """When a memory happened or is due, and what is valid instead of it, or of a chunk."""

    occurred_at: NotRequired[str]
    due_at: NotRequired[str]
    replaced_by: NotRequired[str]


def hit_metadata(hit: dict[str, Any]) -> HitMetadata:
    """Of a hit or a memory, as any dialect of the API names its fields; only what is there."""
    metadata: HitMetadata = {}
    if happened := hit.get("occurred_at") or hit.get("occurredAt"):
        metadata["occurred_at"] = happened
    if due := hit.get("due_at") or hit.get("dueAt"):
        metadata["due_at"] = due
    if newer := replacement(hit):
        metadata["replaced_by"] = newer
    return metadata


def metadata_notes(metadata: dict[str, Any]) -> list[str]:
    """The same as lines of text."""
    times, newer = stored_times(metadata), metadata.get("replaced_by")
    notes = [f"({times})" if times else "", f"(Outdated: {newer})" if newer else ""]
    return [note for note in notes if note]


async def read_page(name: str) -> Page:
    """By `document/<id>`, `memory/<id>`, `chunk/<id>`, or the bare id of any of them, which may be
    a short one."""
    kind, _, id = name.removeprefix("remem://").rpartition("/")
    if kind not in ("", *_READ):
        raise Invalid("id", "is not a valid id; send one from search or recall")
    if not kind or not is_uuid(id):
        named = await get(f"/v3/ids/{quote(id, safe='')}", kind=kind or None)
        kind, id = named["kind"], named["id"]
    return await _READ[kind](id)


async def _memory(id: str) -> Page:
    found = await get(f"/api/memories/{id}")
    about = {"category": found["category"], **hit_metadata(found)}
    return _page(f"memory/{id}", found, about, found["createdAt"])


async def _document(id: str) -> Page:
    found = await memory().document(id)
    about = {"content_type": found["content_type"]}
    return _page(f"document/{id}", found, about, found["created_at"])


async def _chunk(id: str) -> Page:
    found = await get(f"/v3/chunks/{id}")
    about = {"document_id": found["document_id"], "chunk_index": found["chunk_index"]}
    return _page(f"chunk/{id}", found, about, found["created_at"])


_READ = {"memory": _memory, "document": _document, "chunk": _chunk}


def _page(name: str, found: dict[str, Any], about: dict[str, Any], created_at: str) -> Page:
    text = found["content"]
    if len(text) > CUT_CHARS:
        about["truncated"] = f"these are the first {CUT_CHARS:,} of {len(text):,} characters"
    return {
        "id": name,
        "title": found["title"] or text[:_TITLE_CHARS],
        "text": text[:CUT_CHARS],
        "url": found.get("source_url") or f"remem://{name}",
        "metadata": {"note": NOTE, **about, "created_at": created_at},
    }
