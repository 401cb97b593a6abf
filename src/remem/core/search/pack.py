"""Pack the best of what was found into as many tokens as a model has room for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.chunking.split import estimate_tokens
from remem.core.search.model import Candidate, Found, Hit


@dataclass(frozen=True, slots=True)
class Packed:
    """`text` takes at most the tokens allowed; `left_out` chunks found no room."""

    text: str
    tokens: int
    left_out: int


def pack(found: Sequence[Found], max_tokens: int) -> Packed:
    """Best chunks first into the budget; what is in stands by document, in reading order."""
    places = {one.document.document_id: place for place, one in enumerate(found, start=1)}
    hits = sorted((hit for one in found for hit in one.hits), key=lambda hit: -hit.score)
    chosen: list[Hit] = []
    for hit in hits:
        if estimate_tokens(_written([*chosen, hit], places)) <= max_tokens:
            chosen.append(hit)
    text = _written(chosen, places)
    return Packed(text, estimate_tokens(text) if text else 0, len(hits) - len(chosen))


def _written(hits: Sequence[Hit], places: Mapping[UUID, int]) -> str:
    by_document: dict[int, list[Candidate]] = {}
    for hit in hits:
        place = places[hit.candidate.document_id]
        by_document.setdefault(place, []).append(hit.candidate)
    return "\n\n".join(_document(place, by_document[place]) for place in sorted(by_document))


def _document(place: int, chunks: list[Candidate]) -> str:
    chunks.sort(key=lambda chunk: chunk.chunk_index)
    first = chunks[0]
    when = first.said_at or first.created_at
    source = f", {first.source_url}" if first.source_url else ""
    return f"[{place}] {first.title} ({when:%Y-%m-%d}{source})\n{_joined(chunks)}"


def _joined(chunks: Sequence[Candidate]) -> str:
    """Chunks that overlap or touch read on; a gap is shown."""
    text, end = chunks[0].content, chunks[0].end_offset
    for chunk in chunks[1:]:
        repeated = max(0, end - chunk.start_offset)
        apart = "" if repeated else "\n" if chunk.start_offset - end <= 2 else "\n…\n"
        text += apart + chunk.content[repeated:]
        end = max(end, chunk.end_offset)
    return text
