"""A session of the OpenAI Agents SDK: the items of a conversation, stored and searchable."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from agents.items import TResponseInputItem
from agents.memory.session import SessionABC
from agents.memory.session_settings import SessionSettings, resolve_session_limit

from remem.client import AsyncRemem, NotFound
from remem.integrations import value_store
from remem.integrations.call import Client, call

TEXT_LIMIT = 20_000


class RememSession(SessionABC):
    """`Runner.run(agent, "…", session=RememSession("support-42", AsyncRemem()))`. Every item is a
    document of the session's container below `project`, and can be recalled like any other."""

    def __init__(
        self,
        session_id: str,
        client: Client,
        *,
        project: str = "sessions",
        session_settings: SessionSettings | None = None,
    ) -> None:
        self.session_id, self.session_settings = session_id, session_settings
        self._client = client
        self._container = f"{project}.{value_store.encode_part(session_id)}"

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        max_items = resolve_session_limit(limit, self.session_settings)
        stored = await call(self._client, lambda remem: self._latest(remem, max_items))
        return [item.value for item in reversed(stored)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await call(self._client, lambda remem: self._add(remem, items))

    async def pop_item(self) -> TResponseInputItem | None:
        return await call(self._client, self._pop)

    async def clear_session(self) -> None:
        await call(self._client, self._clear)

    async def _latest(
        self, remem: AsyncRemem, max_items: int | None
    ) -> list[value_store.StoredValue]:
        stored: list[value_store.StoredValue] = []
        if max_items is not None and max_items <= 0:
            return stored
        page = min(max_items or value_store.PAGE, value_store.PAGE)
        async for entry in value_store.list_entries(remem, self._container, page=page):
            stored.append(await value_store.load_value(remem, entry))
            if len(stored) == max_items:
                break
        return stored

    async def _add(self, remem: AsyncRemem, items: list[TResponseInputItem]) -> None:
        """Save one item after the other, to preserve the order of the conversation."""
        for item in items:
            attributes = {"session": self.session_id}
            await value_store.put_value(remem, self._container, _text(item), item, attributes)

    async def _pop(self, remem: AsyncRemem) -> TResponseInputItem | None:
        for last in await self._latest(remem, 1):
            await value_store.delete_values(remem, [last.id])
            return last.value
        return None

    async def _clear(self, remem: AsyncRemem) -> None:
        try:
            await remem.request("DELETE", f"/v1/containers/{self._container}")
        except NotFound:
            return


def _text(item: Any) -> str:
    """Return the text by which the item is found. The time comes first, so that repeated words are
    separate items."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    content = item.get("content") or item.get("output") or item.get("arguments") or item
    words = _words(content) or json.dumps(item)
    speaker = item.get("role") or item.get("type") or "item"
    return f"{now} {uuid4().hex[:8]}\n{speaker}: {words}"[:TEXT_LIMIT]


def _words(content: Any) -> str:
    match content:
        case str():
            return content
        case list():
            return "\n".join(filter(None, map(_words, content)))
        case dict():
            return str(content.get("text") or content.get("refusal") or "")
        case _:
            return ""
