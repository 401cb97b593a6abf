"""The chunks of a reading, whatever its text takes to be cut."""

from uuid import UUID

from remem.core.analysis import analyse
from remem.core.chunking.model import Piece
from remem.core.chunking.windows import windows
from remem.core.documents.cut import cut
from remem.core.documents.model import Chunk, ParsedDocument
from remem.core.ports import Ports
from remem.core.time import new_id


async def chunks_of(ports: Ports, document_id: UUID, reading: ParsedDocument) -> list[Chunk]:
    """Cut where the text has its joints; at a fixed length when that takes too long to find."""
    chunks = await analyse(ports, None, cut, document_id, reading)
    if chunks is not None:
        return chunks
    pieces = enumerate(windows(reading.content))
    return [_plain_chunk(document_id, index, piece) for index, piece in pieces]


def _plain_chunk(document_id: UUID, index: int, piece: Piece) -> Chunk:
    return Chunk(
        id=new_id(),
        document_id=document_id,
        content=piece.content,
        chunk_index=index,
        start_offset=piece.start,
        end_offset=piece.end,
        page=None,
        at_s=None,
        heading_path=[],
    )
