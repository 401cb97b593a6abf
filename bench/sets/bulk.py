"""Fills a large store quickly: chunks of random sentences, inserted into the tables directly."""

import random
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import numpy as np

from remem.adapters.embedding.local import LocalEmbedder
from remem.core.language.tokens import terms
from remem.core.language.word_keys import text_keys
from remem.core.time import new_id
from sets.model import Talk

SENTENCES = 4_000
SENTENCES_IN_CHUNK = (3, 7)
CHUNKS_A_DOCUMENT = 4
BATCH = 5_000
_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Home:
    """The tenant, user and project that the rows belong to."""

    tenant_id: UUID
    user_id: UUID
    project_id: UUID


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    vector: np.ndarray
    speaker: str | None = None


async def sentences_of(talks: Sequence[Talk], embedder: LocalEmbedder) -> list[Sentence]:
    """Real sentences with their vectors. The vector of a chunk is the mean of its sentences."""
    turns = [turn for talk in talks for session in talk.sessions for turn in session.turns]
    speakers = {part.strip(): turn.speaker for turn in turns for part in _END.split(turn.text)}
    texts = sorted(text for text in speakers if 30 <= len(text) <= 200)
    chosen = random.Random(3).sample(texts, min(SENTENCES, len(texts)))
    vectors = await embedder.embed(chosen)
    return [
        Sentence(text, vector, speakers[text]) for text, vector in zip(chosen, vectors, strict=True)
    ]


@asynccontextmanager
async def unindexed(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Drop the vector index and build it after loading: row by row takes many times longer."""
    name = "embeddings_near_384"
    index = await connection.fetchval("SELECT indexdef FROM pg_indexes WHERE indexname = $1", name)
    assert index, f"no index {name}"
    await connection.execute(f"DROP INDEX {name}")
    yield
    await connection.execute("SET maintenance_work_mem = '2GB'")
    await connection.execute(index)
    await connection.execute("VACUUM ANALYZE")


@dataclass(slots=True)
class Writer:
    """Writes chunks and memories with all of their index rows, as saving them would."""

    connection: asyncpg.Connection
    sentences: Sequence[Sentence]
    model: str
    dice: random.Random

    async def fill(self, home: Home, kind: str, count: int) -> None:
        await self.connection.execute(
            "SELECT set_config('remem.tenant_id', $1, false)", str(home.tenant_id)
        )
        for start in range(0, count, BATCH):
            await self._write(home, kind, min(BATCH, count - start))

    async def _write(self, home: Home, kind: str, count: int) -> None:
        items = [self._random_item() for _ in range(count)]
        await (self._documents if kind == "chunk" else self._memories)(home, items)
        counted = [(id, terms(text), text_keys(text)) for id, text, _ in items]
        postings = [
            (id, term, tf, counts.total())
            for id, counts, keys in counted
            for term, tf in (counts | keys).items()
        ]
        await self.connection.execute(
            "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
            " SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::text[], $6::smallint[], $7::int[])",
            home.tenant_id, kind, home.project_id, *map(list, zip(*postings, strict=True)),
        )  # fmt: skip
        length = sum(counts.total() for _, counts, _ in counted)
        await self.connection.execute(
            "INSERT INTO text_totals AS t (tenant_id, project_id, owner_kind, texts, terms)"
            " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, project_id, owner_kind)"
            " DO UPDATE SET texts = t.texts + $4, terms = t.terms + $5",
            home.tenant_id, home.project_id, kind, count, length,
        )  # fmt: skip
        await self.connection.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, $2, $3, $4, $5, $6::text::halfvec)",
            [
                (home.tenant_id, kind, id, home.project_id, self.model, vector_literal(vector))
                for id, _, vector in items
            ],
        )

    def _random_item(self) -> tuple[UUID, str, np.ndarray]:
        parts = self.dice.choices(self.sentences, k=self.dice.randint(*SENTENCES_IN_CHUNK))
        vector = np.mean([part.vector for part in parts], axis=0)
        vector += np.random.default_rng(self.dice.randrange(2**32)).normal(0, 0.005, len(vector))
        return new_id(), " ".join(part.text for part in parts), vector / np.linalg.norm(vector)

    async def _documents(self, home: Home, items: Sequence[tuple[UUID, str, np.ndarray]]) -> None:
        groups = [items[n : n + CHUNKS_A_DOCUMENT] for n in range(0, len(items), CHUNKS_A_DOCUMENT)]
        documents = [(new_id(), group) for group in groups]
        await self._insert(
            "documents",
            "tenant_id id project_id user_id title content content_type tags content_hash"
            " root_id status created_at",
            (
                (
                    home.tenant_id, id, home.project_id, home.user_id, group[0][1][:60],
                    "\n".join(text for _, text, _ in group), "text",
                    [self._tag()], str(id), id, "done", self._random_time(),
                )
                for id, group in documents
            ),
        )  # fmt: skip
        await self._insert(
            "chunks",
            "tenant_id id document_id project_id content chunk_index start_offset end_offset"
            " embedded_with speaker",
            (
                (
                    home.tenant_id, id, document, home.project_id, text, n, 0, len(text),
                    self.model, self.dice.choice(self.sentences).speaker,
                )
                for document, group in documents
                for n, (id, text, _) in enumerate(group)
            ),
        )  # fmt: skip

    async def _memories(self, home: Home, items: Sequence[tuple[UUID, str, np.ndarray]]) -> None:
        await self._insert(
            "memories",
            "tenant_id id project_id user_id content content_hash root_id embedded_with created_at",
            (
                (
                    home.tenant_id,
                    id,
                    home.project_id,
                    home.user_id,
                    text,
                    str(id),
                    id,
                    self.model,
                    self._random_time(),
                )
                for id, text, _ in items
            ),
        )

    def _tag(self) -> str:
        """A tag for filters: 50 % `common`, 10 % `some`, 1 % `rare`, and `-` for the rest."""
        roll = self.dice.random()
        return (
            "rare" if roll < 0.01 else "some" if roll < 0.11 else "common" if roll < 0.61 else "-"
        )

    def _random_time(self) -> datetime:
        return datetime.now(UTC) - timedelta(days=self.dice.random() * 700)

    async def _insert(self, table: str, columns: str, rows: Iterator[tuple[object, ...]]) -> None:
        names = columns.split()
        places = ", ".join(f"${n}" for n in range(1, len(names) + 1))
        await self.connection.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows
        )


def vector_literal(vector: np.ndarray) -> str:
    return "[" + ",".join(f"{value:.5g}" for value in vector) + "]"
