"""Streams of changes.

Each tenant is polled once a second for all of its readers in this process."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import structlog

from remem.core.errors import RateLimited, RememError, Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.stats.live import LiveUpdate, Seen, read_updates

POLL_INTERVAL_S = 1.0
MAX_READERS_PER_USER = 10
MAX_READERS = 200
# The queue limit of a slow reader; beyond it the reader must reload everything.
MAX_QUEUED_NEWS = 100
_RETRY_AFTER_S = 10

log = structlog.get_logger()
Inbox = asyncio.Queue[LiveUpdate | None]


class LiveFeeds:
    """The connected readers, and one polling task per tenant. `None` in an inbox ends the
    stream."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._inboxes: dict[UUID, set[Inbox]] = defaultdict(set)
        self._tasks: dict[UUID, asyncio.Task[None]] = {}
        self._readers: dict[UUID, int] = defaultdict(int)
        self._closed = False

    @asynccontextmanager
    async def reading(self, scope: Scope, seen: Seen) -> AsyncIterator[Inbox]:
        """Register a reader; `seen` is what it has received already."""
        self._check_limits(scope)
        inbox: Inbox = asyncio.Queue()
        self._readers[scope.user_id] += 1
        self._inboxes[scope.tenant_id].add(inbox)
        if scope.tenant_id not in self._tasks:
            self._tasks[scope.tenant_id] = asyncio.create_task(self._poll(scope, seen))
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

    def _check_limits(self, scope: Scope) -> None:
        if self._closed:
            raise Unavailable("The server is about to stop; try again shortly.")
        if self._readers[scope.user_id] >= MAX_READERS_PER_USER:
            raise RateLimited(MAX_READERS_PER_USER, _RETRY_AFTER_S)
        if sum(self._readers.values()) >= MAX_READERS:
            raise Unavailable("Too many streams are open; try again later.", code="busy")

    def _leave(self, scope: Scope, inbox: Inbox) -> None:
        self._readers[scope.user_id] -= 1
        if not self._readers[scope.user_id]:
            del self._readers[scope.user_id]
        self._inboxes[scope.tenant_id].discard(inbox)
        if not self._inboxes[scope.tenant_id]:
            del self._inboxes[scope.tenant_id]
            self._tasks.pop(scope.tenant_id).cancel()

    async def _poll(self, scope: Scope, seen: Seen) -> None:
        while True:
            try:
                news, seen = await read_updates(self._ports, scope, seen)
                self._publish(scope.tenant_id, news)
            except RememError as error:
                log.warning("live_look_failed", code=error.code)
            await asyncio.sleep(POLL_INTERVAL_S)

    def _publish(self, tenant_id: UUID, news: LiveUpdate) -> None:
        if not (news.changes or news.jobs or news.overflowed):
            return
        for inbox in self._inboxes[tenant_id]:
            if inbox.qsize() >= MAX_QUEUED_NEWS:
                while not inbox.empty():
                    inbox.get_nowait()
                news = LiveUpdate([], [], overflowed=True)
            inbox.put_nowait(news)
