"""Notion: pages and rows of databases as markdown, with their properties."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from remem.adapters.connectors.http import StaleCursor, server_date
from remem.adapters.connectors.notion.api import PAGE, NotionApi, is_missing
from remem.adapters.connectors.notion.properties import property_lines, title_of
from remem.adapters.connectors.parents import ParentCache, is_below
from remem.adapters.connectors.sign_in import notion_app, with_client
from remem.core.connectors.errors import MarkExpired
from remem.core.connectors.model import (
    Access,
    Account,
    ChangePage,
    Mark,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.connectors.provider import Field, Provider
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.time import iso

URL = "https://api.notion.com"
# Notion allows three requests a second.
GAP_S = 0.34
EVERYTHING = "everything"
# The path segment of the API for each type of parent.
PARENT_PATHS = {
    "page_id": "pages",
    "block_id": "blocks",
    "data_source_id": "data_sources",
    "database_id": "databases",
}
NOTHING_SHARED = (
    "shows no page yet; in Notion open a page, choose ••• → Connections, add the integration, and"
    " try again"
)


class NotionConnector:
    """Pages shared with an integration: all of them, or chosen pages and databases with everything
    below. Search results are not complete, so a walk also queries every database."""

    def __init__(
        self,
        urls: Mapping[str, str],
        client_id: str | None = None,
        client_secret: str | None = None,
        *,
        gap_s: float = GAP_S,
        **options: Any,
    ) -> None:
        url = urls.get("notion", URL)
        self._api = NotionApi(url, gap_s=gap_s, **options)
        offered = replace(self.provider, oauth=notion_app(url))
        self.provider = with_client(offered, client_id, client_secret)
        self._parents = ParentCache[tuple[str, str]]()

    provider = Provider(
        title="Notion",
        about="Pages and rows of databases with their properties, as markdown.",
        help="Make an internal integration at notion.so/profile/integrations and copy its secret."
        " Then open each page that is to be read, choose ••• → Connections, and add it.",
        fields=(
            Field(
                "token",
                "the secret of an internal integration",
                is_secret=True,
                example="ntn_…",
            ),
        ),
        choice="pages and databases by their ids, or everything",
    )

    async def account(self, access: Access) -> Account:
        bot = self._api.json(await self._api.get(access, "/v1/users/me"))
        if not (await self._api.search(access, "page", None, size=1))["results"]:
            raise Invalid("token", NOTHING_SHARED)
        workspace = (bot.get("bot") or {}).get("workspace_name")
        return Account(str(bot["id"]), str(workspace or bot.get("name") or "Notion"))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        """List databases, then pages that are not in a database."""
        kind, _, cursor = (at or "data_source:").partition(":")
        listing = await self._api.search(access, kind, cursor or None)
        entries = [entry for entry in listing["results"] if parent_type(entry) != "data_source_id"]
        resources = [Resource(plain_id(entry["id"]), display_name(entry)) for entry in entries]
        if at is None:
            resources.insert(0, Resource(EVERYTHING, "Everything that is shared"))
        next_position = f"{kind}:{listing['next_cursor']}" if listing["has_more"] else None
        if next_position is None and kind == "data_source":
            next_position = "page:"
        return ResourcePage(tuple(resources), next_position)

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        _check_choice(access)
        reply = await self._api.get(access, "/v1/users/me")
        self._api.json(reply)
        return {"since": iso(server_date(reply) - SETTLE_TIME)}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """List pages, then the rows of each database. When Notion no longer accepts a cursor, that
        list is read again from the start, once; repeated pages do no harm."""
        at = at or {"stage": "page", "cursor": None}
        try:
            return (
                await self._query_page(access, at)
                if "sources" in at
                else await self._search_page(access, at)
            )
        except StaleCursor as error:
            if at.get("is_second"):
                raise Unavailable("Notion loses the place in a list; it is tried again.") from error
            return WalkPage((), {**at, "cursor": None, "is_second": True})

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """List edited pages and then trashed pages, newest first, until those already seen."""
        since = datetime.fromisoformat(mark["since"])
        is_trash = mark.get("stage") == "trash"
        try:
            listing = await self._api.search(access, "page", mark.get("cursor"), in_trash=is_trash)
        except StaleCursor as error:
            raise MarkExpired from error
        edited = [datetime.fromisoformat(page["last_edited_time"]) for page in listing["results"]]
        newest = max([datetime.fromisoformat(mark.get("newest", mark["since"])), *edited])
        recent = [
            page
            for page, edited_at in zip(listing["results"], edited, strict=True)
            if edited_at >= since - SETTLE_TIME
        ]
        seen, removed = await self._entries(access, recent, listing["date"])
        new_mark = {"since": mark["since"], "newest": iso(newest), "stage": "trash"}
        if len(recent) == len(edited) and listing["has_more"]:
            new_mark |= {"stage": mark.get("stage", "page"), "cursor": listing["next_cursor"]}
        elif is_trash:
            return ChangePage((*seen, *removed), {"since": iso(newest)})
        return ChangePage((*seen, *removed), new_mark, is_last=False)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        reply = await self._api.get(access, f"/v1/pages/{seen.reference}")
        if is_missing(reply):
            return None
        page = self._api.json(reply)
        if is_gone(page):
            return None
        if "properties" not in page:
            return LeftOut("document", seen.reference, "the integration may not read its content")
        body = await self._api.markdown(access, seen.reference)
        if body is None:
            return None
        content = "\n\n".join(part for part in (property_lines(page["properties"]), body) if part)
        if not content.strip():
            return LeftOut("document", seen.reference, "it is empty")
        return page_item(seen.reference, page, content, folder)

    async def close(self) -> None:
        await self._api.close()

    async def _search_page(self, access: Access, at: Mark) -> WalkPage:
        listing = await self._api.search(access, at["stage"], at["cursor"])
        next_cursor = listing["next_cursor"] if listing["has_more"] else None
        if at["stage"] == "data_source":
            sources = [source["id"] for source in listing["results"] if not is_gone(source)]
            rows_mark = {"stage": "rows", "sources": sources, "cursor": None, "after": next_cursor}
            return WalkPage((), rows_mark if sources else _next_sources(next_cursor))
        seen, _ = await self._entries(access, listing["results"], listing["date"])
        next_mark = (
            {**at, "cursor": next_cursor}
            if next_cursor
            else {"stage": "data_source", "cursor": None}
        )
        return WalkPage(tuple(seen), next_mark)

    async def _query_page(self, access: Access, at: Mark) -> WalkPage:
        source, *others = at["sources"]
        path = f"/v1/data_sources/{source}/query"
        listing = await self._api.list_page(access, path, {"page_size": PAGE}, at["cursor"])
        seen, _ = await self._entries(access, listing["results"], listing["date"])
        if listing["has_more"]:
            return WalkPage(tuple(seen), {**at, "cursor": listing["next_cursor"]})
        if others:
            next_mark = {"stage": "rows", "sources": others, "cursor": None, "after": at["after"]}
            return WalkPage(tuple(seen), next_mark)
        return WalkPage(tuple(seen), _next_sources(at["after"]))

    async def _entries(
        self, access: Access, results: list[dict[str, Any]], moment: datetime
    ) -> tuple[list[SeenItem], list[Removed]]:
        seen: list[SeenItem] = []
        removed: list[Removed] = []
        for page in results:
            if page["object"] != "page" or "last_edited_time" not in page:
                continue
            self._cache_parent(access, page)
            if is_gone(page) or not await self._is_chosen(access, page):
                removed.append(Removed(plain_id(page["id"])))
            else:
                seen.append(seen_page(page, moment))
        return seen, removed

    # Which pages are below a chosen one

    async def _is_chosen(self, access: Access, page: Mapping[str, Any]) -> bool:
        if EVERYTHING in access.chosen:
            return True
        chosen = {plain_id(id) for id in access.chosen}
        node = ("pages", plain_id(page["id"]))
        parent_of = partial(self._parent, access)
        return await is_below(node, lambda node: node[1] in chosen, parent_of)

    async def _parent(self, access: Access, node: tuple[str, str]) -> tuple[str, str] | None:
        kind, id = node
        if not self._parents.knows(access, id):
            reply = await self._api.get(access, f"/v1/{kind}/{id}")
            if is_missing(reply):
                self._parents.put(access, id, None)
            else:
                self._cache_parent(access, self._api.json(reply))
        return self._parents.get(access, id)

    def _cache_parent(self, access: Access, entry: Mapping[str, Any]) -> None:
        parent = entry.get("parent") or {}
        kind = PARENT_PATHS.get(str(parent.get("type")))
        id = parent.get(str(parent.get("type")))
        parent_node = (kind, plain_id(str(id))) if kind and id else None
        self._parents.put(access, plain_id(entry["id"]), parent_node)


def _check_choice(access: Access) -> None:
    for choice in access.chosen:
        if choice != EVERYTHING and not ID.fullmatch(choice):
            raise Invalid("chosen", f"is not a page of Notion; give its id, or {EVERYTHING}")


def _next_sources(cursor: str | None) -> Mark | None:
    return {"stage": "data_source", "cursor": cursor} if cursor else None


# Convert Notion pages to items.


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
