"""A store of many tenants before the nightly run: statements, near-duplicates and questions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import asyncpg
import numpy as np

from remem.adapters.embedding.local import LocalEmbedder
from remem.core.judgements import NO_CONTEXT
from remem.core.language.tokens import terms
from remem.core.language.word_keys import text_keys
from remem.core.memories.fingerprint import fingerprint
from remem.core.time import new_id
from sets.bulk import Home, vector_literal
from sets.statements import BLIND, FAMILIES, SEEN, shuffled_slots, values_for

# Percentages of memories: near-duplicates of another one, and those without a vector.
DUPLICATES, UNEMBEDDED = 5, 1
# The number of statements to choose from: tenants share texts, and nothing else.
POOL = 3_000
SIGNALS = 12
AGE_DAYS = 120


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, a near-duplicate of it, and a question about it; with vectors."""

    text: str
    again: str
    question: str
    vector: np.ndarray
    again_vector: np.ndarray


async def make_pool(embedder: LocalEmbedder, size: int = POOL) -> list[Statement]:
    rng = random.Random(5)
    families = (*FAMILIES, *SEEN, *BLIND)
    statements: list[tuple[str, str, str]] = []
    seen: set[str] = set()
    for number, slot in enumerate(shuffled_slots(rng)):
        family, values = families[number % len(families)], values_for(rng, slot)
        texts = [family[kind].format(**values) for kind in ("said", "same")]
        if not seen & set(texts):
            question = f"What is there about the {slot[1]} of {slot[0]} in {slot[2]}?"
            statements.append((texts[0], texts[1], question))
            seen |= set(texts)
        if len(statements) == size:
            break
    vectors = await embedder.embed([text for item in statements for text in item[:2]])
    return [
        Statement(text, again, question, vectors[2 * number], vectors[2 * number + 1])
        for number, (text, again, question) in enumerate(statements)
    ]


@dataclass(slots=True)
class Filler:
    """Writes memories with their index rows, except those that the nightly run adds."""

    connection: asyncpg.Connection
    pool: Sequence[Statement]
    model: str
    chance: random.Random

    async def fill(self, home: Home, count: int) -> None:
        """Insert `count` memories, some of them near-duplicates, and signals for the arena."""
        await self.connection.execute(
            "SELECT set_config('remem.tenant_id', $1, false)", str(home.tenant_id)
        )
        again = count * DUPLICATES // 100
        chosen = self.chance.sample(self.pool, count - again)
        items = [(new_id(), statement.text, statement.vector) for statement in chosen]
        items += [
            (new_id(), statement.again, statement.again_vector) for statement in chosen[:again]
        ]
        await self._memories(home, items)
        await self._texts(home, items)
        await self._vectors(home, items[count * UNEMBEDDED // 100 :])
        await self._signals(
            home, [(id, statement) for (id, *_), statement in zip(items, chosen, strict=False)]
        )

    async def _memories(self, home: Home, items: Sequence[tuple[object, str, np.ndarray]]) -> None:
        unembedded = len(items) * UNEMBEDDED // 100
        await self.connection.executemany(
            "INSERT INTO memories (tenant_id, id, project_id, user_id, content, content_hash,"
            " root_id, embedded_with, created_at) VALUES ($1, $2, $3, $4, $5, $6, $2, $7, $8)",
            [
                (
                    home.tenant_id, id, home.project_id, home.user_id, text,
                    fingerprint(text, NO_CONTEXT), None if number < unembedded else self.model,
                    datetime.now(UTC) - timedelta(days=self.chance.random() * AGE_DAYS),
                )
                for number, (id, text, _) in enumerate(items)
            ],
        )  # fmt: skip

    async def _texts(self, home: Home, items: Sequence[tuple[object, str, np.ndarray]]) -> None:
        counted = [(id, terms(text), text_keys(text)) for id, text, _ in items]
        postings = [
            (id, term, tf, counts.total())
            for id, counts, keys in counted
            for term, tf in (counts | keys).items()
        ]
        await self.connection.execute(
            "INSERT INTO postings (tenant_id, owner_kind, project_id, owner_id, term, tf, length)"
            " SELECT $1, 'memory', $2, * FROM unnest($3::uuid[], $4::text[], $5::smallint[],"
            " $6::int[])",
            home.tenant_id, home.project_id, *map(list, zip(*postings, strict=True)),
        )  # fmt: skip
        length = sum(counts.total() for _, counts, _ in counted)
        await self.connection.execute(
            "INSERT INTO text_totals AS t (tenant_id, project_id, owner_kind, texts, terms)"
            " VALUES ($1, $2, 'memory', $3, $4) ON CONFLICT (tenant_id, project_id, owner_kind)"
            " DO UPDATE SET texts = t.texts + $3, terms = t.terms + $4",
            home.tenant_id, home.project_id, len(items), length,
        )  # fmt: skip

    async def _vectors(self, home: Home, items: Sequence[tuple[object, str, np.ndarray]]) -> None:
        await self.connection.executemany(
            "INSERT INTO embeddings (tenant_id, owner_kind, owner_id, project_id, model, vector)"
            " VALUES ($1, 'memory', $2, $3, $4, $5::text::halfvec)",
            [
                (home.tenant_id, id, home.project_id, self.model, vector_literal(vector))
                for id, _, vector in items
            ],
        )

    async def _signals(self, home: Home, items: Sequence[tuple[object, Statement]]) -> None:
        await self.connection.executemany(
            "INSERT INTO signals (tenant_id, id, project_id, user_id, type, subject_ids, query)"
            " VALUES ($1, $2, $3, $4, 'used', ARRAY[$5::uuid], $6)",
            [
                (home.tenant_id, new_id(), home.project_id, home.user_id, id, statement.question)
                for id, statement in items[:SIGNALS]
            ],
        )
