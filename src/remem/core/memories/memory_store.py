"""SQL of memories."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from remem.core.current import (
    ended_memories,
    lasting_memories,
    latest_memories,
    shown_memories,
    undeleted_memories,
)
from remem.core.db import allow_loss
from remem.core.errors import NotFound
from remem.core.judgements import KnownMemory
from remem.core.memories.model import Memory
from remem.core.transaction import Row, Tx
from remem.core.unreadable import row_values

# When a memory was last stated. Rows older than the column `stated_at` have it in other columns.
STATED_AT = "coalesce(stated_at, least(valid_from, created_at))"
COLUMNS = (
    "id, project_id, document_id, session_id, user_id, title, content, expanded, category, tags,"
    " context, confidence, state, quality, is_current, supersedes_id, root_id, version, valid_from,"
    " valid_until, due_at, occurred_at, speaker, said_at, dates, access_count, last_accessed_at,"
    " source, evidence, embedded_with, content_hash, deleted_at, created_at, updated_at,"
    f" {STATED_AT} AS stated_at, part_of,"
    " (SELECT project_ref(slug, name, settings) FROM projects p"
    " WHERE p.tenant_id = $1 AND p.id = m.project_id)"
    " AS project_ref"
)
SELECT = f"SELECT {COLUMNS} FROM memories m"
_UNDELETED = undeleted_memories("m")
_SHOWN = shown_memories("m")

# A position in a list: the value it is ordered by, and the id.
Place: TypeAlias = tuple[datetime, UUID]
Order: TypeAlias = Literal["m.created_at", "coalesce(m.occurred_at, m.said_at, m.created_at)"]


def _memory(row: Row | None) -> Memory | None:
    return Memory(**row_values(row)) if row else None


# One


async def find(tx: Tx, id: UUID) -> Memory | None:
    return _memory(
        await tx.fetchrow(f"{SELECT} WHERE m.tenant_id = $1 AND m.id = $2 AND {_UNDELETED}", id)
    )


async def require(tx: Tx, id: UUID) -> Memory:
    memory = await find(tx, id)
    if memory is None:
        raise NotFound("memory", id)
    return memory


async def find_any(tx: Tx, id: UUID) -> Memory | None:
    """Find a memory even if it is soft-deleted, so that it can be restored or erased."""
    return _memory(await tx.fetchrow(f"{SELECT} WHERE m.tenant_id = $1 AND m.id = $2", id))


async def find_same(tx: Tx, project_id: UUID, hash: str) -> Memory | None:
    return _memory(
        await tx.fetchrow(
            f"{SELECT} WHERE m.tenant_id = $1 AND m.project_id = $2 AND m.content_hash = $3"
            f" AND {_SHOWN}",
            project_id,
            hash,
        )
    )


async def read_and_count(tx: Tx, id: UUID) -> Memory | None:
    """Read one and count the read; a crash may lose the count, which is acceptable."""
    await allow_loss(tx)
    return _memory(
        await tx.fetchrow(
            "UPDATE memories m SET access_count = access_count + 1, last_accessed_at = now()"
            f" WHERE m.tenant_id = $1 AND m.id = $2 AND {_UNDELETED} RETURNING {COLUMNS}",
            id,
        )
    )


async def add_accesses(tx: Tx, id: UUID, count: int, last_at: datetime | None) -> None:
    """Add the reads of a memory that was merged into this one."""
    await tx.execute(
        "UPDATE memories SET access_count = access_count + $3,"
        " last_accessed_at = greatest(last_accessed_at, $4) WHERE tenant_id = $1 AND id = $2",
        id,
        count,
        last_at,
    )


async def insert(tx: Tx, values: dict[str, Any]) -> Memory:
    row = {"tenant_id": tx.scope.tenant_id, "user_id": tx.scope.user_id, **values}
    marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
    inserted = await tx.system.fetchrow(
        f"WITH m AS (INSERT INTO memories ({', '.join(row)}) VALUES ({marks}) RETURNING *)"
        f" SELECT {COLUMNS} FROM m",
        *row.values(),
    )
    return Memory(**row_values(inserted))


async def change(tx: Tx, id: UUID, values: dict[str, Any]) -> Memory:
    marks = "".join(f"{name} = ${position}, " for position, name in enumerate(values, start=3))
    changed = await tx.fetchrow(
        f"UPDATE memories m SET {marks}updated_at = now()"
        f" WHERE m.tenant_id = $1 AND m.id = $2 RETURNING {COLUMNS}",
        id,
        *values.values(),
    )
    return Memory(**row_values(changed))


async def session_exists(tx: Tx, id: UUID) -> bool:
    return await tx.fetchval(
        "SELECT exists (SELECT FROM sessions WHERE tenant_id = $1 AND id = $2 AND user_id = $3)",
        id,
        tx.scope.user_id,
    )


async def count_waiting(tx: Tx, project_id: UUID, category: str) -> int:
    """How many memories of a category await review."""
    return await tx.fetchval(
        "SELECT count(*)::int FROM memories m WHERE m.tenant_id = $1 AND m.project_id = $2"
        f" AND {latest_memories('m')} AND m.category = $3"
        ' AND m.context @> \'{"review": "pending"}\'',
        project_id,
        category,
    )


# Several


async def find_rejected(tx: Tx, project_id: UUID, hashes: Sequence[str]) -> list[Memory]:
    """Memories with one of these hashes that a person declined, deleted or quarantined."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.project_id = $2 AND m.content_hash = ANY($3)"
        f" AND (NOT ({_UNDELETED}) OR m.state = 'quarantined')",
        project_id,
        list(hashes),
    )
    return [Memory(**row_values(row)) for row in rows]


