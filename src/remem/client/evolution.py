"""What remem learned and does automatically, and the feeds it reads."""

import builtins
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from remem.client.answer import Answer
from remem.client.fields import Id, without_none
from remem.client.nouns import PAGE, AsyncNoun


class Policy(Answer):
    """The active search policy, where it comes from and why."""

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
    """The result of one run; `left` says whether more work is due."""

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
    """`error` is why the last attempt to read it failed."""

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
    """What remem learned and does automatically."""

    async def run(self) -> EvolutionRun:
        """Run the jobs that are due: at most five within 25 seconds."""
        return EvolutionRun(await self._ask("POST", "/api/evolve/run", json={}))

    async def policy(self, project: str | None = None) -> Policy:
        return Policy(
            await self._ask("GET", "/api/evolve/policy", params=without_none({"project": project}))
        )

    async def pin(self, arm: str | None, project: str | None = None) -> Policy:
        """Pin a search policy; None lets the arena decide again."""
        body = {"arm": arm, **without_none({"project": project})}
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
        """Report what helped with a query (`used`, `helpful`) and what did not (`not_helpful`)."""
        session = str(session_id) if session_id else None
        options = without_none({"query": query, "project": project, "sessionId": session})
        body = {"type": type, "ids": [str(id) for id in ids], **options}
        return Signal(await self._ask("POST", "/api/evolve/signals", json=body))

    async def undo(self, id: Id) -> EvolutionAction:
        """Restore everything to the state before an action."""
        return EvolutionAction(await self._ask("POST", f"/api/evolve/actions/{id}/undo", json={}))

    async def actions(
        self, *, action: str | None = None, project: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[EvolutionAction]:
        """What was merged, decayed, promoted and derived, newest first."""
        params = {"action": action, "project": project, "limit": page_size}
        async for row in self._paged("/api/evolve/actions", "actions", params):
            yield EvolutionAction(row)

    async def jobs(
        self, *, status: str | None = None, page_size: int = PAGE
    ) -> AsyncIterator[EvolutionJob]:
        """Evolution jobs, newest first."""
        params = {"status": status, "limit": page_size}
        async for job in self._paged("/api/evolve/jobs", "jobs", params):
            yield EvolutionJob(job)


class AsyncFeeds(AsyncNoun):
    """The feeds that projects are subscribed to; new entries are saved once a day."""

    async def add(self, url: str, *, project: str | None = None, kind: str = "research") -> Feed:
        """Subscribe a project; an existing subscription is returned as it is."""
        body = {"url": url, "kind": kind, **without_none({"project": project})}
        return Feed(await self._ask("POST", "/api/feeds", json=body))

    async def list(self, *, project: str | None = None) -> builtins.list[Feed]:
        reply = await self._ask("GET", "/api/feeds", params=without_none({"project": project}))
        return [Feed(feed) for feed in reply["feeds"]]

    async def remove(self, id: Id) -> None:
        """End a subscription. Collected entries are kept."""
        await self._ask("DELETE", f"/api/feeds/{id}")

    async def collect(self) -> str:
        """Collect all feeds now, and return the id of the job."""
        return (await self._ask("POST", "/api/feeds/collect"))["jobId"]
