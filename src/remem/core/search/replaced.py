"""Which chunks say what was replaced since, by the memories as they are now."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
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


class _Pair(NamedTuple):
    old: Row
    newer: Row


async def _pairs(tx: Tx, scope: Scope, old: Sequence[Row]) -> list[_Pair]:
    """A memory replaces the last one of its own chain, and by a link those of others."""
    newer = await store.current_of(tx, scope, {row["root_id"] for row in old})
    ended = {row["id"] for row in old if row["root_id"] not in newer}
    chains = await store.replacing_chains(tx, scope, ended) if ended else {}
    if chains:
        newer |= await store.current_of(tx, scope, set(chains.values()))
    found = [(row, newer.get(chains.get(row["id"], row["root_id"]))) for row in old]
    return [_Pair(row, by) for row, by in found if by and _is_another(row, by)]


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
    return [
        Replacement(by["id"], by["content"], by["category"], by["since"], by["source"])
        for by in newer.values()
    ]
