"""Embed several texts; if the model refuses some, the others are embedded all the same."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from remem.core.errors import TextRefused, Unavailable
from remem.core.ports import Embedder, Vector
from remem.core.telemetry import record

# How long a caller who saves something waits for its vector; after that a job embeds it.
SAVE_WAIT_S = 10.0
# Every model embeds this text; one that does not refuses everything.
TEST_TEXT = "remem"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class EmbedResult:
    """Vectors, and reasons of refusal, by the index of their text: each text has one or the
    other."""

    vectors: dict[int, Vector] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)


async def embed_each(
    embedder: Embedder, texts: Sequence[str], known: dict[str, Vector] | None = None
) -> EmbedResult:
    """Raises Unavailable when the model does not answer, or refuses even a test text. The same
    text is embedded once: some texts repeat a few characters for megabytes. `known` has vectors of
    earlier calls, and gets these."""
    known = {} if known is None else known
    result = EmbedResult()
    first_places = {text: place for place, text in reversed(list(enumerate(texts)))}
    new_places = sorted(place for text, place in first_places.items() if text not in known)
    if new_places:
        await _embed_part(embedder, texts, new_places, result)
    known |= {texts[place]: vector for place, vector in result.vectors.items()}
    for place, text in enumerate(texts):
        if text in known:
            result.vectors[place] = known[text]
        else:
            result.refused[place] = result.refused[first_places[text]]
    if result.refused and not result.vectors:
        await _check_model_accepts_text(embedder)
    record("embedded_texts", len(result.vectors), result="ok")
    record("embedded_texts", len(result.refused), result="refused")
    if result.refused:
        log.warning("texts_not_embedded", count=len(result.refused), of=len(texts))
    return result


async def embed_with_timeout(
    embedder: Embedder, texts: Sequence[str], wait_s: float = SAVE_WAIT_S
) -> list[Vector]:
    """Embed for a caller who waits. Raises Unavailable when there is no answer in time."""
    try:
        async with asyncio.timeout(wait_s):
            vectors = await embedder.embed(texts)
    except TimeoutError:
        raise Unavailable(f"There was no vector in {wait_s:g} s; it is made later.") from None
    record("embedded_texts", len(vectors), result="ok")
    return vectors


async def _embed_part(
    embedder: Embedder, texts: Sequence[str], places: Sequence[int], result: EmbedResult
) -> None:
    """Halve a refused batch until only the refused texts are left."""
    try:
        vectors = await embedder.embed([texts[place] for place in places])
        result.vectors.update(zip(places, vectors, strict=True))
    except TextRefused as error:
        if len(places) == 1:
            result.refused[places[0]] = error.message
            return
        middle = len(places) // 2
        for half in (places[:middle], places[middle:]):
            await _embed_part(embedder, texts, half, result)


async def _check_model_accepts_text(embedder: Embedder) -> None:
    try:
        await embedder.embed([TEST_TEXT])
    except TextRefused as error:
        raise Unavailable(error.message, code=error.code) from error
