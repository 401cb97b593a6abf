"""The third step of a save: prepare chunks and vectors before the transaction starts."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

import structlog

from remem.core.chunking.split import estimate_tokens
from remem.core.documents.chunks.cut import Header, header_of, text_to_embed
from remem.core.documents.chunks.make import make_chunks
from remem.core.documents.distil import may_have_statements
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.documents.receive import ReceivedDraft
from remem.core.embedding import embed_with_timeout
from remem.core.errors import Unavailable
from remem.core.ports import Embedder, Ports, Vector
from remem.core.scope import Scope
from remem.core.vector_models.current import embedder_for

# Text up to this size is made searchable before the reply; more would keep the caller waiting.
INLINE_TOKENS = 4_000

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A parsed document with its chunks and vectors; without them when a job makes them."""

    parsed: ParsedDocument
    chunks: tuple[Chunk, ...] = ()
    embedded: tuple[tuple[Chunk, Vector], ...] = ()
    # The model that made the vectors.
    model: str | None = None
    has_statements: bool = False

    @property
    def status(self) -> str:
        if not self.chunks:
            return "queued"
        return "done" if self.embedded else "embedding"


async def prepare(
    ports: Ports, scope: Scope, received: ReceivedDraft, parsed: ParsedDocument
) -> PreparedDocument:
    if not _is_inline(received, parsed):
        return PreparedDocument(parsed)
    chunks = await make_chunks(ports, received.id, parsed)
    embedder = await embedder_for(ports, scope)
    embedded, has_statements = await asyncio.gather(
        _embed_if_possible(embedder, received.id, header_of(parsed), chunks),
        may_have_statements(ports, parsed, chunks),
    )
    return PreparedDocument(
        parsed, tuple(chunks), tuple(embedded), embedder.model, has_statements=has_statements
    )


def _is_inline(received: ReceivedDraft, parsed: ParsedDocument) -> bool:
    """Whether to make the document searchable now. A file was only read now if it is small."""
    if received.blob:
        return True
    return not received.draft.in_background and estimate_tokens(parsed.content) <= INLINE_TOKENS


async def _embed_if_possible(
    embedder: Embedder, id: UUID, header: Header, chunks: list[Chunk]
) -> list[tuple[Chunk, Vector]]:
    """The chunks with their vectors. Empty when the model does not answer or refuses a chunk: a
    job embeds them later."""
    try:
        texts = [text_to_embed(header, chunk) for chunk in chunks]
        return list(zip(chunks, await embed_with_timeout(embedder, texts), strict=True))
    except Unavailable as error:
        log.warning("embedding_postponed", document=str(id), error=error.code)
        return []
