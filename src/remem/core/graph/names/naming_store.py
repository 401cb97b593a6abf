"""SQL of names that people decided on, and of the entities they change."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from remem.core.current import current_memories
from remem.core.graph.graph_store import MENTION_COUNT
from remem.core.graph.names.model import EntityEdit, EntityMemory, NamedEntity, NameRuling
from remem.core.time import new_id, now
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

_RULING = "name, memory_id, target_name, target_normalized, target_type"
_EDIT = "id, project_id, kind, summary, entity_ids, before, undone_at, created_at"
_ENTITY = (
    "SELECT e.id, e.project_id, project_ref(p.slug, p.name, p.settings) AS project_ref, e.type,"
    " e.name, e.aliases, e.mention_count, e.created_at FROM entities e"
    " JOIN projects p ON p.tenant_id = $1 AND p.id = e.project_id WHERE e.tenant_id = $1"
)


# Rulings


async def rulings_for(
    tx: Tx, project_id: UUID, names: Sequence[str], memory_ids: Sequence[UUID]
) -> dict[UUID, list[NameRuling]]:
    """The rulings about these names, for each memory: those for all, and those for its versions."""
    rows = await tx.fetch(
        f"SELECT {_RULING}, ARRAY(SELECT m.id FROM memories m WHERE m.tenant_id = $1"
        "  AND m.id = ANY($4) AND m.root_id = r.memory_id) AS versions"
        " FROM entity_names r WHERE r.tenant_id = $1 AND r.project_id = $2 AND r.name = ANY($3)",
        project_id,
        list(names),
        list(memory_ids),
    )
    rulings: dict[UUID, list[NameRuling]] = {id: [] for id in memory_ids}
    for row in rows:
        values = row_values(row)
        versions = values.pop("versions")
        for id in versions if values["memory_id"] else memory_ids:
            rulings[id].append(NameRuling(**values))
    return rulings


async def rulings_about(
    tx: Tx, project_id: UUID, names: Sequence[str], memory_ids: Sequence[UUID]
) -> list[NameRuling]:
    """The rulings about these names or with them as their target, and those about the memories."""
    rows = await tx.fetch(
        f"SELECT {_RULING} FROM entity_names WHERE tenant_id = $1 AND project_id = $2"
        " AND (name = ANY($3) OR target_normalized = ANY($3) OR memory_id = ANY($4))",
        project_id,
        list(names),
        list(memory_ids),
    )
    return [NameRuling(**row_values(row)) for row in rows]


async def add_rulings(tx: Tx, project_id: UUID, rulings: Sequence[NameRuling]) -> None:
    """Add rulings; one about the same name replaces the earlier one."""
    await tx.executemany(
        f"INSERT INTO entity_names (tenant_id, id, project_id, {_RULING})"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        " ON CONFLICT (tenant_id, project_id, name, memory_id) DO UPDATE SET"
        " target_name = excluded.target_name, target_normalized = excluded.target_normalized,"
        " target_type = excluded.target_type",
        [
            (
                new_id(),
                project_id,
                ruling.name,
                ruling.memory_id,
                ruling.target_name,
                ruling.target_normalized,
                ruling.target_type,
            )
            for ruling in rulings
        ],
    )


async def delete_rulings(tx: Tx, project_id: UUID, rulings: Sequence[NameRuling]) -> None:
    await tx.executemany(
        "DELETE FROM entity_names WHERE tenant_id = $1 AND project_id = $2 AND name = $3"
        " AND memory_id IS NOT DISTINCT FROM $4",
        [(project_id, ruling.name, ruling.memory_id) for ruling in rulings],
    )


async def move_rulings(tx: Tx, project_id: UUID, to: UUID) -> None:
    """Move the rulings of a project; those of the target project count more."""
    await tx.execute(
        "UPDATE entity_names r SET project_id = $3 WHERE r.tenant_id = $1 AND r.project_id = $2"
        " AND NOT EXISTS (SELECT FROM entity_names o WHERE o.tenant_id = $1 AND o.project_id = $3"
        "  AND o.name = r.name AND o.memory_id IS NOT DISTINCT FROM r.memory_id)",
        project_id,
        to,
    )


async def disobedient(tx: Tx) -> list[tuple[UUID, UUID, NameRuling]]:
    """Entities under a name that means another entity, each with its project; imported ones."""
    rows = await tx.fetch(
        "SELECT e.id AS entity_id, e.project_id, r.name, r.memory_id,"
        "  r.target_name, r.target_normalized, r.target_type"
        " FROM entity_names r JOIN entities e ON e.tenant_id = $1 AND e.project_id = r.project_id"
        "  AND e.name_normalized = r.name"
        " WHERE r.tenant_id = $1 AND r.memory_id IS NULL"
        "  AND (r.target_normalized, r.target_type) <> (e.name_normalized, e.type)"
        " ORDER BY e.id"
    )
    found = []
    for row in rows:
        values = row_values(row)
        found.append((values.pop("entity_id"), values.pop("project_id"), NameRuling(**values)))
    return found


# Entities


async def search(
    tx: Tx, projects: Sequence[UUID] | None, words: str | None, type: str | None, limit: int
) -> list[NamedEntity]:
    """The most mentioned first; `words` is a part of a name."""
    rows = await tx.fetch(
        f"{_ENTITY} AND e.mention_count > 0 AND ($2::uuid[] IS NULL OR e.project_id = ANY($2))"
        " AND ($3::text IS NULL OR e.type = $3) AND ($4::text IS NULL"
        "  OR position(lower($4) IN lower(e.name || ' ' || array_to_string(e.aliases, ' '))) > 0)"
        " ORDER BY e.mention_count DESC, e.name_normalized, e.id LIMIT $5",
        list(projects) if projects is not None else None,
        type,
        words,
        limit,
    )
    return [NamedEntity(**row_values(row)) for row in rows]


async def find_many(tx: Tx, ids: Sequence[UUID]) -> list[NamedEntity]:
    """In the order of the ids; those that do not exist are left out."""
    rows = await tx.fetch(f"{_ENTITY} AND e.id = ANY($2)", list(ids))
    by_id = {row["id"]: NamedEntity(**row_values(row)) for row in rows}
    return [by_id[id] for id in dict.fromkeys(ids) if id in by_id]


async def find_named(tx: Tx, project_id: UUID, normalized: str) -> list[UUID]:
    rows = await tx.fetch(
        "SELECT id FROM entities WHERE tenant_id = $1 AND project_id = $2 AND name_normalized = $3"
        " ORDER BY id",
        project_id,
        normalized,
    )
    return [row["id"] for row in rows]


async def save(tx: Tx, project_id: UUID, entity: Mapping[str, Any]) -> None:
    """Insert an entity, or give the existing one these values."""
    await tx.execute(
        "INSERT INTO entities (tenant_id, project_id, id, type, name, name_normalized, aliases,"
        " updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        " ON CONFLICT (tenant_id, id) DO UPDATE SET type = excluded.type, name = excluded.name,"
        " name_normalized = excluded.name_normalized, aliases = excluded.aliases,"
        " updated_at = excluded.updated_at",
        project_id,
        entity["id"],
        entity["type"],
        entity["name"],
        entity["normalized"],
        list(entity["aliases"]),
        now(),
    )


async def delete(tx: Tx, id: UUID) -> None:
    await tx.execute("DELETE FROM entities WHERE tenant_id = $1 AND id = $2", id)


async def mentioned_in(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
    """The memories that mention each of these entities."""
    rows = await tx.fetch(
        "SELECT to_id, array_agg(from_id ORDER BY from_id) AS memories FROM links"
        " WHERE tenant_id = $1 AND to_kind = 'entity' AND to_id = ANY($2)"
        " AND relation = 'mentions' AND from_kind = 'memory' GROUP BY to_id",
        list(ids),
    )
    return {row["to_id"]: row["memories"] for row in rows}


async def memories_of(tx: Tx, id: UUID, limit: int | None = None) -> list[EntityMemory]:
    """The current memories that mention an entity, the newest first."""
    rows = await tx.fetch(
        "SELECT m.id, m.root_id, m.content, m.speaker, m.tags, m.created_at FROM links l"
        " JOIN memories m ON m.tenant_id = $1 AND m.id = l.from_id"
        " WHERE l.tenant_id = $1 AND l.to_kind = 'entity' AND l.to_id = $2"
        f" AND l.relation = 'mentions' AND l.from_kind = 'memory' AND {current_memories('m')}"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT $3",
        id,
        limit,
    )
    return [EntityMemory(**row_values(row)) for row in rows]


async def link(tx: Tx, entity_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """Let memories mention an entity; those that are gone are left out by the database."""
    await tx.execute(
        "INSERT INTO links (tenant_id, id, from_kind, from_id, to_kind, to_id, relation)"
        " SELECT $1, m.link_id, 'memory', m.id, 'entity', $2, 'mentions'"
        " FROM unnest($3::uuid[], $4::uuid[]) AS m (id, link_id)"
        " ON CONFLICT (tenant_id, from_kind, from_id, to_kind, to_id, relation) DO NOTHING",
        entity_id,
        list(memory_ids),
        [new_id() for _ in memory_ids],
    )


async def unlink(tx: Tx, entity_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """An entity that nothing mentions any more is deleted by the database."""
    await tx.execute(
        "DELETE FROM links WHERE tenant_id = $1 AND to_kind = 'entity' AND to_id = $2"
        " AND relation = 'mentions' AND from_kind = 'memory' AND from_id = ANY($3)",
        entity_id,
        list(memory_ids),
    )


async def recount(tx: Tx, ids: Sequence[UUID]) -> None:
    await tx.execute(
        f"UPDATE entities e SET mention_count = ({MENTION_COUNT})"
        " WHERE e.tenant_id = $1 AND e.id = ANY($2)",
        list(ids),
    )


# Edits


async def add_edit(tx: Tx, edit: EntityEdit) -> None:
    await tx.execute(
        "INSERT INTO entity_edits (tenant_id, id, user_id, project_id, kind, summary, entity_ids,"
        " before) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        edit.id,
        tx.scope.user_id,
        edit.project_id,
        edit.kind,
        edit.summary,
        edit.entity_ids,
        edit.before,
    )


async def edits(tx: Tx, limit: int) -> list[EntityEdit]:
    """The newest first."""
    rows = await tx.fetch(
        f"SELECT {_EDIT} FROM entity_edits WHERE tenant_id = $1"
        " ORDER BY created_at DESC, id DESC LIMIT $2",
        limit,
    )
    return [EntityEdit(**row_values(row)) for row in rows]


async def find_edit(tx: Tx, id: UUID) -> EntityEdit | None:
    row = await tx.fetchrow(
        f"SELECT {_EDIT} FROM entity_edits WHERE tenant_id = $1 AND id = $2", id
    )
    return EntityEdit(**row_values(row)) if row else None


async def has_later_edit(tx: Tx, edit: EntityEdit) -> bool:
    return await tx.fetchval(
        "SELECT EXISTS (SELECT FROM entity_edits WHERE tenant_id = $1 AND project_id = $2"
        " AND undone_at IS NULL AND entity_ids && $3 AND (created_at, id) > ($4, $5))",
        edit.project_id,
        edit.entity_ids,
        edit.created_at,
        edit.id,
    )


async def mark_undone(tx: Tx, id: UUID) -> None:
    await tx.execute(
        "UPDATE entity_edits SET undone_at = now() WHERE tenant_id = $1 AND id = $2", id
    )
