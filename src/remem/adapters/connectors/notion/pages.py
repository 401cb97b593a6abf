"""What pages of Notion become here."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from remem.adapters.connectors.notion.properties import title_of
from remem.core.connectors.model import SeenItem
from remem.core.items import Item
from remem.core.time import iso

ID = re.compile(r"[0-9a-fA-F-]{32,36}")
# `last_edited_time` is rounded to the minute: what was edited just now may be edited again in it.
SETTLED = timedelta(minutes=2)
# A longer page is kept as a file.
TEXT_CHARS = 400_000
# An address of a file that Notion signs anew at every read.
SIGNED = re.compile(
    r"(?<![^\s()<>\"'])(https?://[^\s()<>\"'?]+)"
    r"\?[^\s()<>\"']*(?:X-Amz-|Signature=|signature=|exp=)[^\s()<>\"']*"
)


def is_gone(thing: Mapping[str, Any]) -> bool:
    return bool(thing.get("in_trash") or thing.get("archived"))


def plain_id(id: str) -> str:
    """With or without dashes, it is the same page."""
    return id.replace("-", "").lower() if ID.fullmatch(id) else id


def kind_of_parent(thing: Mapping[str, Any]) -> str:
    return str((thing.get("parent") or {}).get("type"))


def name_of(thing: Mapping[str, Any]) -> str:
    if thing["object"] == "page":
        return title_of(thing.get("properties") or {}) or "Untitled"
    parts = thing.get("title") or []
    return "".join(str(part.get("plain_text", "")) for part in parts) or "Untitled"


def seen_page(page: Mapping[str, Any], moment: datetime) -> SeenItem:
    edited = str(page["last_edited_time"])
    is_settled = datetime.fromisoformat(edited) < moment - SETTLED
    revision = edited if is_settled else f"{edited} as of {iso(moment)}"
    return SeenItem(plain_id(page["id"]), revision, path=name_of(page))


def page_item(reference: str, page: Mapping[str, Any], content: str, folder: Path) -> Item:
    content = SIGNED.sub(r"\1", content)
    name = name_of(page)
    common: dict[str, Any] = {
        "kind": "document",
        "reference": reference,
        "url": page.get("url"),
        "created_at": datetime.fromisoformat(page["created_time"]),
    }
    if len(content) <= TEXT_CHARS:
        return Item(**common, title=name, content=content, content_type="markdown")
    file = folder / "page.md"
    file.write_text(content, encoding="utf-8", errors="replace")
    return Item(**common, title=f"{name}.md", file=file)
