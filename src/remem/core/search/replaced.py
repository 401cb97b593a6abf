"""Which chunks say what was replaced since, by the memories as they are now."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from uuid import UUID

from remem.core.current import replaced_memories
from remem.core.db import Tx
from remem.core.filter_sql import FILTERABLE
from remem.core.index.kinds import MEMORY
from remem.core.scope import Scope
from remem.core.search.model import Replacement
from remem.core.search.policy import POLICY, Policy
from remem.core.search.store import SOURCE, offset_of

_START, _END = offset_of("o", "start"), offset_of("o", "end")
# A memory replaces the last one of its own chain, and by a link those of others.
_CHAINS = (
    "SELECT o.root_id UNION SELECT u.root_id FROM links l"
    " JOIN memories u ON u.tenant_id = l.tenant_id AND u.id = l.from_id"
    " WHERE l.tenant_id = $1 AND l.to_kind = 'memory' AND l.to_id = o.id"
    " AND l.from_kind = 'memory' AND l.relation = 'updates'"
)
_REPLACED = (
    "SELECT c.id AS chunk_id, c.end_offset - c.start_offset AS chars,"
    f" {_START} AS first, least({_END}, c.end_offset) AS last, m.id, m.content, m.category,"
    f" coalesce(m.valid_from, m.created_at) AS since, {SOURCE} AS source FROM memories o"
    " JOIN chunks c ON c.tenant_id = o.tenant_id AND c.document_id = o.document_id"
    f" AND c.project_id = o.project_id AND c.start_offset <= {_START} AND c.end_offset > {_START}"
    " JOIN memories m ON m.tenant_id = o.tenant_id AND m.project_id = o.project_id"
    f" AND m.root_id IN ({_CHAINS}) AND m.content_hash <> o.content_hash"
    f" AND {FILTERABLE[MEMORY].shown.format('$1')}"
    f" WHERE o.tenant_id = $1 AND o.document_id = ANY($2) AND {replaced_memories('o')}"
    " AND c.id = ANY($3)"
)


# By chunk.
Replaced: TypeAlias = Mapping[UUID, Sequence[Replacement]]


async def replacements(
    tx: Tx, scope: Scope, documents: Mapping[UUID, UUID], policy: Policy = POLICY
) -> Replaced:
    """What replaces most of what each of these chunks says, the widest first. `documents` has the
    document of each chunk."""
    if not documents:
        return {}
    values = (list(set(documents.values())), list(documents))
    rows = await tx.fetch(_REPLACED, scope.tenant_id, *values)
    by_chunk: dict[UUID, list[Mapping[str, Any]]] = {}
    for row in rows:
        # A memory that was changed by hand, or restored, still stands beside its chunk.
        if row["source"] != row["chunk_id"]:
            by_chunk.setdefault(row["chunk_id"], []).append(row)
    return {id: _widest(of) for id, of in by_chunk.items() if _is_most(of, policy)}


def _is_most(rows: Sequence[Mapping[str, Any]], policy: Policy) -> bool:
    """Whether what was replaced is most of the chunk: of a long one, a sentence is not."""
    ends = {row["first"]: row["last"] for row in rows}
    said = sum(last - first for first, last in ends.items())
    return said > policy.outdated_share * rows[0]["chars"]


def _widest(rows: Iterable[Mapping[str, Any]]) -> list[Replacement]:
    order = sorted(rows, key=lambda row: row["first"] - row["last"])
    found = {
        row["id"]: Replacement(
            row["id"], row["content"], row["category"], row["since"], row["source"]
        )
        for row in order
    }
    return list(found.values())
