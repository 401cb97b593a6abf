"""A large store made quickly: sentences of the sets, shuffled into chunks, put into the tables."""

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
from remem.core.time import new_id
from sets.model import Talk

SENTENCES = 4_000
IN_CHUNK = (3, 7)
CHUNKS_A_DOCUMENT = 4
BATCH = 5_000
_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Home:
    """Whose rows they are."""

    tenant_id: UUID
    user_id: UUID
    project_id: UUID


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    vector: np.ndarray
    speaker: str | None = None


async def sentences_of(talks: Sequence[Talk], embedder: LocalEmbedder) -> list[Sentence]:
    """Real sentences with their real vectors; a chunk's vector is the mean of its sentences'."""
    turns = [turn for talk in talks for session in talk.sessions for turn in session.turns]
    found = {part.strip(): turn.speaker for turn in turns for part in _END.split(turn.text)}
    texts = sorted(text for text in found if 30 <= len(text) <= 200)
    chosen = random.Random(3).sample(texts, min(SENTENCES, len(texts)))
    vectors = await embedder.embed(chosen)
    return [
        Sentence(text, vector, found[text]) for text, vector in zip(chosen, vectors, strict=True)
    ]


@asynccontextmanager
async def unindexed(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """The vectors' index is built when all is there: row by row it takes many times longer."""
    name = "embeddings_near_384"
    index = await connection.fetchval("SELECT indexdef FROM pg_indexes WHERE indexname = $1", name)
    assert index, f"there is no {name}"
    await connection.execute(f"DROP INDEX {name}")
    yield
    await connection.execute("SET maintenance_work_mem = '2GB'")
    await connection.execute(index)
    await connection.execute("VACUUM ANALYZE")


@dataclass(slots=True)
class Writer:
    """Writes chunks with everything they are found by, as saving them would have."""

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
        made = [self._one() for _ in range(count)]
        await (self._documents if kind == "chunk" else self._memories)(home, made)
        counted = [(id, terms(text)) for id, text, _ in made]
        postings = [
            (id, term, tf, found.total()) for id, found in counted for term, tf in found.items()
        ]
        await self.connection.execute(
            "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
            " SELECT $1, $2, $3, * FROM unnest($4::uuid[], $5::text[], $6::smallint[], $7::int[])",
            home.tenant_id, kind, home.project_id, *map(list, zip(*postings, strict=True)),
        )  # fmt: skip
        length = sum(found.total() for _, found in counted)
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
                (home.tenant_id, kind, id, home.project_id, self.model, written(vector))
                for id, _, vector in made
            ],
        )

    def _one(self) -> tuple[UUID, str, np.ndarray]:
        parts = self.dice.choices(self.sentences, k=self.dice.randint(*IN_CHUNK))
        vector = np.mean([part.vector for part in parts], axis=0)
        vector += np.random.default_rng(self.dice.randrange(2**32)).normal(0, 0.005, len(vector))
        return new_id(), " ".join(part.text for part in parts), vector / np.linalg.norm(vector)

    async def _documents(self, home: Home, made: Sequence[tuple[UUID, str, np.ndarray]]) -> None:
        groups = [made[n : n + CHUNKS_A_DOCUMENT] for n in range(0, len(made), CHUNKS_A_DOCUMENT)]
        documents = [(new_id(), group) for group in groups]
        await self._insert(
            "documents",
            "tenant_id id project_id user_id title content content_type tags content_hash"
            " root_id status created_at",
            (
                (
                    home.tenant_id, id, home.project_id, home.user_id, group[0][1][:60],
                    "\n".join(text for _, text, _ in group), "text",
                    [self._tag()], str(id), id, "done", self._moment(),
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

    async def _memories(self, home: Home, made: Sequence[tuple[UUID, str, np.ndarray]]) -> None:
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
                    self._moment(),
                )
                for id, text, _ in made
            ),
        )

    def _tag(self) -> str:
        """Of ten documents five are common, one is some, and of a hundred one is rare."""
        roll = self.dice.random()
        return (
            "rare" if roll < 0.01 else "some" if roll < 0.11 else "common" if roll < 0.61 else "-"
        )

    def _moment(self) -> datetime:
        return datetime.now(UTC) - timedelta(days=self.dice.random() * 700)

    async def _insert(self, table: str, columns: str, rows: Iterator[tuple[object, ...]]) -> None:
        names = columns.split()
        places = ", ".join(f"${n}" for n in range(1, len(names) + 1))
        await self.connection.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})", rows
        )


def written(vector: np.ndarray) -> str:
    return "[" + ",".join(f"{value:.5g}" for value in vector) + "]"
