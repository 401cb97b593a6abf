"""Keep the text index in step with the text, in the same transaction."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from remem.core.db import Tx
from remem.core.index import store
from remem.core.language.tokens import terms
from remem.core.ports import Ports
from remem.core.scope import Scope

_TF_MAX = 32_767
_BATCH = 100

Posting: TypeAlias = tuple[UUID, str, int, int]


@dataclass(frozen=True, slots=True)
class Text:
    """What is found, and the words it is found by."""

    id: UUID
    words: str


async def index_texts(
    tx: Tx, scope: Scope, kind: str, project_id: UUID, texts: Sequence[Text]
) -> None:
    """A text without words leaves no posting, so that it is not counted here nor when it goes."""
    count = length = 0
    for some in _batched(texts):
        # Counting words is work; in a thread it leaves the server free to answer others.
        postings, lengths = await asyncio.to_thread(_postings, some)
        if postings:
            await store.insert(tx, scope, kind, project_id, postings)
        count += len(lengths)
        length += sum(lengths)
    if count:
        await store.add_totals(tx, scope, kind, project_id, count, length)


def _batched(texts: Sequence[Text]) -> Iterator[Sequence[Text]]:
    for start in range(0, len(texts), _BATCH):
        yield texts[start : start + _BATCH]


def _postings(texts: Sequence[Text]) -> tuple[list[Posting], list[int]]:
    """The postings of each text that has words, and how many words it has."""
    found = {text.id: terms(text.words) for text in texts}
    lengths = {id: counts.total() for id, counts in found.items() if counts}
    postings = [
        (id, term, min(tf, _TF_MAX), length)
        for id, length in lengths.items()
        for term, tf in found[id].items()
    ]
    return postings, list(lengths.values())


async def unindex(
    ports: Ports, tx: Tx, scope: Scope, kind: str, project_id: UUID, ids: Sequence[UUID]
) -> None:
    """Take things out of search by word and by meaning."""
    if not ids:
        return
    texts, length = await store.delete(tx, scope, ids)
    await ports.vectors.remove(tx, scope, kind, ids)
    await store.add_totals(tx, scope, kind, project_id, -texts, -length)


async def move(
    ports: Ports, tx: Tx, scope: Scope, kind: str, ids: Sequence[UUID], to: tuple[UUID, UUID]
) -> None:
    """Let things be found in another project: `to` is (from, to)."""
    texts, length = await store.move(tx, scope, ids, to[1])
    await ports.vectors.move(tx, scope, kind, ids, to[1])
    await store.add_totals(tx, scope, kind, to[0], -texts, -length)
    await store.add_totals(tx, scope, kind, to[1], texts, length)


async def reindex_texts(
    tx: Tx, scope: Scope, kind: str, project_id: UUID, texts: Sequence[Text]
) -> None:
    """Find the same things by other words."""
    gone, length = await store.delete(tx, scope, [text.id for text in texts])
    await store.add_totals(tx, scope, kind, project_id, -gone, -length)
    await index_texts(tx, scope, kind, project_id, texts)


async def unindex_project(ports: Ports, tx: Tx, scope: Scope, project_id: UUID) -> None:
    await store.delete_project(tx, scope, project_id)
    await ports.vectors.remove_project(tx, scope, project_id)
