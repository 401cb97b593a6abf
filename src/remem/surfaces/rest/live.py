"""Streams of what is going on: one look a second for all readers of a tenant in this process."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import structlog

from remem.core.errors import RateLimited, RememError, Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats.live import News, Seen, read_news

LOOK_EVERY_S = 1.0
READERS_OF_USER = 10
READERS_IN_ALL = 200
# News that a slow reader has not taken yet; beyond it they are asked to read everything again.
WAITING_LIMIT = 100
_RETRY_AFTER_S = 10

log = structlog.get_logger()
Inbox = asyncio.Queue[News | None]


class LiveFeeds:
    """Who reads, and the task that looks for them. `None` in an inbox ends the stream."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._inboxes: dict[UUID, set[Inbox]] = defaultdict(set)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._readers: dict[UUID, int] = defaultdict(int)
        self._closed = False

    @asynccontextmanager
    async def reading(self, scope: Scope, seen: Seen) -> AsyncIterator[Inbox]:
        """`seen` is what the reader was sent already."""
        self._check_room(scope)
        inbox: Inbox = asyncio.Queue()
        self._readers[scope.user_id] += 1
        self._inboxes[scope.tenant_id].add(inbox)
        if scope.tenant_id not in self._tasks:
            self._tasks[scope.tenant_id] = asyncio.create_task(self._look(scope, seen))
        try:
            yield inbox
        finally:
            self._leave(scope, inbox)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._closed = True
        for inboxes in self._inboxes.values():
            for inbox in inboxes:
                inbox.put_nowait(None)

    def _check_room(self, scope: Scope) -> None:
        if self._closed:
            raise Unavailable("The server is about to stop; try again shortly.")
        if self._readers[scope.user_id] >= READERS_OF_USER:
            raise RateLimited(READERS_OF_USER, _RETRY_AFTER_S)
        if sum(self._readers.values()) >= READERS_IN_ALL:
            raise Unavailable("Too many streams are open; ask again later.", code="busy")

    def _leave(self, scope: Scope, inbox: Inbox) -> None:
        self._readers[scope.user_id] -= 1
        if not self._readers[scope.user_id]:
            del self._readers[scope.user_id]
        self._inboxes[scope.tenant_id].discard(inbox)
        if not self._inboxes[scope.tenant_id]:
            del self._inboxes[scope.tenant_id]
            self._tasks.pop(scope.tenant_id).cancel()

    async def _look(self, scope: Scope, seen: Seen) -> None:
        while True:
            try:
                news, seen = await read_news(self._ports, scope, seen)
                self._publish(scope.tenant_id, news)
            except RememError as error:
                log.warning("live_look_failed", code=error.code)
            await asyncio.sleep(LOOK_EVERY_S)

    def _publish(self, tenant_id: UUID, news: News) -> None:
        if not (news.changes or news.jobs or news.overflowed):
            return
        for inbox in self._inboxes[tenant_id]:
            if inbox.qsize() >= WAITING_LIMIT:
                while not inbox.empty():
                    inbox.get_nowait()
                news = News([], [], overflowed=True)
            inbox.put_nowait(news)
