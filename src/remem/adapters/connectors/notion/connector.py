"""Notion: pages and rows of databases as markdown, with their properties."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from remem.adapters.connectors.http import StalePlace, date_of
from remem.adapters.connectors.notion.api import PAGE, NotionApi, is_missing
from remem.adapters.connectors.notion.pages import (
    ID,
    SETTLED,
    is_gone,
    kind_of_parent,
    name_of,
    page_item,
    plain_id,
    seen_page,
)
from remem.adapters.connectors.notion.properties import property_lines
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
# By the type of a parent, where it is asked for.
KINDS = {
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
        """Databases, then pages that are not in one."""
        kind, _, cursor = (at or "data_source:").partition(":")
        found = await self._api.search(access, kind, cursor or None)
        shown = [one for one in found["results"] if kind_of_parent(one) != "data_source_id"]
        resources = [Resource(plain_id(one["id"]), name_of(one)) for one in shown]
        if at is None:
            resources.insert(0, Resource(EVERYTHING, "Everything that is shared"))
        following = f"{kind}:{found['next_cursor']}" if found["has_more"] else None
        if following is None and kind == "data_source":
            following = "page:"
        return ResourcePage(tuple(resources), following)

    async def begin(self, access: Access) -> Mark:
        self._parents.forget(access)
        _check_choice(access)
        reply = await self._api.get(access, "/v1/users/me")
        self._api.json(reply)
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
            found = await self._api.search(access, "page", mark.get("cursor"), in_trash=is_trash)
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

    async def _part(self, access: Access, at: Mark) -> WalkPage:
        found = await self._api.search(access, at["stage"], at["cursor"])
        after = found["next_cursor"] if found["has_more"] else None
        if at["stage"] == "data_source":
            sources = [one["id"] for one in found["results"] if not is_gone(one)]
            rows = {"stage": "rows", "sources": sources, "cursor": None, "after": after}
            return WalkPage((), rows if sources else _next_sources(after))
        seen, _ = await self._entries(access, found["results"], found["date"])
        following = {**at, "cursor": after} if after else {"stage": "data_source", "cursor": None}
        return WalkPage(tuple(seen), following)

    async def _rows(self, access: Access, at: Mark) -> WalkPage:
        source, *others = at["sources"]
        path = f"/v1/data_sources/{source}/query"
        found = await self._api.list_page(access, path, {"page_size": PAGE}, at["cursor"])
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
            if is_gone(page) or not await self._is_chosen(access, page):
                removed.append(Removed(plain_id(page["id"])))
            else:
                seen.append(seen_page(page, moment))
        return seen, removed

    # Which pages are below what was chosen

    async def _is_chosen(self, access: Access, page: Mapping[str, Any]) -> bool:
        if EVERYTHING in access.chosen:
            return True
        chosen = {plain_id(one) for one in access.chosen}
        place = ("pages", plain_id(page["id"]))
        parent_of = partial(self._parent, access)
        return await is_below(place, lambda place: place[1] in chosen, parent_of)

    async def _parent(self, access: Access, place: tuple[str, str]) -> tuple[str, str] | None:
        kind, id = place
        if not self._parents.knows(access, id):
            reply = await self._api.get(access, f"/v1/{kind}/{id}")
            if is_missing(reply):
                self._parents.put(access, id, None)
            else:
                self._remember_parent(access, self._api.json(reply))
        return self._parents.get(access, id)

    def _remember_parent(self, access: Access, thing: Mapping[str, Any]) -> None:
        parent = thing.get("parent") or {}
        kind = KINDS.get(str(parent.get("type")))
        id = parent.get(str(parent.get("type")))
        place = (kind, plain_id(str(id))) if kind and id else None
        self._parents.put(access, plain_id(thing["id"]), place)


def _check_choice(access: Access) -> None:
    for one in access.chosen:
        if one != EVERYTHING and not ID.fullmatch(one):
            raise Invalid("chosen", f"is not a page of Notion; give its id, or {EVERYTHING}")


def _next_sources(after: str | None) -> Mark | None:
    return {"stage": "data_source", "cursor": after} if after else None
