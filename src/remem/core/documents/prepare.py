"""The second step of a save: chunks and vectors, made before the transaction."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

import structlog

from remem.core.chunking.split import estimate_tokens
from remem.core.documents.chunks.cut import meaning_of
from remem.core.documents.chunks.make import chunks_of
from remem.core.documents.distil import promises
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.documents.receive import ReceivedDraft
from remem.core.embedding import embed_soon
from remem.core.errors import Unavailable
from remem.core.ports import Ports, Vector

# Text up to this size is made findable before the reply; more would keep the caller waiting.
INLINE_TOKENS = 4_000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A reading with all that makes it findable, or with nothing when that is left to a job."""

    reading: ParsedDocument
    chunks: tuple[Chunk, ...] = ()
    embedded: tuple[tuple[Chunk, Vector], ...] = ()
    has_statements: bool = False

    @property
    def status(self) -> str:
        if not self.chunks:
            return "queued"
        return "done" if self.embedded else "embedding"


async def prepare(
    ports: Ports, arrival: ReceivedDraft, reading: ParsedDocument
) -> PreparedDocument:
    if not _is_inline(arrival, reading):
        return PreparedDocument(reading)
    chunks = await chunks_of(ports, arrival.id, reading)
    embedded, has_statements = await asyncio.gather(
        _embed_if_possible(ports, arrival.id, reading.title, chunks),
        promises(ports, reading, chunks),
    )
    return PreparedDocument(reading, tuple(chunks), tuple(embedded), has_statements)


def _is_inline(arrival: ReceivedDraft, reading: ParsedDocument) -> bool:
    """A file that was read now is small; a text is measured."""
    if arrival.blob:
        return True
    return not arrival.draft.in_background and estimate_tokens(reading.content) <= INLINE_TOKENS


async def _embed_if_possible(
    ports: Ports, id: UUID, title: str, chunks: list[Chunk]
) -> list[tuple[Chunk, Vector]]:
    """Nothing when the model does not answer, or refuses a chunk: a job does it later."""
    try:
        texts = [meaning_of(title, chunk) for chunk in chunks]
        return list(zip(chunks, await embed_soon(ports.embedder, texts), strict=True))
    except Unavailable as error:
        log.warning("embedding_postponed", document=str(id), error=error.code)
        return []
