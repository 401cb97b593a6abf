"""Duplicates: memories and documents that another one of their project repeats."""

from uuid import UUID

from remem.core.analysis import analyse_each
from remem.core.checkup import duplicate_store
from remem.core.checkup.model import COUNT_LIMIT, FindingItem
from remem.core.checkup.same_text import is_same_text
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.transaction import Tx

# Pairs of documents that are compared, and how much of each.
_PAIRS_LIMIT, _COMPARED_CHARS = 500, 20_000
_SHOWN_CHARS = 300


async def find_duplicates(ports: Ports, scope: Scope) -> list[FindingItem]:
    """At most one more than are counted, in the order of their keys."""
    async with ports.db.transaction(scope) as tx:
        memory_pairs = await duplicate_store.same_memories(tx, COUNT_LIMIT + 1)
        items = await _items(tx, "memory", memory_pairs)
        candidates = await duplicate_store.similar_documents(tx, _PAIRS_LIMIT)
        ids = list({id for pair in candidates for id in pair})
        rows = await duplicate_store.texts(tx, "documents", ids, _COMPARED_CHARS)
    texts = {row["id"]: row for row in rows}
    pairs = [pair for pair in candidates if pair[0] in texts and pair[1] in texts]
    calls = [(texts[a]["content"], texts[b]["content"]) for a, b in pairs]
    verdicts = await analyse_each(ports, False, is_same_text, calls)
    same = [pair for pair, is_same in zip(pairs, verdicts, strict=True) if is_same]
    kept: dict[UUID, UUID] = {}
    for first, second in same:
        # What a connection keeps up to date stays, and otherwise the older one.
        older, newer = sorted(
            (first, second),
            key=lambda id: (
                not texts[id]["source"].startswith("connection:"),
                texts[id]["created_at"],
                id,
            ),
        )
        kept.setdefault(newer, older)
    async with ports.db.transaction(scope) as tx:
        items += await _items(tx, "document", list(kept.items()))
    return sorted(items, key=lambda item: item.key)[: COUNT_LIMIT + 1]


async def _items(tx: Tx, subject: str, pairs: list[tuple[UUID, UUID]]) -> list[FindingItem]:
    table = {"memory": "memories", "document": "documents"}[subject]
    ids = list({id for pair in pairs for id in pair})
    rows = {row["id"]: row for row in await duplicate_store.texts(tx, table, ids, _SHOWN_CHARS)}
    return [
        FindingItem(
            key=f"{copy}:{kept}",
            subject="memory" if subject == "memory" else "document",
            id=str(copy),
            text=_shown(rows[copy]),
            detail=f"Repeats: {_shown(rows[kept])}",
            other_id=str(kept),
            at=rows[copy]["created_at"],
        )
        for copy, kept in pairs
        if copy in rows and kept in rows
    ]


def _shown(row: duplicate_store.Row) -> str:
    return row["title"] or shorten(" ".join(row["content"].split()), 200)
