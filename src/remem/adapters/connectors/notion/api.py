"""Requests to Notion."""

from typing import Any

import httpx2

from remem.adapters.connectors.http import ServiceApi, StaleCursor, server_date
from remem.core.connectors.model import Access
from remem.core.errors import Unavailable

VERSION = "2026-03-11"
PAGE = 100
UNKNOWN_BLOCKS = 1_000
REFUSED = (
    "Notion does not accept the token; copy the integration's secret again at"
    " notion.so/profile/integrations, and connect again with it."
)


class NotionApi:
    def __init__(self, url: str, **options: Any) -> None:
        self._api = ServiceApi(url, "Notion", REFUSED, **options)

    async def get(self, access: Access, path: str) -> httpx2.Response:
        return await self._api.get(path, _headers(access))

    def json(self, reply: httpx2.Response) -> dict[str, Any]:
        return self._api.json(reply)

    async def search(
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
        listing = await self.list_page(access, "/v1/search", body, cursor)
        # The integration may not read an entry without dates.
        readable = [
            entry for entry in listing["results"] if "last_edited_time" in entry or kind != "page"
        ]
        return {**listing, "results": readable}

    async def list_page(
        self, access: Access, path: str, body: dict[str, Any], cursor: str | None
    ) -> dict[str, Any]:
        page_body = {**body, "start_cursor": cursor} if cursor else body
        reply = await self._api.post(path, _headers(access), page_body)
        if reply.status_code == 400 and cursor:
            raise StaleCursor
        if is_missing(reply):
            return {
                "results": [],
                "has_more": False,
                "next_cursor": None,
                "date": server_date(reply),
            }
        listing = self.json(reply)
        if listing["has_more"] and listing["next_cursor"] == cursor:
            raise Unavailable("Notion gives the same part of a list again; it is tried again.")
        return {**listing, "date": server_date(reply)}

    async def markdown(self, access: Access, id: str) -> str | None:
        """Return a page as markdown, with the blocks that the first reply leaves out."""
        parts: list[str] = []
        pending, requested = [id], set[str]()
        while pending and len(requested) <= UNKNOWN_BLOCKS:
            block = pending.pop(0)
            requested.add(block)
            reply = await self.get(access, f"/v1/pages/{block}/markdown")
            if is_missing(reply):
                if block == id:
                    return None
                continue
            body = self.json(reply)
            parts.append(str(body["markdown"]).strip())
            known = {*requested, *pending}
            pending += [child for child in body["unknown_block_ids"] if child not in known]
        if pending:
            parts.append(f"({len(pending):,} more parts of this page were not read.)")
        return "\n\n".join(part for part in parts if part)

    async def close(self) -> None:
        await self._api.close()


def _headers(access: Access) -> dict[str, str]:
    token = access.credential.get("token", "")
    return {"Authorization": f"Bearer {token}", "Notion-Version": VERSION, "User-Agent": "remem"}


def is_missing(reply: httpx2.Response) -> bool:
    """Whether an object is missing: 404 also if it is not shared, 403 if the integration may not
    read it, 400 if the id belongs to another type of object."""
    return reply.status_code in (400, 403, 404)
