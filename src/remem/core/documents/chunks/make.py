"""The chunks of a reading, whatever its text takes to be cut."""

from uuid import UUID

from remem.core.analysis import analyse
from remem.core.chunking.windows import windows
from remem.core.documents.chunks.cut import cut, plain_chunk
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.ports import Ports


async def chunks_of(ports: Ports, document_id: UUID, reading: ParsedDocument) -> list[Chunk]:
    """Cut where the text has its joints; at a fixed length when that takes too long to find."""
    chunks = await analyse(ports, None, cut, document_id, reading)
    if chunks is not None:
        return chunks
    pieces = enumerate(windows(reading.content))
    return [plain_chunk(document_id, index, piece) for index, piece in pieces]
