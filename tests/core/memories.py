"""Shared helpers for tests of memories: save, query the store directly, script the judge."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import anyio

from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.judgements import Action, KnownMemory, Relation
from remem.core.memories.browse import get_memory, list_memories
from remem.core.memories.model import Memory, MemoryChoice, MemoryDraft, SavedMemory
from remem.core.memories.save import save_memory
from remem.core.memories.versions.history import get_history
from remem.core.ports import Ports
from remem.core.scope import Scope

TIMEOUT_S = 120


async def save(ports: Ports, scope: Scope, content: str, **fields: Any) -> SavedMemory:
    return await save_memory(ports, scope, MemoryDraft(content, **fields))


def relate_by_first_word(**actions: Action) -> Any:
    """A fake `relate` that returns a given action for each known memory, by its first word."""

    def relate(content: str, known: Sequence[KnownMemory], _: Any = None) -> list[Relation]:
        by_word = {memory.content.split()[0]: memory for memory in known}
        return [
            Relation(action, by_word[word].id, 0.9, ("told",))
            for word, action in actions.items()
            if word in by_word
        ]

    return relate


def relate_by_slot(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
    """A fake `relate`: the same slot with another value is an update, the same value a noop."""
    slot, _, value = content.split()[:3]
    relations = []
    for memory in known:
        words = memory.content.split()
        if words[0] == slot:
            action = "noop" if words[2] == value else "update"
            relations.append(Relation(action, memory.id, 1.0, ("slot",)))
    return sorted(relations, key=lambda relation: relation.action)


async def match_by_word(ports: Ports, scope: Scope, query: str) -> list[UUID]:
    async with ports.db.transaction(scope) as tx:
        return [match.id for match in (await match_words(tx, MEMORY, query, None, 50)).matches]


async def match_by_meaning(ports: Ports, scope: Scope, query: str) -> list[UUID]:
    vector = await ports.embedder.embed_query(query)
    model = ports.embedder.model
    async with ports.db.transaction(scope) as tx:
        matches = await ports.vectors.search(tx, model, MEMORY, vector, None, 50)
    return [match.id for match in matches]


async def contents(ports: Ports, scope: Scope, **choice: Any) -> list[str]:
    page = await list_memories(ports, scope, MemoryChoice(**choice), None, 100)
    return [memory.content for memory in page.memories]


async def count(ports: Ports, scope: Scope, table: str) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchval(f"SELECT count(*) FROM {table}")


async def events(ports: Ports, scope: Scope, id: UUID) -> list[tuple[str, dict[str, Any]]]:
    return [(event.type, event.data) for event in (await get_history(ports, scope, id)).events]


async def get_memory_after_jobs(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """The memory, once the server's own worker has finished its jobs."""
    await wait_for_jobs(ports, scope, id)
    return await get_memory(ports, scope, id)


async def wait_for_jobs(ports: Ports, scope: Scope, id: UUID) -> None:
    with anyio.fail_after(TIMEOUT_S):
        while True:
            async with ports.db.transaction(scope) as tx:
                open_jobs = await tx.system.fetchval(
                    "SELECT count(*) FROM jobs WHERE subject_id = $1 AND status <> 'completed'", id
                )
            if not open_jobs:
                return
            await anyio.sleep(0.05)


async def set_limit(ports: Ports, scope: Scope, limit: int) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE subscriptions SET memory_limit = $1", limit)


class _IdleQueue:
    """A queue without a worker."""

    async def enqueue(self, *_: Any, **__: Any) -> None:
        return


async def save_deferred(ports: Ports, scope: Scope, content: str) -> Memory:
    """Save a memory without a vector, as a deferred save leaves it before its job has run."""
    idle_ports = replace(ports, queue=_IdleQueue())  # type: ignore[arg-type]
    saved = await save(idle_ports, scope, content, defer=True)
    assert saved.job_id
    return saved.memory
