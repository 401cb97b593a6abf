"""What was replaced since, by the memories as they are now: chunks, and memories themselves."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.memories.model import Memory
from remem.core.ports import Ports
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
    rows = await store.replaced(tx, scope, set(documents.values()))
    old = [row for row in rows if row["chunk_id"] in documents]
    by_chunk: dict[UUID, list[_Pair]] = {}
    for pair in await _pairs(tx, scope, old) if old else ():
        by_chunk.setdefault(pair.old["chunk_id"], []).append(pair)
    return {
        id: _widest(pairs)
        for id, pairs in by_chunk.items()
        if is_outdated([dict(pair.old) for pair in pairs], policy)
    }


async def replacements_of(
    ports: Ports, scope: Scope, memories: Sequence[Memory]
) -> dict[UUID, Replacement]:
    """What is valid instead of each of these memories that was replaced, or merged into another."""
    old = {memory.id: memory.root_id for memory in memories if not memory.is_current}
    if not old:
        return {}
    async with ports.db.transaction(scope) as tx:
        newer = await _newer(tx, scope, old)
        rest = [id for id in old if id not in newer]
        merged = await store.merged_chains(tx, scope, rest) if rest else {}
        if merged:
            newer |= await _newer(tx, scope, merged)
    return {id: _replacement(row) for id, row in newer.items()}


class _Pair(NamedTuple):
    old: Row
    newer: Row


async def _pairs(tx: Tx, scope: Scope, old: Sequence[Row]) -> list[_Pair]:
    newer = await _newer(tx, scope, {row["id"]: row["root_id"] for row in old})
    found = [(row, newer.get(row["id"])) for row in old]
    return [_Pair(row, by) for row, by in found if by and _is_another(row, by)]


async def _newer(tx: Tx, scope: Scope, roots: Mapping[UUID, UUID]) -> dict[UUID, Row]:
    """The current memory for each one, by its `roots`: that of its own chain, or else of the chain
    that replaces it by a link."""
    current = await store.current_of(tx, scope, set(roots.values()))
    ended = {id for id, root in roots.items() if root not in current}
    chains = await store.replacing_chains(tx, scope, ended) if ended else {}
    if chains:
        current |= await store.current_of(tx, scope, set(chains.values()))
    found = {id: current.get(chains.get(id, root)) for id, root in roots.items()}
    return {id: row for id, row in found.items() if row}


def _is_another(old: Row, newer: Row) -> bool:
    """A memory that was changed by hand, or restored, still stands beside its chunk."""
    says_same = newer["content_hash"] == old["content_hash"]
    is_there = newer["source"] == old["chunk_id"]
    return newer["project_id"] == old["project_id"] and not says_same and not is_there


def is_outdated(replaced: Sequence[Mapping[str, Any]], policy: Policy = POLICY) -> bool:
    """Whether what was replaced is most of the chunk: of a long one, a sentence is not."""
    ends = {one["first"]: one["last"] for one in replaced}
    said = sum(last - first for first, last in ends.items())
    return said > policy.outdated_share * replaced[0]["chars"]


def _widest(pairs: Iterable[_Pair]) -> list[Replacement]:
    order = sorted(pairs, key=lambda pair: pair.old["first"] - pair.old["last"])
    newer = {by["id"]: by for _, by in order}
    return [_replacement(by) for by in newer.values()]


def _replacement(row: Row) -> Replacement:
    return Replacement(row["id"], row["content"], row["category"], row["since"], row["source"])
