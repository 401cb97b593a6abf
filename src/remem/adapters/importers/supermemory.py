"""Supermemory exports: documents and memories."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.json_records import first_records, read_records
from remem.core.items import Item, LeftOut

_LIST_KEYS = frozenset({"", "memories", "documents", "results", "memoryEntries"})
_ENTRIES = ("memoryEntries", "memories")
_DISTINCTIVE_FIELDS = frozenset(
    {
        "containerTags",
        "containerTag",
        "customId",
        "memoryEntries",
        "spaceContainerTag",
        "isForgotten",
    }
)
_KNOWN = (
    "id", "content", "memory", "title", "url", "summary", "metadata", "createdAt", "forgetAfter",
    "raw", "summaryEmbedding", "memoryEmbedding", *_ENTRIES,
)  # fmt: skip


class SupermemoryImporter:
    description = "a Supermemory export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any(
            not _DISTINCTIVE_FIELDS.isdisjoint(record) for record in first_records(path, _LIST_KEYS)
        )

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for position, record in enumerate(read_records(path, _LIST_KEYS), start=1):
            yield from _items(f"number {position}", record)


def _items(fallback_id: str, record: dict[str, Any]) -> Iterator[Item | LeftOut]:
    id = fields.name(record, "id", "customId") or fallback_id
    if "memory" in record or "isLatest" in record:
        yield _memory(id, record)
        return
    yield _document(id, record)
    entries = [entry for key in _ENTRIES for entry in fields.records(record.get(key))]
    for position, entry in enumerate(entries, start=1):
        yield _memory(fields.name(entry, "id") or f"{id}/{position}", {"documentId": id, **entry})


def _document(id: str, record: dict[str, Any]) -> Item | LeftOut:
    content, url = fields.text(record, "content", "raw"), fields.text(record, "url") or None
    if content.startswith(("http://", "https://")) and not any(map(str.isspace, content)):
        content, url = "", url or content
    metadata = record.get("metadata")
    summary = fields.text(record, "summary")
    if not (content or url or summary):
        return LeftOut("document", id, "it has no text")
    return Item(
        kind="bookmark" if url else "document",
        reference=id,
        content=content or ("" if url else summary),
        title=fields.text(record, "title") or None,
        url=url,
        quotes=(summary,) if summary and url and not content else (),
        tags=fields.tags(record.get("containerTags") or record.get("containerTag")),
        created_at=fields.moment(record, "createdAt"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(record, *_KNOWN),
        },
    )


def _memory(id: str, record: dict[str, Any]) -> Item | LeftOut:
    content, metadata = fields.text(record, "memory", "content"), record.get("metadata")
    if not content:
        return LeftOut("memory", id, "it has no text")
    if record.get("isForgotten"):
        return LeftOut("memory", id, "it was forgotten there")
    if record.get("isLatest") is False:
        return LeftOut("memory", id, "a later version replaced it there")
    return Item(
        kind="memory",
        reference=id,
        content=content,
        tags=fields.tags(record.get("spaceContainerTag") or record.get("containerTags")),
        created_at=fields.moment(record, "createdAt"),
        valid_until=fields.moment(record, "forgetAfter"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(record, *_KNOWN),
        },
    )
