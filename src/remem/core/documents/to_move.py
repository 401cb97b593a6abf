"""The chunks that another embedding model has yet to embed."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.documents.chunks import chunk_store
from remem.core.documents.chunks.cut import Header, text_to_embed
from remem.core.transaction import Tx
from remem.core.vector_models.model import EmbeddedText


async def chunks_to_move(tx: Tx, model: str, after: UUID | None, limit: int) -> list[EmbeddedText]:
    """The next chunks of processed documents that have a vector, but none of this model, by id."""
    return [
        EmbeddedText(
            chunk.id,
            project_id,
            text_to_embed(Header(title, content_type=content_type), chunk),
            hash,
        )
        for chunk, title, content_type, project_id, hash in await chunk_store.to_move(
            tx, model, after, limit
        )
    ]


async def lock_chunks(
    tx: Tx, project_id: UUID, model: str, texts: Sequence[EmbeddedText]
) -> set[UUID]:
    """The chunks that were not changed since; those that somebody is changing are left out."""
    hashes = [(text.id, text.hash) for text in texts]
    return await chunk_store.lock_unchanged(tx, project_id, model, hashes)


async def mark_chunks(tx: Tx, model: str, hashes: Sequence[tuple[UUID, str | None]]) -> None:
    await chunk_store.mark_embedded(tx, model, hashes)
