"""mem0 exports: memories as a JSON list, an object with a list, or lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.json_records import first_records, read_records
from remem.core.items import Item, LeftOut

_LIST_KEYS = frozenset({"", "results", "memories", "data"})
_TEXTS = ("memory", "text", "content", "data")
_TIMES = ("created_at", "createdAt", "timestamp")
_DISTINCTIVE_FIELDS = frozenset(
    {"user_id", "agent_id", "run_id", "app_id", "hash", "categories", "memory"}
)
_KNOWN = ("id", *_TEXTS, "created_at", "createdAt", "categories", "metadata", "expiration_date")


class Mem0Importer:
    description = "a mem0 export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any(
            fields.text(record, *_TEXTS) and not _DISTINCTIVE_FIELDS.isdisjoint(record)
            for record in first_records(path, _LIST_KEYS)
        )

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        for position, record in enumerate(read_records(path, _LIST_KEYS), start=1):
            yield _item(position, record)


def _item(position: int, record: dict[str, Any]) -> Item | LeftOut:
    content, metadata = fields.text(record, *_TEXTS), record.get("metadata")
    id = fields.name(record, "id", "memory_id", "hash") or content
    if not content:
        return LeftOut("memory", id or f"number {position}", "it has no text")
    if record.get("state") in ("deleted", "archived") or record.get("deleted_at"):
        return LeftOut("memory", id, "it was deleted there")
    return Item(
        kind="memory",
        reference=id,
        content=content,
        tags=fields.tags(record.get("categories")),
        created_at=fields.moment(record, *_TIMES),
        valid_until=fields.moment(record, "expiration_date"),
        metadata={
            **(metadata if isinstance(metadata, dict) else {}),
            **fields.others(record, *_KNOWN),
        },
    )
