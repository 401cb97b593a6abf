"""Memories as Mem0 gives them out: a list, an object that has one, or lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.listed import first_records, records_of
from remem.core.items import Item, LeftOut

_HOLDERS = frozenset({"", "results", "memories", "data"})
_TEXTS = ("memory", "text", "content", "data")
_TIMES = ("created_at", "createdAt", "timestamp")
_TELLING = frozenset({"user_id", "agent_id", "run_id", "app_id", "hash", "categories", "memory"})
_KNOWN = ("id", *_TEXTS, "created_at", "createdAt", "categories", "metadata", "expiration_date")


class Mem0Importer:
    what = "a mem0 export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any(
            fields.text(one, *_TEXTS) and not _TELLING.isdisjoint(one)
            for one in first_records(path, _HOLDERS)
        )

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for place, one in enumerate(records_of(path, _HOLDERS), start=1):
            yield _item(place, one)


def _item(place: int, one: dict[str, Any]) -> Item | LeftOut:
    content, metadata = fields.text(one, *_TEXTS), one.get("metadata")
    id = fields.name(one, "id", "memory_id", "hash") or content
    if not content:
        return LeftOut("memory", id or f"number {place}", "it has no text")
    if one.get("state") in ("deleted", "archived") or one.get("deleted_at"):
        return LeftOut("memory", id, "it was deleted there")
    return Item(
        kind="memory",
        reference=id,
        content=content,
        tags=fields.words(one.get("categories")),
        created_at=fields.moment(one, *_TIMES),
        valid_until=fields.moment(one, "expiration_date"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(one, *_KNOWN),
        },
    )
