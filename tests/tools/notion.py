"""A fake Notion on loopback: the pages and databases of a workspace that an integration sees."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.tools.fake_service import Call, FakeService, Reply

TOKEN = "ntn_xyzzy_never_to_be_seen"
WORKSPACE = "7e1b6a52-6a0e-4d7c-9d6c-7a4a54c6d6aa"
USER = {"object": "user", "id": "c3f2d9b0-8f6b-4a4c-9a94-8d3a4a3c1b11"}


def page_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, name))


def text(words: str) -> list[dict[str, Any]]:
    plain = {
        "bold": False, "italic": False, "strikethrough": False, "underline": False,
        "code": False, "color": "default",
    }  # fmt: skip
    content = {"content": words, "link": None}
    return [
        {"type": "text", "text": content, "annotations": plain, "plain_text": words, "href": None}
    ]


@dataclass
class Page:
    id: str
    title: str
    markdown: str
    edited: str
    parent: dict[str, Any]
    properties: dict[str, Any] = field(default_factory=dict)
    in_trash: bool = False
    unknown: list[str] = field(default_factory=list)


@dataclass
class FakeNotion(FakeService):
    contract_name: str = "notion"
    token: str | None = TOKEN
    pages: dict[str, Page] = field(default_factory=dict)
    blocks: dict[str, Page] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    # Rows that the search omits, as the real one omits some.
    unlisted: set[str] = field(default_factory=set)
    page_size: int = 100
    expired: set[str] = field(default_factory=set)

    # Actions of the owner

    def write(self, name: str, markdown: str, **fields: Any) -> Page:
        id = page_id(name)
        parent = {"type": "workspace", "workspace": True}
        page = Page(id, name, markdown, self.tick(), fields.pop("parent", parent), **fields)
        self.pages[id] = page
        return page

    def edit(self, name: str, markdown: str, at: str | None = None) -> None:
        page = self.pages[page_id(name)]
        page.markdown, page.edited = markdown, at or self.tick()

    def remove(self, name: str) -> None:
        page = self.pages[page_id(name)]
        page.in_trash, page.edited = True, self.tick()

    def rename(self, name: str, other: str) -> None:
        page = self.pages[page_id(name)]
        page.title, page.edited = other, self.tick()
        self.pages[page_id(other)] = page

    def add_database(self, name: str) -> str:
        self.sources[page_id(name)] = name
        return page_id(name)

    def add_row(self, source: str, name: str, markdown: str, **properties: Any) -> Page:
        parent = {"type": "data_source_id", "data_source_id": source, "database_id": source}
        return self.write(name, markdown, parent=parent, properties=properties)

    # Replies

    def refused(self) -> Reply:
        return self._error(401, "unauthorized")

    def paused(self) -> Reply:
        return Reply(self._error(429, "rate_limited").body, 429, {"Retry-After": str(self.pause_s)})

    def find(self, call: Call) -> Reply:
        assert call.headers["notion-version"] == "2026-03-11"
        if call.path == "/v1/users/me":
            return Reply(_bot())
        if call.path == "/v1/search":
            return self._search(call.body)
        parts = call.path.split("/")
        id = str(uuid.UUID(parts[3]))
        if call.path.endswith("/query"):
            rows = [page for page in self._live() if page.parent.get("data_source_id") == id]
            return self._reply_page(rows, call.body)
        if call.path.endswith("/markdown"):
            return self._markdown(id)
        if parts[2] == "pages" and id in self.pages:
            return Reply(self._page(self.pages[id]))
        if parts[2] == "blocks" and id in self.blocks:
            return Reply(_block(self.blocks[id]))
        if parts[2] == "data_sources" and id in self.sources:
            return Reply(self._source(id))
        return self._error(404, "object_not_found")

    def _live(self) -> list[Page]:
        live = {page.id: page for page in self.pages.values() if not page.in_trash}
        return sorted(live.values(), key=lambda page: page.edited, reverse=True)

    def _search(self, body: Mapping[str, Any]) -> Reply:
        if body["filter"]["value"] == "data_source":
            return self._reply_page(list(self.sources), body)
        if body["filter"].get("in_trash"):
            trashed = {page.id: page for page in self.pages.values() if page.in_trash}
            newest_first = sorted(trashed.values(), key=lambda page: page.edited, reverse=True)
            return self._reply_page(newest_first, body)
        return self._reply_page(
            [page for page in self._live() if page.id not in self.unlisted], body
        )

    def _reply_page(self, entries: list[Any], body: Mapping[str, Any]) -> Reply:
        cursor = body.get("start_cursor")
        if cursor in self.expired:
            self.expired.discard(cursor)
            return self._error(400, "validation_error")
        size = min(body["page_size"], self.page_size)
        start = int(cursor.rpartition("-")[2]) if cursor else 0
        page = entries[start : start + size]
        has_more = start + size < len(entries)
        results = [
            self._page(entry) if isinstance(entry, Page) else self._source(entry) for entry in page
        ]
        return Reply({
            "object": "list", "type": "page_or_data_source", "page_or_data_source": {},
            "results": results, "has_more": has_more,
            "next_cursor": f"cursor-{start + size}" if has_more else None,
        })  # fmt: skip

    def _markdown(self, id: str) -> Reply:
        page = self.pages.get(id) or self.blocks.get(id)
        if page is None or page.in_trash:
            return self._error(404, "object_not_found")
        return Reply({
            "object": "page_markdown", "id": id, "markdown": page.markdown,
            "truncated": bool(page.unknown), "unknown_block_ids": page.unknown,
        })  # fmt: skip

    def _page(self, page: Page) -> dict[str, Any]:
        title = {"id": "title", "type": "title", "title": text(page.title)}
        return {
            "object": "page", "id": page.id, "created_time": "2026-01-01T00:00:00.000Z",
            "last_edited_time": page.edited[:17] + "00.000Z", "in_trash": page.in_trash,
            "archived": page.in_trash, "is_archived": page.in_trash, "is_locked": False,
            "url": f"https://www.notion.so/{page.id.replace('-', '')}", "public_url": None,
            "parent": page.parent, "properties": {"Name": title, **page.properties}, "icon": None,
            "cover": None, "created_by": USER, "last_edited_by": USER,
        }  # fmt: skip

    def _source(self, id: str) -> dict[str, Any]:
        return {"object": "data_source", "id": id, "properties": {}}

    def _error(self, status: int, code: str) -> Reply:
        return Reply({"object": "error", "status": status, "code": code, "message": code}, status)


def _bot() -> dict[str, Any]:
    bot = {
        "owner": {"type": "workspace", "workspace": True}, "workspace_id": WORKSPACE,
        "workspace_name": "Ada's notes", "workspace_limits": {"max_file_upload_size_in_bytes": 5},
    }  # fmt: skip
    id = page_id("bot")
    return {"object": "user", "id": id, "type": "bot", "name": "x", "avatar_url": None, "bot": bot}


def _block(block: Page) -> dict[str, Any]:
    return {
        "object": "block", "id": block.id, "type": "paragraph", "parent": block.parent,
        "paragraph": {"rich_text": [], "color": "default", "icon": None},
        "created_time": block.edited, "created_by": USER, "last_edited_time": block.edited,
        "last_edited_by": USER, "has_children": True, "in_trash": False, "archived": False,
    }  # fmt: skip
