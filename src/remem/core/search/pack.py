"""Pack the best results into the token budget of a model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.chunking.split import estimate_tokens
from remem.core.search.model import Candidate, Hit, RecallResult

_SEPARATOR = "\n\n"


@dataclass(frozen=True, slots=True)
class Packed:
    """`text` takes at most the allowed tokens; `left_out` is the number of chunks that did not
    fit."""

    text: str
    tokens: int
    left_out: int


def pack(results: Sequence[RecallResult], max_tokens: int) -> Packed:
    """Add the best hits up to the budget; order them by document, in reading order."""
    hits = [(number, hit) for number, result in enumerate(results, start=1) for hit in result.hits]
    hits.sort(key=lambda item: -item[1].score)
    chosen: dict[int, list[Hit]] = {}
    sizes: Counter[int] = Counter()
    for number, hit in hits:
        more = [*chosen.get(number, ()), hit]
        # Each document is measured separately: rendering everything again for each chunk takes
        # seconds.
        size = estimate_tokens(_entry(number, results[number - 1], more) + _SEPARATOR)
        if sizes.total() - sizes[number] + size <= max_tokens:
            chosen[number], sizes[number] = more, size
    text = _SEPARATOR.join(
        _entry(number, results[number - 1], chosen[number]) for number in sorted(chosen)
    )
    left_out = len(hits) - sum(map(len, chosen.values()))
    return Packed(text, estimate_tokens(text) if text else 0, left_out)


def _entry(number: int, result: RecallResult, hits: Sequence[Hit]) -> str:
    if result.document is None:
        memory = result.hits[0].memories[0]
        when = memory.occurred_at or memory.said_at or memory.created_at
        due = f", due {memory.due_at:%Y-%m-%d}" if memory.due_at else ""
        return f"[{number}] Memory ({when:%Y-%m-%d}{due})\n{memory.content}"
    return _document(number, [hit.chunk for hit in hits if hit.chunk]) + _outdated(hits)


def _outdated(hits: Sequence[Hit]) -> str:
    """The statements that replace these hits."""
    newer = dict.fromkeys(hit.replaced_by for hit in hits if hit.replaced_by)
    return "".join(
        f"\n(Outdated since {replacement.since:%Y-%m-%d}: {replacement.content})"
        for replacement in newer
    )


def _document(number: int, chunks: list[Candidate]) -> str:
    chunks.sort(key=lambda chunk: chunk.chunk_index)
    first = chunks[0]
    when = first.said_at or first.created_at
    source = f", {first.source_url}" if first.source_url else ""
    return f"[{number}] {first.title} ({when:%Y-%m-%d}{source})\n{_join_chunks(chunks)}"


def _join_chunks(chunks: Sequence[Candidate]) -> str:
    """Join overlapping or touching chunks seamlessly, and mark gaps."""
    text, end = chunks[0].content, chunks[0].end_offset
    for chunk in chunks[1:]:
        repeated = max(0, end - chunk.start_offset)
        gap = "" if repeated else "\n" if chunk.start_offset - end <= 2 else "\n…\n"
        text += gap + chunk.content[repeated:]
        end = max(end, chunk.end_offset)
    return text
