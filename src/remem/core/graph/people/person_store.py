"""SQL of people's names and the memories that contain them."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.graph.graph_store import IS_NAMED, MENTION_COUNT
from remem.core.graph.model import Entity
from remem.core.transaction import Tx
from remem.core.unreadable import row_values

# The text that names are read from, with single spaces between words and no dots after titles.
_TEXT = (
    "lower(regexp_replace(replace(concat_ws(' ', {0}.content, {0}.speaker,"
    " array_to_string({0}.tags, ' ')), '.', ''), '\\s+', ' ', 'g'))"
)
_SPELLING = "lower(replace(way, '.', ''))"
_UNUSED_NAMES = f"""
SELECT e.id, e.type, e.name, e.name_normalized, e.aliases, {IS_NAMED}, ARRAY(
  SELECT way FROM unnest(e.aliases || e.name) AS way
  WHERE position({_SPELLING} IN said.text) > 0 AND NOT EXISTS (
    SELECT FROM links l JOIN memories m ON m.tenant_id = $1 AND m.id = l.from_id
    WHERE l.tenant_id = $1 AND l.to_kind = 'entity' AND l.to_id = e.id
      AND l.relation = 'mentions' AND position({_SPELLING} IN {_TEXT.format("m")}) > 0)
) AS unsaid
FROM entities e CROSS JOIN (SELECT {_TEXT.format("o")} AS text FROM memories o
  WHERE o.tenant_id = $1 AND o.id = $2) said
WHERE e.tenant_id = $1 AND e.id = ANY($3) AND e.type = 'person'
"""


async def unused_names(
    tx: Tx, memory_id: UUID, entity_ids: Sequence[UUID]
) -> list[tuple[Entity, set[str]]]:
    """The people among these entities, each with the names that occur in this memory and in no
    memory that still mentions them."""
    people = []
    for row in await tx.fetch(_UNUSED_NAMES, memory_id, list(entity_ids)):
        values = row_values(row)
        names = set(values.pop("unsaid"))
        if values["is_named"]:
            names.discard(values["name"])
        if names:
            people.append((Entity(**values), names))
    return people


async def namesake(tx: Tx, person: Entity) -> UUID | None:
    """Another person of the same project who already has that name."""
    return await tx.fetchval(
        "SELECT o.id FROM entities e JOIN entities o ON o.tenant_id = $1"
        " AND o.project_id = e.project_id AND o.type = e.type AND o.id <> e.id"
        " WHERE e.tenant_id = $1 AND e.id = $2 AND o.name_normalized = $3",
        person.id,
        person.name_normalized,
    )


async def move_mentions(tx: Tx, id: UUID, to: UUID) -> None:
    """Move mentions to another entity, except those of memories that already mention it."""
    await tx.execute(
        "UPDATE links l SET to_id = $3 WHERE l.tenant_id = $1 AND l.to_kind = 'entity'"
        " AND l.to_id = $2 AND l.relation = 'mentions' AND NOT EXISTS (SELECT FROM links o"
        "  WHERE o.tenant_id = $1 AND o.from_kind = l.from_kind AND o.from_id = l.from_id"
        "  AND o.to_kind = 'entity' AND o.to_id = $3 AND o.relation = 'mentions')",
        id,
        to,
    )
    await tx.execute(
        f"UPDATE entities e SET mention_count = ({MENTION_COUNT})"
        " WHERE e.tenant_id = $1 AND e.id = $2",
        to,
    )


async def delete_entity(tx: Tx, id: UUID) -> None:
    """Delete an entity; the database deletes its links."""
    await tx.execute("DELETE FROM entities WHERE tenant_id = $1 AND id = $2", id)
