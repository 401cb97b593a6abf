"""A store of many tenants as it is before a night: statements, near-duplicates and questions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import asyncpg
import numpy as np

from remem.adapters.embedding.local import LocalEmbedder
from remem.core.judgements import NO_CONTEXT
from remem.core.language.tokens import terms
from remem.core.memories.fingerprint import fingerprint
from remem.core.time import new_id
from sets.bulk import Home, written
from sets.statements import BLIND, FAMILIES, SEEN, shuffled_slots, values_for

# Of a hundred memories so many say again what another one says, and so many have no vector yet.
DUPLICATES, UNEMBEDDED = 5, 1
# How many statements there are to choose from: tenants share texts, and nothing else.
POOL = 3_000
SIGNALS = 12
AGE_DAYS = 120


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, one that says the same, and a question about it; with vectors."""

    text: str
    again: str
    question: str
    vector: np.ndarray
    again_vector: np.ndarray


async def make_pool(embedder: LocalEmbedder, size: int = POOL) -> list[Statement]:
    chance = random.Random(5)
    families = (*FAMILIES, *SEEN, *BLIND)
    said: list[tuple[str, str, str]] = []
    seen: set[str] = set()
    for number, slot in enumerate(shuffled_slots(chance)):
        family, values = families[number % len(families)], values_for(chance, slot)
        texts = [family[kind].format(**values) for kind in ("said", "same")]
        if not seen & set(texts):
            question = f"What is there about the {slot[1]} of {slot[0]} in {slot[2]}?"
            said.append((texts[0], texts[1], question))
            seen |= set(texts)
        if len(said) == size:
            break
    vectors = await embedder.embed([text for one in said for text in one[:2]])
    return [
        Statement(text, again, question, vectors[2 * at], vectors[2 * at + 1])
        for at, (text, again, question) in enumerate(said)
    ]


@dataclass(slots=True)
class Filler:
    """Writes memories with everything they are found by, but for what the night is to add."""

    connection: asyncpg.Connection
    pool: Sequence[Statement]
    model: str
    chance: random.Random

    async def fill(self, home: Home, count: int) -> None:
        """So many memories, a share of them near-duplicates, and signals that the arena replays."""
        await self.connection.execute(
            "SELECT set_config('remem.tenant_id', $1, false)", str(home.tenant_id)
        )
        again = count * DUPLICATES // 100
        chosen = self.chance.sample(self.pool, count - again)
        made = [(new_id(), one.text, one.vector) for one in chosen]
        made += [(new_id(), one.again, one.again_vector) for one in chosen[:again]]
        await self._memories(home, made)
        await self._texts(home, made)
        await self._vectors(home, made[count * UNEMBEDDED // 100 :])
        await self._signals(home, [(id, one) for (id, *_), one in zip(made, chosen, strict=False)])

    async def _memories(self, home: Home, made: Sequence[tuple[object, str, np.ndarray]]) -> None:
        without = len(made) * UNEMBEDDED // 100
        await self.connection.executemany(
            "INSERT INTO memories (tenant_id, id, project_id, user_id, content, content_hash,"
            " root_id, embedded_with, created_at) VALUES ($1, $2, $3, $4, $5, $6, $2, $7, $8)",
            [
                (
                    home.tenant_id, id, home.project_id, home.user_id, text,
                    fingerprint(text, NO_CONTEXT), None if at < without else self.model,
                    datetime.now(UTC) - timedelta(days=self.chance.random() * AGE_DAYS),
                )
                for at, (id, text, _) in enumerate(made)
            ],
        )  # fmt: skip

    async def _texts(self, home: Home, made: Sequence[tuple[object, str, np.ndarray]]) -> None:
        counted = [(id, terms(text)) for id, text, _ in made]
        postings = [
            (id, term, tf, found.total()) for id, found in counted for term, tf in found.items()
        ]
        await self.connection.execute(
            "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
            " SELECT $1, 'memory', $2, * FROM unnest($3::uuid[], $4::text[], $5::smallint[],"
            " $6::int[])",
            home.tenant_id, home.project_id, *map(list, zip(*postings, strict=True)),
        )  # fmt: skip
        length = sum(found.total() for _, found in counted)
        await self.connection.execute(
            "INSERT INTO text_totals AS t (tenant_id, project_id, owner_kind, texts, terms)"
            " VALUES ($1, $2, 'memory', $3, $4) ON CONFLICT (tenant_id, project_id, owner_kind)"
            " DO UPDATE SET texts = t.texts + $3, terms = t.terms + $4",
            home.tenant_id, home.project_id, len(made), length,
        )  # fmt: skip

    async def _vectors(self, home: Home, made: Sequence[tuple[object, str, np.ndarray]]) -> None:
        await self.connection.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, 'memory', $2, $3, $4, $5::text::halfvec)",
            [
                (home.tenant_id, id, home.project_id, self.model, written(vector))
                for id, _, vector in made
            ],
        )

    async def _signals(self, home: Home, made: Sequence[tuple[object, Statement]]) -> None:
        await self.connection.executemany(
            "INSERT INTO signals (tenant_id, id, project_id, user_id, type, subject_ids, query)"
            " VALUES ($1, $2, $3, $4, 'used', ARRAY[$5::uuid], $6)",
            [
                (home.tenant_id, new_id(), home.project_id, home.user_id, id, one.question)
                for id, one in made[:SIGNALS]
            ],
        )
