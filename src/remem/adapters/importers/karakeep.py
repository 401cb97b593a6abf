"""Bookmarks as Karakeep gives them out: JSON with links, notes and lists."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem.adapters.importers import fields
from remem.adapters.importers.listed import first_records, records_of
from remem.core.items import Item, LeftOut

_HOLDERS = frozenset({"bookmarks"})
_KNOWN = ("id", "createdAt", "title", "tags", "note", "content", "lists", "summary")


class KarakeepImporter:
    what = "a Karakeep export (JSON)"

    def recognises(self, path: Path) -> bool:
        return any("content" in one or "url" in one for one in first_records(path, _HOLDERS))

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        lists = {
            fields.name(one, "id"): fields.text(one, "name")
            for one in records_of(path, frozenset({"lists"}))
        }
        for place, one in enumerate(records_of(path, _HOLDERS), start=1):
            yield _item(f"number {place}", one, lists)


def _item(unnamed: str, one: dict[str, Any], lists: dict[str, str]) -> Item | LeftOut:
    inner = one.get("content")
    content = inner if isinstance(inner, dict) else {}
    url = fields.text(content, "url") or fields.text(one, "url")
    words = fields.text(content, "text")
    title = fields.text(one, "title") or fields.text(content, "title")
    if not url and not words:
        kind = fields.text(content, "type") or "an empty bookmark"
        return LeftOut(
            "bookmark", title or unnamed, f"it is {kind}, whose content is not in the file"
        )
    names = [lists.get(str(id), str(id)) for id in one.get("lists") or [] if isinstance(id, str)]
    quotes = (fields.text(content, "description"), fields.text(one, "summary"))
    return Item(
        kind="bookmark" if url else "document",
        reference=url or fields.name(one, "id") or hashlib.sha256(words.encode()).hexdigest(),
        content=words,
        title=title or None,
        url=url or None,
        note=fields.text(one, "note"),
        quotes=tuple(filter(None, quotes)),
        tags=fields.words(one.get("tags")),
        created_at=fields.moment(one, "createdAt"),
        metadata={
            **({"lists": names} if names else {}),
            **fields.others(content, "type", "url", "text", "title", "description"),
            **fields.others(one, *_KNOWN),
        },
    )
