"""Find what replaced chunks and memories, as the memories are now."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Replacement
from remem.core.search.policy import POLICY, Policy
from remem.core.transaction import Row, Tx

ReplacementsByChunk: TypeAlias = Mapping[UUID, Sequence[Replacement]]


async def replacements(
    tx: Tx, documents: Mapping[UUID, UUID], policy: Policy = POLICY
) -> ReplacementsByChunk:
    """What replaces most of each of these chunks, widest first. `documents` maps each chunk to its
    document."""
    if not documents:
        return {}
    rows = await store.replaced_statements(tx, set(documents.values()))
    old = [row for row in rows if row["chunk_id"] in documents]
    by_chunk: dict[UUID, list[_Pair]] = {}
    for pair in await _pairs(tx, old) if old else ():
        by_chunk.setdefault(pair.old["chunk_id"], []).append(pair)
    return {
        id: _widest_first(pairs)
        for id, pairs in by_chunk.items()
        if is_outdated([dict(pair.old) for pair in pairs], policy)
    }


async def replacements_of(
    ports: Ports, scope: Scope, memories: Sequence[Memory]
) -> dict[UUID, Replacement]:
    """What is now valid in place of each of these memories that was replaced or merged."""
    old = {memory.id: memory.root_id for memory in memories if not memory.is_current}
    if not old:
        return {}
    async with ports.db.transaction(scope) as tx:
        newer = await _current_versions(tx, old)
        unresolved = [id for id in old if id not in newer]
        merged = await store.merged_chains(tx, unresolved) if unresolved else {}
        if merged:
            newer |= await _current_versions(tx, merged)
    return {id: _replacement(row) for id, row in newer.items()}


class _Pair(NamedTuple):
    old: Row
    newer: Row


async def _pairs(tx: Tx, old: Sequence[Row]) -> list[_Pair]:
    newer = await _current_versions(tx, {row["id"]: row["root_id"] for row in old})
    pairs = [(row, newer.get(row["id"])) for row in old]
    return [
        _Pair(row, current) for row, current in pairs if current and _is_replacement(row, current)
    ]


async def _current_versions(tx: Tx, roots: Mapping[UUID, UUID]) -> dict[UUID, Row]:
    """The current memory for each id of `roots`: that of its own chain, or else of the chain that
    replaced it by a link."""
    current = await store.current_in_chains(tx, set(roots.values()))
    ended = {id for id, root in roots.items() if root not in current}
    chains = await store.replacing_chains(tx, ended) if ended else {}
    if chains:
        current |= await store.current_in_chains(tx, set(chains.values()))
    versions = {id: current.get(chains.get(id, root)) for id, root in roots.items()}
    return {id: row for id, row in versions.items() if row}


def _is_replacement(old: Row, newer: Row) -> bool:
    """Whether a current memory replaces the chunk: not if it says the same, or if it was edited or
    restored and still belongs to that chunk."""
    says_same = newer["content_hash"] == old["content_hash"]
    is_same_chunk = newer["source"] == old["chunk_id"]
    return newer["project_id"] == old["project_id"] and not says_same and not is_same_chunk


def is_outdated(replaced: Sequence[Mapping[str, Any]], policy: Policy = POLICY) -> bool:
    """Whether most of the chunk was replaced; one sentence of a long chunk is not enough."""
    ends = {statement["first"]: statement["last"] for statement in replaced}
    replaced_chars = sum(last - first for first, last in ends.items())
    return replaced_chars > policy.outdated_share * replaced[0]["chars"]


def _widest_first(pairs: Iterable[_Pair]) -> list[Replacement]:
    order = sorted(pairs, key=lambda pair: pair.old["first"] - pair.old["last"])
    newer = {row["id"]: row for _, row in order}
    return [_replacement(row) for row in newer.values()]


def _replacement(row: Row) -> Replacement:
    return Replacement(row["id"], row["content"], row["category"], row["since"], row["source"])
