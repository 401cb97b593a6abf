"""Pack the best of what was found into as many tokens as a model has room for."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.chunking.split import estimate_tokens
from remem.core.search.model import Candidate, Found, Hit

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Packed:
    """`text` takes at most the tokens allowed; `left_out` chunks found no room."""

    text: str
    tokens: int
    left_out: int


def pack(found: Sequence[Found], max_tokens: int) -> Packed:
    """Add the best hits up to the budget; order them by document, in reading order."""
    hits = [(place, hit) for place, one in enumerate(found, start=1) for hit in one.hits]
    hits.sort(key=lambda each: -each[1].score)
    chosen: dict[int, list[Hit]] = {}
    sizes: Counter[int] = Counter()
    for place, hit in hits:
        more = [*chosen.get(place, ()), hit]
        # Each document is measured by itself: to write all anew for each chunk takes seconds.
        size = estimate_tokens(_entry(place, found[place - 1], more) + _BETWEEN)
        if sizes.total() - sizes[place] + size <= max_tokens:
            chosen[place], sizes[place] = more, size
    text = _BETWEEN.join(_entry(place, found[place - 1], chosen[place]) for place in sorted(chosen))
    left_out = len(hits) - sum(map(len, chosen.values()))
    return Packed(text, estimate_tokens(text) if text else 0, left_out)


def _entry(place: int, found: Found, hits: Sequence[Hit]) -> str:
    if found.document is None:
        memory = found.hits[0].memories[0]
        when = memory.occurred_at or memory.said_at or memory.created_at
        due = f", due {memory.due_at:%Y-%m-%d}" if memory.due_at else ""
        return f"[{place}] Memory ({when:%Y-%m-%d}{due})\n{memory.content}"
    return _document(place, [hit.chunk for hit in hits if hit.chunk]) + _outdated(hits)


def _outdated(hits: Sequence[Hit]) -> str:
    """What is valid instead of what these say."""
    newer = dict.fromkeys(hit.replaced_by for hit in hits if hit.replaced_by)
    return "".join(f"\n(Outdated since {one.since:%Y-%m-%d}: {one.content})" for one in newer)


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