async def find_many(tx: Tx, ids: Sequence[UUID]) -> list[Memory]:
    """The memories that exist, in the order of the ids."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.id = ANY($2) AND {_UNDELETED}", list(ids)
    )
    memories = {row["id"]: Memory(**row_values(row)) for row in rows}
    return [memories[id] for id in ids if id in memories]


async def find_known(tx: Tx, cosines: dict[UUID, float]) -> list[KnownMemory]:
    """The memories of these that a statement may relate to: current and valid ones."""
    rows = await tx.fetch(
        "SELECT id, content, created_at, category, speaker, dates, occurred_at, due_at,"
        " coalesce(nullif(title, ''), context->>'heading', '') AS heading,"
        f" coalesce(valid_from, created_at) AS valid_since, {STATED_AT} AS stated_at"
        " FROM memories m"
        f" WHERE m.tenant_id = $1 AND m.id = ANY($2) AND {lasting_memories('m')}",
        list(cosines),
    )
    memories = [KnownMemory(cosine=cosines[row["id"]], **row_values(row)) for row in rows]
    return sorted(memories, key=lambda memory: -memory.cosine)


async def find_duplicates(tx: Tx, project_id: UUID, other_id: UUID) -> list[tuple[Memory, Memory]]:
    """Pairs of current memories that say the same, one of each project."""
    own, others = (
        {row["content_hash"]: Memory(**row_values(row)) for row in rows}
        for rows in (
            await _shared(tx, project_id, other_id),
            await _shared(tx, other_id, project_id),
        )
    )
    return [(memory, others[hash]) for hash, memory in own.items() if hash in others]


async def _shared(tx: Tx, project_id: UUID, other_id: UUID) -> list[Row]:
    return await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.project_id = $2 AND {_SHOWN} AND EXISTS"
        " (SELECT FROM memories t WHERE t.tenant_id = $1 AND t.project_id = $3"
        f" AND t.content_hash = m.content_hash AND {shown_memories('t')})",
        project_id,
        other_id,
    )


async def find_shown_rejected(tx: Tx, project_id: UUID, other_id: UUID) -> list[Memory]:
    """Current memories of a project that say what a person deleted in the other one."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND m.project_id = $2 AND {_SHOWN} AND EXISTS"
        " (SELECT FROM memories t WHERE t.tenant_id = $1 AND t.project_id = $3"
        f" AND t.content_hash = m.content_hash AND NOT ({undeleted_memories('t')}))",
        project_id,
        other_id,
    )
    return [Memory(**row_values(row)) for row in rows]


