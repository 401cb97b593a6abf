"""Index memories that were imported as rows."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from remem.core.index.kinds import MEMORY
from remem.core.index.write import Text, add_keys, index_texts
from remem.core.jobs.enqueue import enqueue
from remem.core.memories import memory_store
from remem.core.memories.index_memory import EMBED_JOB, embedding_text, search_text, store_vector
from remem.core.memories.model import Memory
from remem.core.ports import ModelVector, Ports, Vector
from remem.core.projects.manage import lock_projects
from remem.core.text import content_hash
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_names


async def index_memories(tx: Tx, ids: Sequence[UUID]) -> None:
    """Add the shown memories to the word index."""
    texts: dict[UUID, list[Text]] = defaultdict(list)
    for memory in await _shown(tx, ids):
        texts[memory.project_id].append(search_text(memory))
    for project_id in sorted(texts):
        await index_texts(tx, MEMORY, project_id, texts[project_id])


async def add_keys_of_memories(tx: Tx, ids: Sequence[UUID]) -> None:
    """Index what an older version did not index of these memories; call it before locking anything
    else."""
    project_ids = {memory.project_id for memory in await _shown(tx, ids)}
    await lock_projects(tx, (), project_ids)
    texts: dict[UUID, list[Text]] = defaultdict(list)
    for memory in await _shown(tx, ids):
        if memory.project_id in project_ids:
            texts[memory.project_id].append(search_text(memory))
    for project_id, of_project in texts.items():
        await add_keys(tx, MEMORY, project_id, of_project)


async def keep_memory_vectors(
    ports: Ports, tx: Tx, model: str, vectors: Mapping[UUID, tuple[str, Vector]]
) -> int:
    """Store the imported vectors whose text is unchanged, by its hash; returns how many."""
    count = 0
    for memory in await _shown(tx, list(vectors)):
        hash, vector = vectors[memory.id]
        if hash == content_hash(embedding_text(memory)):
            count += await store_vector(ports, tx, memory, ModelVector(model, vector))
    return count


async def settle(ports: Ports, tx: Tx, ids: Sequence[UUID]) -> None:
    """Queue embedding for the memories without a vector."""
    names = await current_names(ports, tx)
    for memory in await _shown(tx, ids):
        if memory.embedded_with not in names:
            await enqueue(ports, tx, EMBED_JOB, memory.id)


async def _shown(tx: Tx, ids: Sequence[UUID]) -> list[Memory]:
    return [memory for memory in await memory_store.find_many(tx, ids) if memory.is_shown]
