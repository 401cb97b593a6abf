"""Which chunks say what was replaced since, by the memories as they are now."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Replacement
from remem.core.search.policy import POLICY, Policy

# By chunk.
Replaced: TypeAlias = Mapping[UUID, Sequence[Replacement]]


async def replacements(
    tx: Tx, scope: Scope, documents: Mapping[UUID, UUID], policy: Policy = POLICY
) -> Replaced:
    """What replaces most of what each of these chunks says, the widest first. `documents` has the
    document of each chunk."""
    if not documents:
        return {}
    rows = await store.replaced(tx, scope, set(documents.values()), list(documents))
    by_chunk: dict[UUID, list[Row]] = {}
    for row in rows:
        # A memory that was changed by hand, or restored, still stands beside its chunk.
        if row["source"] != row["chunk_id"]:
            by_chunk.setdefault(row["chunk_id"], []).append(row)
    return {id: _widest(of) for id, of in by_chunk.items() if _is_most(of, policy)}


def _is_most(rows: Sequence[Row], policy: Policy) -> bool:
    """Whether what was replaced is most of the chunk: of a long one, a sentence is not."""
    ends = {row["first"]: row["last"] for row in rows}
    said = sum(last - first for first, last in ends.items())
    return said > policy.outdated_share * rows[0]["chars"]


def _widest(rows: Iterable[Row]) -> list[Replacement]:
    order = sorted(rows, key=lambda row: row["first"] - row["last"])
    found = {
        row["id"]: Replacement(
            row["id"], row["content"], row["category"], row["since"], row["source"]
        )
        for row in order
    }
    return list(found.values())
