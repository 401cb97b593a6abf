"""Requests to Notion."""

from typing import Any

import httpx2

from remem.adapters.connectors.http import ServiceApi, StalePlace, date_of
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
        found = await self.list_page(access, "/v1/search", body, cursor)
        # An entry without its dates is one that the integration may not read.
        whole = [one for one in found["results"] if "last_edited_time" in one or kind != "page"]
        return {**found, "results": whole}

    async def list_page(
        self, access: Access, path: str, body: dict[str, Any], cursor: str | None
    ) -> dict[str, Any]:
        asked = {**body, "start_cursor": cursor} if cursor else body
        reply = await self._api.post(path, _headers(access), asked)
        if reply.status_code == 400 and cursor:
            raise StalePlace
        if is_missing(reply):
            return {"results": [], "has_more": False, "next_cursor": None, "date": date_of(reply)}
        found = self.json(reply)
        if found["has_more"] and found["next_cursor"] == cursor:
            raise Unavailable("Notion gives the same part of a list again; it is tried again.")
        return {**found, "date": date_of(reply)}

    async def markdown(self, access: Access, id: str) -> str | None:
        """With the blocks that one reply leaves out, each asked for once."""
        parts: list[str] = []
        waiting, asked = [id], set[str]()
        while waiting and len(asked) <= UNKNOWN_BLOCKS:
            block = waiting.pop(0)
            asked.add(block)
            reply = await self.get(access, f"/v1/pages/{block}/markdown")
            if is_missing(reply):
                if block == id:
                    return None
                continue
            found = self.json(reply)
            parts.append(str(found["markdown"]).strip())
            known = {*asked, *waiting}
            waiting += [one for one in found["unknown_block_ids"] if one not in known]
        if waiting:
            parts.append(f"({len(waiting):,} more parts of this page were not read.)")
        return "\n\n".join(part for part in parts if part)

    async def close(self) -> None:
        await self._api.close()


def _headers(access: Access) -> dict[str, str]:
    token = access.credential.get("token", "")
    return {"Authorization": f"Bearer {token}", "Notion-Version": VERSION, "User-Agent": "remem"}


def is_missing(reply: httpx2.Response) -> bool:
    """404 is also what is not shared; 403 is what the integration may not read; 400 an id that is
    of another kind of thing."""
    return reply.status_code in (400, 403, 404)
