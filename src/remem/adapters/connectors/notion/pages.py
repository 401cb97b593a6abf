"""Convert Notion pages to items."""

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
# `last_edited_time` is rounded to the minute, so a later edit may have the same time.
SETTLE_TIME = timedelta(minutes=2)
# A longer page is stored as a file.
TEXT_CHARS = 400_000
# A file URL, whose signature is different at every read.
SIGNED_URL = re.compile(
    r"(?<![^\s()<>\"'])(https?://[^\s()<>\"'?]+)"
    r"\?[^\s()<>\"']*(?:X-Amz-|Signature=|signature=|exp=)[^\s()<>\"']*"
)


def is_gone(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("in_trash") or entry.get("archived"))


def plain_id(id: str) -> str:
    """Return an id without dashes: Notion accepts both forms."""
    return id.replace("-", "").lower() if ID.fullmatch(id) else id


def parent_type(entry: Mapping[str, Any]) -> str:
    return str((entry.get("parent") or {}).get("type"))


def display_name(entry: Mapping[str, Any]) -> str:
    if entry["object"] == "page":
        return title_of(entry.get("properties") or {}) or "Untitled"
    parts = entry.get("title") or []
    return "".join(str(part.get("plain_text", "")) for part in parts) or "Untitled"


def seen_page(page: Mapping[str, Any], moment: datetime) -> SeenItem:
    edited = str(page["last_edited_time"])
    is_settled = datetime.fromisoformat(edited) < moment - SETTLE_TIME
    revision = edited if is_settled else f"{edited} as of {iso(moment)}"
    return SeenItem(plain_id(page["id"]), revision, path=display_name(page))


def page_item(reference: str, page: Mapping[str, Any], content: str, folder: Path) -> Item:
    content = SIGNED_URL.sub(r"\1", content)
    name = display_name(page)
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
