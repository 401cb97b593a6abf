"""Documents and memories as Supermemory gives them out."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.listed import first_records, records_of
from remem.core.items import Item, LeftOut

_HOLDERS = frozenset({"", "memories", "documents", "results", "memoryEntries"})
_ENTRIES = ("memoryEntries", "memories")
_TELLING = frozenset(
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
    what = "a Supermemory export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any(not _TELLING.isdisjoint(one) for one in first_records(path, _HOLDERS))

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for place, one in enumerate(records_of(path, _HOLDERS), start=1):
            yield from _items(f"number {place}", one)


def _items(unnamed: str, one: dict[str, Any]) -> Iterator[Item | LeftOut]:
    id = fields.name(one, "id", "customId") or unnamed
    if "memory" in one or "isLatest" in one:
        yield _memory(id, one)
        return
    yield _document(id, one)
    entries = [entry for key in _ENTRIES for entry in fields.records(one.get(key))]
    for place, entry in enumerate(entries, start=1):
        yield _memory(fields.name(entry, "id") or f"{id}/{place}", {"documentId": id, **entry})


def _document(id: str, one: dict[str, Any]) -> Item | LeftOut:
    content, url = fields.text(one, "content", "raw"), fields.text(one, "url") or None
    if content.startswith(("http://", "https://")) and not any(map(str.isspace, content)):
        content, url = "", url or content
    metadata = one.get("metadata")
    summary = fields.text(one, "summary")
    if not (content or url or summary):
        return LeftOut("document", id, "it has no text")
    return Item(
        kind="bookmark" if url else "document",
        reference=id,
        content=content or ("" if url else summary),
        title=fields.text(one, "title") or None,
        url=url,
        quotes=(summary,) if summary and url and not content else (),
        tags=fields.words(one.get("containerTags") or one.get("containerTag")),
        created_at=fields.moment(one, "createdAt"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(one, *_KNOWN),
        },
    )


def _memory(id: str, one: dict[str, Any]) -> Item | LeftOut:
    content, metadata = fields.text(one, "memory", "content"), one.get("metadata")
    if not content:
        return LeftOut("memory", id, "it has no text")
    if one.get("isForgotten"):
        return LeftOut("memory", id, "it was forgotten there")
    if one.get("isLatest") is False:
        return LeftOut("memory", id, "a later version replaced it there")
    return Item(
        kind="memory",
        reference=id,
        content=content,
        tags=fields.words(one.get("spaceContainerTag") or one.get("containerTags")),
        created_at=fields.moment(one, "createdAt"),
        valid_until=fields.moment(one, "forgetAfter"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(one, *_KNOWN),
        },
    )
