"""The chunks of a parsed document, even when cutting it takes too long."""

from uuid import UUID

from remem.core.analysis import analyse
from remem.core.chunking.windows import windows
from remem.core.documents.chunks.cut import cut, plain_chunk
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.ports import Ports


async def make_chunks(ports: Ports, document_id: UUID, parsed: ParsedDocument) -> list[Chunk]:
    """Cut at the natural boundaries of the text, or at a fixed length when finding them takes too
    long."""
    chunks = await analyse(ports, None, cut, document_id, parsed)
    if chunks is not None:
        return chunks
    pieces = enumerate(windows(parsed.content))
    return [plain_chunk(document_id, index, piece) for index, piece in pieces]
