"""What remem learned and does by itself, and the feeds it reads."""

import builtins
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from remem.client.answer import Answer
from remem.client.fields import Id, given
from remem.client.nouns import PAGE, AsyncNoun


class Policy(Answer):
    """The way of searching in force, whose it is and why."""

    id: str
    mode: str
    documents: bool
    vector: bool
    source: str
    pinned: bool
    reason: dict[str, Any]


class EvolutionJob(Answer):
    id: str
    job_type: str
    project_id: str | None
    status: str
    priority: int
    attempts: int
    result: dict[str, Any]
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class EvolutionRun(Answer):
    """What one run did; `left` says that another would have work."""

    scheduled: list[EvolutionJob]
    jobs: list[EvolutionJob]
    took_ms: float
    left: bool


class EvolutionAction(Answer):
    """A memory that was merged, decayed or promoted."""

    id: str
    action: str
    memory_id: str
    into_id: str | None
    content: str
    into_content: str | None
    undone_at: datetime | None
    created_at: datetime


class Signal(Answer):
    id: str
    type: str
    ids: list[str]
    project_id: str
    session_id: str | None
    query: str | None
    source: str
    created_at: datetime


class Feed(Answer):
    """`error` is why it could not be read last time."""

    id: str
    url: str
    kind: str
    project: str
    project_id: str
    title: str | None
    error: str | None
    failures: int
    collected_at: datetime | None
    created_at: datetime


class AsyncEvolution(AsyncNoun):
    """What remem learned and does by itself."""

    async def run(self) -> EvolutionRun:
        """Do what is due now: at most five jobs within 25 seconds."""
        return EvolutionRun(await self._ask("POST", "/api/evolve/run", json={}))

    async def policy(self, project: str | None = None) -> Policy:
        return Policy(
            await self._ask("GET", "/api/evolve/policy", params=given({"project": project}))
        )

    async def pin(self, arm: str | None, project: str | None = None) -> Policy:
        """Put a way of searching in force; None leaves it to the arena again."""
        body = {"arm": arm, **given({"project": project})}
        return Policy(await self._ask("POST", "/api/evolve/policy", json=body))

    async def signal(
        self,
        type: str,
        ids: Sequence[Id],
        *,
        query: str | None = None,
        project: str | None = None,
        session_id: Id | None = None,
    ) -> Signal:
        """Say what served a query (`used`, `helpful`) and what did not (`not_helpful`)."""
        session = str(session_id) if session_id else None
        asked = given({"query": query, "project": project, "sessionId": session})
        body = {"type": type, "ids": [str(id) for id in ids], **asked}
        return Signal(await self._ask("POST", "/api/evolve/signals", json=body))

    async def undo(self, id: Id) -> EvolutionAction:
        """Put everything back as it was before an action."""
        return EvolutionAction(await self._ask("POST", f"/api/evolve/actions/{id}/undo", json={}))

    async def actions(
        self, *, action: str | None = None, project: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[EvolutionAction]:
        """What was merged, decayed, promoted and derived, the newest first."""
        asked = {"action": action, "project": project, "limit": page_size}
        async for one in self._paged("/api/evolve/actions", "actions", asked):
            yield EvolutionAction(one)

    async def jobs(
        self, *, status: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[EvolutionJob]:
        """The newest first."""
        asked = {"status": status, "limit": page_size}
        async for one in self._paged("/api/evolve/jobs", "jobs", asked):
            yield EvolutionJob(one)


class AsyncFeeds(AsyncNoun):
    """Feeds that projects are subscribed to; what is new in them is saved once a day."""

    async def add(self, url: str, *, project: str | None = None, kind: str = "research") -> Feed:
        """Subscribe a project; one that is subscribed already is answered as it is."""
        body = {"url": url, "kind": kind, **given({"project": project})}
        return Feed(await self._ask("POST", "/api/feeds", json=body))

    async def list(self, *, project: str | None = None) -> builtins.list[Feed]:
        found = await self._ask("GET", "/api/feeds", params=given({"project": project}))
        return [Feed(one) for one in found["feeds"]]

    async def remove(self, id: Id) -> None:
        """End a subscription. What was collected stays."""
        await self._ask("DELETE", f"/api/feeds/{id}")

    async def collect(self) -> str:
        """Collect all feeds now; the id of the job."""
        return (await self._ask("POST", "/api/feeds/collect"))["jobId"]