async def has_shown(tx: Tx, project_id: UUID) -> bool:
    return await tx.fetchval(
        f"SELECT exists (SELECT FROM memories m WHERE m.tenant_id = $1 AND m.project_id = $2"
        f" AND {_SHOWN})",
        project_id,
    )


async def move_all(tx: Tx, project_id: UUID, to: UUID) -> list[UUID]:
    """Move every memory of a project to another; returns the shown ones."""
    rows = await tx.fetch(
        "UPDATE memories SET project_id = $3, updated_at = now()"
        f" WHERE tenant_id = $1 AND project_id = $2 RETURNING id, {shown_memories()} AS shown",
        project_id,
        to,
    )
    return [row["id"] for row in rows if row["shown"]]


async def find_expired(tx: Tx, limit: int) -> list[Memory]:
    """Shown memories that are no longer valid, ordered by project."""
    rows = await tx.fetch(
        f"{SELECT} WHERE m.tenant_id = $1 AND {ended_memories('m')}"
        " ORDER BY m.project_id, m.valid_until LIMIT $2",
        limit,
    )
    return [Memory(**row_values(row)) for row in rows]


async def to_move(
    tx: Tx, model: str, after: UUID | None, limit: int
) -> list[tuple[Memory, str | None]]:
    """Shown memories that have a vector, but none of this model: each with the hash of what was
    embedded."""
    rows = await tx.fetch(
        f"SELECT {COLUMNS}, m.embedded_hash FROM memories m WHERE m.tenant_id = $1 AND {_SHOWN}"
        " AND m.embedded_with <> $2 AND ($3::uuid IS NULL OR m.id > $3) ORDER BY m.id LIMIT $4",
        model,
        after,
        limit,
    )
    return [(_memory_of(row), row["embedded_hash"]) for row in rows]


def _memory_of(row: Row) -> Memory:
    values = dict(row_values(row))
    del values["embedded_hash"]
    return Memory(**values)


async def lock_unchanged(
    tx: Tx, project_id: UUID, model: str, hashes: Sequence[tuple[UUID, str | None]]
) -> set[UUID]:
    """Those that have the hash and no vector of this model yet; locked rows are left out."""
    ids, digests = zip(*hashes, strict=True)
    rows = await tx.fetch(
        "SELECT m.id FROM memories m JOIN unnest($3::uuid[], $4::text[]) AS e(id, hash)"
        " ON e.id = m.id AND e.hash IS NOT DISTINCT FROM m.embedded_hash"
        f" WHERE m.tenant_id = $1 AND m.embedded_with <> $2 AND m.project_id = $5 AND {_SHOWN}"
        " FOR NO KEY UPDATE OF m SKIP LOCKED",
        model,
        ids,
        digests,
        project_id,
    )
    return {row["id"] for row in rows}


async def mark_embedded(tx: Tx, id: UUID, model: str | None, hash: str | None) -> None:
    await tx.execute(
        "UPDATE memories SET embedded_with = $3, embedded_hash = $4"
        " WHERE tenant_id = $1 AND id = $2",
        id,
        model,
        hash,
    )


async def touch(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        # Two requests that lock the same rows in another order do not wait for each other.
        "UPDATE memories SET last_accessed_at = now() WHERE tenant_id = $1 AND id IN"
        " (SELECT id FROM memories WHERE tenant_id = $1 AND id = ANY($2) FOR UPDATE SKIP LOCKED)",
        list(ids),
    )
