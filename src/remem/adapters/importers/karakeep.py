"""Karakeep exports: bookmarks as JSON, with links, notes and lists."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.json_records import first_records, read_records
from remem.core.items import Item, LeftOut

_LIST_KEYS = frozenset({"bookmarks"})
_KNOWN = ("id", "createdAt", "title", "tags", "note", "content", "lists", "summary")


class KarakeepImporter:
    description = "a Karakeep export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any(
            "content" in record or "url" in record for record in first_records(path, _LIST_KEYS)
        )

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        lists = {
            fields.name(record, "id"): fields.text(record, "name")
            for record in read_records(path, frozenset({"lists"}))
        }
        for position, record in enumerate(read_records(path, _LIST_KEYS), start=1):
            yield _item(f"number {position}", record, lists)


def _item(fallback_name: str, bookmark: dict[str, Any], lists: dict[str, str]) -> Item | LeftOut:
    value = bookmark.get("content")
    content = value if isinstance(value, dict) else {}
    url = fields.text(content, "url") or fields.text(bookmark, "url")
    text = fields.text(content, "text")
    title = fields.text(bookmark, "title") or fields.text(content, "title")
    if not url and not text:
        kind = fields.text(content, "type") or "an empty bookmark"
        return LeftOut(
            "bookmark", title or fallback_name, f"it is {kind}, whose content is not in the file"
        )
    names = [
        lists.get(str(id), str(id)) for id in bookmark.get("lists") or [] if isinstance(id, str)
    ]
    quotes = (fields.text(content, "description"), fields.text(bookmark, "summary"))
    return Item(
        kind="bookmark" if url else "document",
        reference=url or fields.name(bookmark, "id") or hashlib.sha256(text.encode()).hexdigest(),
        content=text,
        title=title or None,
        url=url or None,
        note=fields.text(bookmark, "note"),
        quotes=tuple(filter(None, quotes)),
        tags=fields.tags(bookmark.get("tags")),
        created_at=fields.moment(bookmark, "createdAt"),
        metadata={
            **({"lists": names} if names else {}),
            **fields.others(content, "type", "url", "text", "title", "description"),
            **fields.others(bookmark, *_KNOWN),
        },
    )
