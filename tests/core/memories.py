"""What tests of memories have in common: saving, reading past every API, scripted decisions."""

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

WITHIN_S = 60


async def save(ports: Ports, scope: Scope, content: str, **fields: Any) -> SavedMemory:
    return await save_memory(ports, scope, MemoryDraft(content, **fields))


def relate_by_first_word(**actions: Action) -> Any:
    """A classifier that is given what to say of each known memory, by its first word."""

    def relate(content: str, known: Sequence[KnownMemory], said: Any = None) -> list[Relation]:
        by_word = {one.content.split()[0]: one for one in known}
        return [
            Relation(action, by_word[word].id, 0.9, ("told",))
            for word, action in actions.items()
            if word in by_word
        ]

    return relate


def relate_by_slot(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
    """The same slot with another value is an update, with the same value nothing new."""
    slot, _, value = content.split()[:3]
    found = []
    for one in known:
        theirs = one.content.split()
        if theirs[0] == slot:
            action = "noop" if theirs[2] == value else "update"
            found.append(Relation(action, one.id, 1.0, ("slot",)))
    return sorted(found, key=lambda one: one.action)


async def by_word(ports: Ports, scope: Scope, query: str) -> list[UUID]:
    async with ports.db.transaction(scope) as tx:
        return [one.id for one in (await match_words(tx, scope, MEMORY, query, None, 50)).matches]


async def by_meaning(ports: Ports, scope: Scope, query: str) -> list[UUID]:
    vector = await ports.embedder.embed_query(query)
    model = ports.embedder.model
    async with ports.db.transaction(scope) as tx:
        near = await ports.vectors.search(tx, scope, model, MEMORY, vector, None, 50)
    return [one.id for one in near]


async def contents(ports: Ports, scope: Scope, **choice: Any) -> list[str]:
    page = await list_memories(ports, scope, MemoryChoice(**choice), None, 100)
    return [memory.content for memory in page.memories]


async def count(ports: Ports, scope: Scope, table: str) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.fetchval(f"SELECT count(*) FROM {table}")


async def events(ports: Ports, scope: Scope, id: UUID) -> list[tuple[str, dict[str, Any]]]:
    return [(one.type, one.data) for one in (await get_history(ports, scope, id)).events]


async def settled(ports: Ports, scope: Scope, id: UUID) -> Memory:
    """Once the server's own worker has done its jobs."""
    await settled_jobs(ports, scope, id)
    return await get_memory(ports, scope, id)


async def settled_jobs(ports: Ports, scope: Scope, id: UUID) -> None:
    with anyio.fail_after(WITHIN_S):
        while True:
            async with ports.db.transaction(scope) as tx:
                left = await tx.fetchval(
                    "SELECT count(*) FROM jobs WHERE subject_id = $1 AND status <> 'completed'", id
                )
            if not left:
                return
            await anyio.sleep(0.05)


async def set_limit(ports: Ports, scope: Scope, limit: int) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.execute("UPDATE subscriptions SET memory_limit = $1", limit)


class _Idle:
    """A queue that nobody works on."""

    async def enqueue(self, *_: Any, **__: Any) -> None:
        return


async def deferred(ports: Ports, scope: Scope, content: str) -> Memory:
    """Kept without a vector, as a save leaves it whose job nobody has done yet."""
    idle = replace(ports, queue=_Idle())  # type: ignore[arg-type]
    saved = await save(idle, scope, content, defer=True)
    assert saved.job_id
    return saved.memory
