"""Update the text index in the same transaction as the text."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from uuid import UUID

from remem.core.index import index_store
from remem.core.language.tokens import has_unspaced, terms
from remem.core.language.word_keys import text_keys
from remem.core.ports import Ports
from remem.core.transaction import Tx

_TF_MAX = 32_767
_BATCH = 100

Posting: TypeAlias = tuple[UUID, str, int, int]
Words: TypeAlias = tuple[list[Posting], list[int]]


@dataclass(frozen=True, slots=True)
class Text:
    """An item of the index, and the text it is searched by."""

    id: UUID
    words: str


async def count_words(texts: Sequence[Text]) -> Words:
    """The postings and lengths of texts. Counting takes CPU time; in a thread it does not block the
    event loop."""
    return await asyncio.to_thread(_postings, texts)


async def index_texts(
    tx: Tx, kind: str, project_id: UUID, texts: Sequence[Text], words: Words | None = None
) -> None:
    """Add texts to the index, with their `words` if these are counted already. A text without words
    has no postings, so it is counted neither here nor when it is deleted."""
    count = length = 0
    for batch in [texts] if words else _batches(texts):
        postings, lengths = words or await count_words(batch)
        if postings:
            await index_store.insert(tx, kind, project_id, postings)
        count += len(lengths)
        length += sum(lengths)
    if count:
        await index_store.add_totals(tx, kind, project_id, count, length)


def _batches(texts: Sequence[Text]) -> Iterator[Sequence[Text]]:
    for start in range(0, len(texts), _BATCH):
        yield texts[start : start + _BATCH]


def _postings(texts: Sequence[Text]) -> Words:
    """The postings of the texts that have words, and the number of words of each such text, without
    their keys."""
    postings, lengths = [], []
    for text in texts:
        counts = terms(text.words)
        if length := counts.total():
            lengths.append(length)
            postings += _rows(text.id, text_keys(text.words) | counts, length)
    return postings, lengths


def _rows(id: UUID, counts: Mapping[str, int], length: int) -> list[Posting]:
    return [(id, term, min(tf, _TF_MAX), length) for term, tf in counts.items()]


async def add_keys(tx: Tx, kind: str, project_id: UUID, texts: Sequence[Text]) -> None:
    """Add what an older version did not index to texts that are in the index."""
    indexed = await index_store.indexed(tx, [text.id for text in texts])
    postings = await asyncio.to_thread(_missing, [text for text in texts if text.id in indexed])
    if postings:
        await index_store.insert_missing(tx, kind, project_id, postings)


def _missing(texts: Sequence[Text]) -> list[Posting]:
    """The postings of texts that have keys, or are in a script whose terms may have changed."""
    return _postings([t for t in texts if text_keys(t.words) or has_unspaced(t.words)])[0]


async def unindex(ports: Ports, tx: Tx, kind: str, project_id: UUID, ids: Sequence[UUID]) -> None:
    """Remove items from the text index and the vector index."""
    if not ids:
        return
    texts, length = await index_store.delete(tx, ids)
    await ports.vectors.remove(tx, kind, ids)
    await index_store.add_totals(tx, kind, project_id, -texts, -length)


async def move(ports: Ports, tx: Tx, kind: str, ids: Sequence[UUID], to: tuple[UUID, UUID]) -> None:
    """Move items to another project in both indexes: `to` is (from, to)."""
    texts, length = await index_store.move(tx, ids, to[1])
    await ports.vectors.move(tx, kind, ids, to[1])
    await index_store.add_totals(tx, kind, to[0], -texts, -length)
    await index_store.add_totals(tx, kind, to[1], texts, length)


async def reindex_texts(tx: Tx, kind: str, project_id: UUID, texts: Sequence[Text]) -> None:
    """Replace the words of texts that are already indexed."""
    deleted, length = await index_store.delete(tx, [text.id for text in texts])
    await index_store.add_totals(tx, kind, project_id, -deleted, -length)
    await index_texts(tx, kind, project_id, texts)


async def unindex_project(ports: Ports, tx: Tx, project_id: UUID) -> None:
    await index_store.delete_project(tx, project_id)
    await ports.vectors.remove_project(tx, project_id)
