"""Move a tenant's vectors to another embedding model of this machine, a bounded part at a time.

Searches and saves use the old model until everything has a vector of the new one; then both change
at once. What a part did is kept, so that a process that dies loses a few vectors at most."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from remem.core.documents.to_move import chunks_to_move, lock_chunks, mark_chunks
from remem.core.embedding import embed_each
from remem.core.errors import Unavailable, WorkRemains
from remem.core.evaluation.guard import check_switch
from remem.core.events.record import record
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.memories.to_move import lock_memories, mark_memories, memories_to_move
from remem.core.ports import Embedder, LocalModels, Point, Ports, Vector
from remem.core.projects.manage import block_writes
from remem.core.scope import Scope
from remem.core.text import content_hash
from remem.core.transaction import Tx
from remem.core.upkeep import upkeep_store
from remem.core.vector_models import state as vector_models
from remem.core.vector_models.model import EmbeddedText, VectorModel

# How long one part takes before other jobs have their turn.
PART_S = 10.0
# Texts read at once, and vectors stored while a project is locked.
READ_BATCH, STORE_BATCH, REMOVE_BATCH = 64, 8, 500
# How long the switch waits for saves that are about to end.
SWITCH_WAIT_MS = 1_000
# After each batch the job rests as long as it worked, but not longer than this: searches need the
# processors more.
LONGEST_REST_S = 2.0


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    to_move: Callable[[Tx, str, UUID | None, int], Awaitable[list[EmbeddedText]]]
    lock: Callable[[Tx, UUID, str, Sequence[EmbeddedText]], Awaitable[set[UUID]]]
    mark: Callable[[Tx, str, Sequence[tuple[UUID, str | None]]], Awaitable[None]]


_KINDS = (
    _Kind(CHUNK, chunks_to_move, lock_chunks, mark_chunks),
    _Kind(MEMORY, memories_to_move, lock_memories, mark_memories),
)


async def move_to_model(ports: Ports, scope: Scope, known: VectorModel, ends_at: float) -> None:
    """Embed everything with the new model, then switch to it. Raises WorkRemains when the time of
    one part is over."""
    embedder = _require_target(ports, known)
    while True:
        for kind in _KINDS:
            await _move_kind(ports, scope, kind, embedder, ends_at)
        await check_switch(ports, scope, embedder.model)
        if await _switch(ports, scope, known, embedder.model):
            return
        if time.monotonic() >= ends_at:
            raise WorkRemains


async def remove_other_models(ports: Ports, scope: Scope, known: VectorModel) -> None:
    """Remove the vectors that the tenant's searches no longer use."""
    assert isinstance(ports.embedder, LocalModels)
    others = [model for model in ports.embedder.local_models if model != known.model]
    removed = REMOVE_BATCH
    while removed == REMOVE_BATCH:
        async with ports.db.transaction(scope) as tx:
            removed = await ports.vectors.remove_models(tx, others, REMOVE_BATCH)


def _require_target(ports: Ports, known: VectorModel) -> Embedder:
    models, target = ports.embedder, known.moving_to or known.model
    embedder = models.open_model(target) if isinstance(models, LocalModels) else None
    if embedder is None:
        raise Unavailable(
            f"This process has no model {target}; a server that has it goes on with the move."
        )
    return embedder


async def _move_kind(
    ports: Ports, scope: Scope, kind: _Kind, embedder: Embedder, ends_at: float
) -> None:
    after: UUID | None = None
    while True:
        began = time.monotonic()
        async with ports.db.transaction(scope) as tx:
            texts = await kind.to_move(tx, embedder.model, after, READ_BATCH)
        if not texts:
            return
        await _move_texts(ports, scope, kind, embedder, texts)
        after = texts[-1].id
        if time.monotonic() >= ends_at:
            raise WorkRemains
        await asyncio.sleep(min(time.monotonic() - began, LONGEST_REST_S))


async def _move_texts(
    ports: Ports, scope: Scope, kind: _Kind, embedder: Embedder, texts: Sequence[EmbeddedText]
) -> None:
    embedded = await embed_each(embedder, [text.text for text in texts])
    vectors = {texts[place].id: vector for place, vector in embedded.vectors.items()}
    by_project = sorted(texts, key=attrgetter("project_id"))
    for project_id, group in groupby(by_project, key=attrgetter("project_id")):
        in_project = list(group)
        for start in range(0, len(in_project), STORE_BATCH):
            batch = in_project[start : start + STORE_BATCH]
            async with ports.db.transaction(scope, turn=project_id) as tx:
                await block_writes(tx, project_id)
                unchanged = await kind.lock(tx, project_id, embedder.model, batch)
                moved = [text for text in batch if text.id in unchanged]
                await _store(ports, tx, kind, embedder.model, moved, vectors)


async def _store(
    ports: Ports,
    tx: Tx,
    kind: _Kind,
    model: str,
    texts: Sequence[EmbeddedText],
    vectors: Mapping[UUID, Vector],
) -> None:
    """Store the vectors, and record which texts the model refused."""
    points = [
        Point(kind.name, text.id, text.project_id, vectors[text.id])
        for text in texts
        if text.id in vectors
    ]
    await ports.vectors.put(tx, model, points)
    hashes = [(text.id, content_hash(text.text) if text.id in vectors else None) for text in texts]
    if hashes:
        await kind.mark(tx, model, hashes)


async def _switch(ports: Ports, scope: Scope, known: VectorModel, model: str) -> bool:
    """Search and save with the new model from now on. False when a text was saved with the old one
    meanwhile."""
    # Until this moment only the job writes vectors of the new model.
    while ports.vector_copy and await ports.vector_copy.catch_up(scope):
        continue
    try:
        async with ports.db.transaction(scope) as tx:
            current = await vector_models.lock(tx, SWITCH_WAIT_MS)
            if current != known:
                # Somebody chose another model; the next part of the job follows.
                raise WorkRemains
            if await upkeep_store.has_texts_to_move(tx, model):
                return False
            await vector_models.switch(tx)
            data = {"from": known.model, "model": model}
            await record(tx, "tenant", scope.tenant_id, "vectors_moved", data)
    except Unavailable:
        return False
    return True
