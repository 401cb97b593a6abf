"""A session of the OpenAI Agents SDK: the items of a conversation, kept and searchable."""

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
    document of the session's container below `project`, and is recalled like any other."""

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
        self._container = f"{project}.{value_store.part(session_id)}"

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        most = resolve_session_limit(limit, self.session_settings)
        kept = await call(self._client, lambda remem: self._latest(remem, most))
        return [one.value for one in reversed(kept)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await call(self._client, lambda remem: self._add(remem, items))

    async def pop_item(self) -> TResponseInputItem | None:
        return await call(self._client, self._pop)

    async def clear_session(self) -> None:
        await call(self._client, self._clear)

    async def _latest(self, remem: AsyncRemem, most: int | None) -> list[value_store.Kept]:
        found: list[value_store.Kept] = []
        if most is not None and most <= 0:
            return found
        page = min(most or value_store.PAGE, value_store.PAGE)
        async for entry in value_store.stored(remem, self._container, page=page):
            found.append(await value_store.kept(remem, entry))
            if len(found) == most:
                break
        return found

    async def _add(self, remem: AsyncRemem, items: list[TResponseInputItem]) -> None:
        """One after the other: the order in which they are saved is the order of the talk."""
        for item in items:
            about = {"session": self.session_id}
            await value_store.keep(remem, self._container, _text(item), item, about)

    async def _pop(self, remem: AsyncRemem) -> TResponseInputItem | None:
        for last in await self._latest(remem, 1):
            await value_store.give_up(remem, [last.id])
            return last.value
        return None

    async def _clear(self, remem: AsyncRemem) -> None:
        try:
            await remem.request("DELETE", f"/v1/containers/{self._container}")
        except NotFound:
            return


def _text(item: Any) -> str:
    """What the item is found by. When it was said comes first: the same words twice are two."""
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    said = item.get("content") or item.get("output") or item.get("arguments") or item
    words = _words(said) or json.dumps(item)
    speaker = item.get("role") or item.get("type") or "item"
    return f"{moment} {uuid4().hex[:8]}\n{speaker}: {words}"[:TEXT_LIMIT]


def _words(said: Any) -> str:
    match said:
        case str():
            return said
        case list():
            return "\n".join(filter(None, map(_words, said)))
        case dict():
            return str(said.get("text") or said.get("refusal") or "")
        case _:
            return ""
