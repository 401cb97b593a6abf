"""The fields of a chunk that every reply contains."""

from typing import Any

from remem.core.documents.model import Chunk
from remem.core.search.model import Candidate


def chunk_fields(chunk: Chunk | Candidate) -> dict[str, Any]:
    """Return its text and its position in the document, as fields of a reply."""
    return {
        "content": chunk.content,
        "chunk_index": chunk.chunk_index,
        "start_offset": chunk.start_offset,
        "end_offset": chunk.end_offset,
        "page": chunk.page,
        "at_s": chunk.at_s,
        "heading_path": chunk.heading_path,
    }
