"""Embed several texts of which the model may refuse one: the others are embedded all the same."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from remem.core.errors import TextRefused, Unavailable
from remem.core.ports import Embedder, Vector
from remem.core.telemetry import record

# How long a caller who saves something waits for its vector; then a job does it.
SAVE_WAIT_S = 10.0
# Any model embeds this; one that does not refuses everything.
PLAIN_TEXT = "remem"

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors and reasons by the place of their text: each text has one or the other."""

    vectors: dict[int, Vector] = field(default_factory=dict)
    refused: dict[int, str] = field(default_factory=dict)


async def embed_each(embedder: Embedder, texts: Sequence[str]) -> Embedded:
    """Raises Unavailable when the model does not answer, or refuses every text whatever it says."""
    found = Embedded()
    await _embed_part(embedder, texts, range(len(texts)), found)
    if found.refused and not found.vectors:
        await _refuses_not_all(embedder)
    record("embedded_texts", len(found.vectors), result="ok")
    record("embedded_texts", len(found.refused), result="refused")
    if found.refused:
        log.warning("texts_not_embedded", count=len(found.refused), of=len(texts))
    return found


async def embed_soon(
    embedder: Embedder, texts: Sequence[str], wait_s: float = SAVE_WAIT_S
) -> list[Vector]:
    """For a caller who waits. Raises Unavailable when there is no answer in time."""
    try:
        async with asyncio.timeout(wait_s):
            vectors = await embedder.embed(texts)
    except TimeoutError:
        raise Unavailable(f"There was no vector in {wait_s:g} s; it is made later.") from None
    record("embedded_texts", len(vectors), result="ok")
    return vectors


async def _embed_part(
    embedder: Embedder, texts: Sequence[str], places: Sequence[int], found: Embedded
) -> None:
    """Halve what is refused until the texts at fault are alone."""
    try:
        vectors = await embedder.embed([texts[place] for place in places])
        found.vectors.update(zip(places, vectors, strict=True))
    except TextRefused as error:
        if len(places) == 1:
            found.refused[places[0]] = error.message
            return
        middle = len(places) // 2
        for half in (places[:middle], places[middle:]):
            await _embed_part(embedder, texts, half, found)


async def _refuses_not_all(embedder: Embedder) -> None:
    try:
        await embedder.embed([PLAIN_TEXT])
    except TextRefused as error:
        raise Unavailable(error.message, code=error.code) from error
