"""Notion: pages and rows of databases as markdown, with their properties."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from remem.adapters.connectors.http import ServiceApi, StalePlace, date_of
from remem.adapters.connectors.notion_properties import property_lines, title_of
from remem.adapters.connectors.parents import ParentCache
from remem.adapters.connectors.sign_in import notion_app, with_client
from remem.core.connectors import (
    Access,
    Account,
    ChangePage,
    Field,
    Mark,
    MarkExpired,
    Provider,
    Removed,
    Resource,
    ResourcePage,
    SeenItem,
    WalkPage,
)
from remem.core.errors import Invalid, Unavailable
from remem.core.items import Item, LeftOut
from remem.core.time import iso

URL = "https://api.notion.com"
VERSION = "2026-03-11"
PAGE = 100
# Notion allows three requests a second.
GAP_S = 0.34
EVERYTHING = "everything"
ID = re.compile(r"[0-9a-fA-F-]{32,36}")
# `last_edited_time` is rounded to the minute: what was edited just now may be edited again in it.
SETTLED = timedelta(minutes=2)
# By the type of a parent, where it is asked for.
KINDS = {
    "page_id": "pages",
    "block_id": "blocks",
    "data_source_id": "data_sources",
    "database_id": "databases",
}
UNKNOWN_BLOCKS = 1_000
PARENTS = 50
# A longer page is kept as a file.
TEXT_CHARS = 400_000
# An address of a file that Notion signs anew at every read.
SIGNED = re.compile(
    r"(?<![^\s()<>\"'])(https?://[^\s()<>\"'?]+)"
    r"\?[^\s()<>\"']*(?:X-Amz-|Signature=|signature=|exp=)[^\s()<>\"']*"
)
REFUSED = (
    "Notion does not accept the token; copy the integration's secret again at"
    " notion.so/profile/integrations, and connect again with it."
)
NOTHING_SHARED = (
    "shows no page yet; in Notion open a page, choose ••• → Connections, add the integration, and"
    " try again"
)


class NotionConnector:
    """What is shared with an integration: everything, or pages and databases with what is below
    them. The list by last edit is not the whole truth: a walk also asks every database."""

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
        self._api = ServiceApi(url, "Notion", REFUSED, gap_s=gap_s, **options)
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
        bot = self._json(await self._get(access, "/v1/users/me"))
        if not (await self._search(access, "page", None, size=1))["results"]:
            raise Invalid("token", NOTHING_SHARED)
        workspace = (bot.get("bot") or {}).get("workspace_name")
        return Account(str(bot["id"]), str(workspace or bot.get("name") or "Notion"))

    async def resources(self, access: Access, under: str | None, at: str | None) -> ResourcePage:
        """Databases, then pages that are not in one."""
        kind, _, cursor = (at or "data_source:").partition(":")
        found = await self._search(access, kind, cursor or None)
        shown = [one for one in found["results"] if _kind_of_parent(one) != "data_source_id"]
        resources = [Resource(_plain(one["id"]), _name(one)) for one in shown]
        if at is None:
            resources.insert(0, Resource(EVERYTHING, "Everything that is shared"))
        following = f"{kind}:{found['next_cursor']}" if found["has_more"] else None
        if following is None and kind == "data_source":
            following = "page:"
        return ResourcePage(tuple(resources), following)

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        _check_choice(access)
        reply = await self._get(access, "/v1/users/me")
        self._json(reply)
        return {"since": iso(date_of(reply) - SETTLED)}

    async def walk(self, access: Access, at: Mark | None) -> WalkPage:
        """Pages, then the rows of each database. Where Notion no longer knows a place in a list,
        that list begins again, once: what comes twice does no harm."""
        at = at or {"stage": "page", "cursor": None}
        try:
            return await self._rows(access, at) if "sources" in at else await self._part(access, at)
        except StalePlace as error:
            if at.get("is_second"):
                raise Unavailable("Notion loses the place in a list; it is tried again.") from error
            return WalkPage((), {**at, "cursor": None, "is_second": True})

    async def changes(self, access: Access, mark: Mark) -> ChangePage:
        """Newest first, until what was seen before: pages, then what was moved to the trash."""
        since = datetime.fromisoformat(mark["since"])
        is_trash = mark.get("stage") == "trash"
        try:
            found = await self._search(access, "page", mark.get("cursor"), in_trash=is_trash)
        except StalePlace as error:
            raise MarkExpired from error
        edited = [datetime.fromisoformat(one["last_edited_time"]) for one in found["results"]]
        newest = max([datetime.fromisoformat(mark.get("newest", mark["since"])), *edited])
        fresh = [
            one
            for one, moment in zip(found["results"], edited, strict=True)
            if moment >= since - SETTLED
        ]
        seen, removed = await self._entries(access, fresh, found["date"])
        stage = {"since": mark["since"], "newest": iso(newest), "stage": "trash"}
        if len(fresh) == len(edited) and found["has_more"]:
            stage |= {"stage": mark.get("stage", "page"), "cursor": found["next_cursor"]}
        elif is_trash:
            return ChangePage((*seen, *removed), {"since": iso(newest)})
        return ChangePage((*seen, *removed), stage, is_last=False)

    async def read(self, access: Access, seen: SeenItem, folder: Path) -> Item | LeftOut | None:
        reply = await self._get(access, f"/v1/pages/{seen.reference}")
        if _is_missing(reply):
            return None
        page = self._json(reply)
        if _is_gone(page):
            return None
        if "properties" not in page:
            return LeftOut("document", seen.reference, "the integration may not read its content")
        body = await self._markdown(access, seen.reference)
        if body is None:
            return None
        content = "\n\n".join(part for part in (property_lines(page["properties"]), body) if part)
        if not content.strip():
            return LeftOut("document", seen.reference, "it is empty")
        return _item(seen.reference, page, SIGNED.sub(r"\1", content), folder)

    async def close(self) -> None:
        await self._api.close()

    # Requests

    async def _get(self, access: Access, path: str) -> httpx2.Response:
        return await self._api.get(path, _headers(access))

    def _json(self, reply: httpx2.Response) -> dict[str, Any]:
        return self._api.json(reply)

    async def _search(
        self,
        access: Access,
        kind: str,
        cursor: str | None,
        *,
        size: int = PAGE,
        in_trash: bool = False,
    ) -> dict[str, Any]:
        only = {"in_trash": True} if in_trash else {}
        body = {
            "filter": {"property": "object", "value": kind, **only},
            "sort": {"timestamp": "last_edited_time", "direction": "descending"},
            "page_size": size,
        }
        found = await self._list(access, "/v1/search", body, cursor)
        # An entry without its dates is one that the integration may not read.
        whole = [one for one in found["results"] if "last_edited_time" in one or kind != "page"]
        return {**found, "results": whole}

    async def _list(
        self, access: Access, path: str, body: dict[str, Any], cursor: str | None
    ) -> dict[str, Any]:
        asked = {**body, "start_cursor": cursor} if cursor else body
        reply = await self._api.post(path, _headers(access), asked)
        if reply.status_code == 400 and cursor:
            raise StalePlace
        if _is_missing(reply):
            return {"results": [], "has_more": False, "next_cursor": None, "date": date_of(reply)}
        found = self._json(reply)
        if found["has_more"] and found["next_cursor"] == cursor:
            raise Unavailable("Notion gives the same part of a list again; it is tried again.")
        return {**found, "date": date_of(reply)}

    async def _part(self, access: Access, at: Mark) -> WalkPage:
        found = await self._search(access, at["stage"], at["cursor"])
        after = found["next_cursor"] if found["has_more"] else None
        if at["stage"] == "data_source":
            sources = [one["id"] for one in found["results"] if not _is_gone(one)]
            rows = {"stage": "rows", "sources": sources, "cursor": None, "after": after}
            return WalkPage((), rows if sources else _next_sources(after))
        seen, _ = await self._entries(access, found["results"], found["date"])
        following = {**at, "cursor": after} if after else {"stage": "data_source", "cursor": None}
        return WalkPage(tuple(seen), following)

    async def _rows(self, access: Access, at: Mark) -> WalkPage:
        source, *others = at["sources"]
        path = f"/v1/data_sources/{source}/query"
        found = await self._list(access, path, {"page_size": PAGE}, at["cursor"])
        seen, _ = await self._entries(access, found["results"], found["date"])
        if found["has_more"]:
            return WalkPage(tuple(seen), {**at, "cursor": found["next_cursor"]})
        if others:
            rest = {"stage": "rows", "sources": others, "cursor": None, "after": at["after"]}
            return WalkPage(tuple(seen), rest)
        return WalkPage(tuple(seen), _next_sources(at["after"]))

    async def _entries(
        self, access: Access, results: list[dict[str, Any]], moment: datetime
    ) -> tuple[list[SeenItem], list[Removed]]:
        seen: list[SeenItem] = []
        removed: list[Removed] = []
        for page in results:
            if page["object"] != "page" or "last_edited_time" not in page:
                continue
            self._remember_parent(access, page)
            if _is_gone(page) or not await self._is_chosen(access, page):
                removed.append(Removed(_plain(page["id"])))
            else:
                seen.append(_seen(page, moment))
        return seen, removed

    # Which pages are below what was chosen

    async def _is_chosen(self, access: Access, page: Mapping[str, Any]) -> bool:
        chosen = {_plain(one) for one in access.chosen}
        if EVERYTHING in access.chosen:
            return True
        place: tuple[str, str] | None = ("pages", _plain(page["id"]))
        for _ in range(PARENTS):
            if place is None or place[1] in chosen:
                return place is not None
            place = await self._parent(access, *place)
        return False

    async def _parent(self, access: Access, kind: str, id: str) -> tuple[str, str] | None:
        if not self._parents.knows(access, id):
            reply = await self._get(access, f"/v1/{kind}/{id}")
            if _is_missing(reply):
                self._parents.put(access, id, None)
            else:
                self._remember_parent(access, self._json(reply))
        return self._parents.get(access, id)

    def _remember_parent(self, access: Access, thing: Mapping[str, Any]) -> None:
        parent = thing.get("parent") or {}
        kind = KINDS.get(str(parent.get("type")))
        id = parent.get(str(parent.get("type")))
        place = (kind, _plain(str(id))) if kind and id else None
        self._parents.put(access, _plain(thing["id"]), place)

    # The text of a page

    async def _markdown(self, access: Access, id: str) -> str | None:
        """With the blocks that one reply leaves out, each asked for once."""
        parts: list[str] = []
        waiting, asked = [id], set[str]()
        while waiting and len(asked) <= UNKNOWN_BLOCKS:
            block = waiting.pop(0)
            asked.add(block)
            reply = await self._get(access, f"/v1/pages/{block}/markdown")
            if _is_missing(reply):
                if block == id:
                    return None
                continue
            found = self._json(reply)
            parts.append(str(found["markdown"]).strip())
            known = {*asked, *waiting}
            waiting += [one for one in found["unknown_block_ids"] if one not in known]
        if waiting:
            parts.append(f"({len(waiting):,} more parts of this page were not read.)")
        return "\n\n".join(part for part in parts if part)


def _headers(access: Access) -> dict[str, str]:
    token = access.credential.get("token", "")
    return {"Authorization": f"Bearer {token}", "Notion-Version": VERSION, "User-Agent": "remem"}


def _check_choice(access: Access) -> None:
    for one in access.chosen:
        if one != EVERYTHING and not ID.fullmatch(one):
            raise Invalid("chosen", f"is not a page of Notion; give its id, or {EVERYTHING}")


def _is_missing(reply: httpx2.Response) -> bool:
    """404 is also what is not shared; 403 is what the integration may not read; 400 an id that is
    of another kind of thing."""
    return reply.status_code in (400, 403, 404)


def _is_gone(thing: Mapping[str, Any]) -> bool:
    return bool(thing.get("in_trash") or thing.get("archived"))


def _next_sources(after: str | None) -> Mark | None:
    return {"stage": "data_source", "cursor": after} if after else None


def _plain(id: str) -> str:
    """With or without dashes, it is the same page."""
    return id.replace("-", "").lower() if ID.fullmatch(id) else id


def _kind_of_parent(thing: Mapping[str, Any]) -> str:
    return str((thing.get("parent") or {}).get("type"))


def _name(thing: Mapping[str, Any]) -> str:
    if thing["object"] == "page":
        return title_of(thing.get("properties") or {}) or "Untitled"
    parts = thing.get("title") or []
    return "".join(str(part.get("plain_text", "")) for part in parts) or "Untitled"


def _seen(page: Mapping[str, Any], moment: datetime) -> SeenItem:
    edited = str(page["last_edited_time"])
    is_settled = datetime.fromisoformat(edited) < moment - SETTLED
    revision = edited if is_settled else f"{edited} as of {iso(moment)}"
    return SeenItem(_plain(page["id"]), revision, path=_name(page))


def _item(reference: str, page: Mapping[str, Any], content: str, folder: Path) -> Item:
    name = _name(page)
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
