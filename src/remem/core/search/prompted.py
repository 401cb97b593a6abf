"""What is known that helps with a prompt to an assistant. Usually nothing is.

A prompt is not a question: most need nothing of what is saved, and what does not help makes the
answer worse. So it is first asked whether the prompt is about the person's own matters at all, then
the best few results are read, and both together are weighed against limits far stricter than those
of search (bench/calibrate.py)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import structlog

from remem.core.errors import Unavailable
from remem.core.filters import Filters
from remem.core.index.kinds import CHUNK, MEMORY
from remem.core.ports import Ports, Vector
from remem.core.search.evidence import Floats, Pool, weigh
from remem.core.search.floor import meaning_measures, reader_measures, relevance_of
from remem.core.search.fuse import fuse
from remem.core.search.model import Query, Ranked, Where
from remem.core.search.prefer_newer import prefer_newer
from remem.core.search.prompt_calibration import PROMPTS, PromptCalibration
from remem.core.search.read import plan_query
from remem.core.search.rerank import load_texts
from remem.core.search.signals import gather
from remem.core.search.strategies import STRATEGIES
from remem.core.time import now
from remem.core.transaction import Tx
from remem.core.vector_models.current import current_embedder

# How many of the best results are read.
READ_FIRST = 12
PROMPT_CHARS = 1_000
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.M | re.S)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ReadResults:
    """The best results for a prompt, and their measures as columns of `BY_LINE`."""

    ranked: list[Ranked]
    measures: Floats


def words_of(prompt: str) -> str:
    """What a person says in a prompt: without code, of a long one the end."""
    said = _FENCED.sub("\n", prompt).strip()
    return said if len(said) <= PROMPT_CHARS else said[-PROMPT_CHARS:].partition(" ")[2]


async def embed_prompt(ports: Ports, tx: Tx, said: str) -> tuple[str, Vector] | None:
    """The name of the model and the vector; None while the embedder is down."""
    embedder = await current_embedder(ports, tx)
    try:
        return embedder.model, await embedder.embed_query(said)
    except Unavailable as error:
        log.warning("prompt_not_embedded", error=error.code)
        return None


async def read_for_prompt(
    ports: Ports, tx: Tx, said: str, projects: Sequence[UUID] | None
) -> ReadResults | None:
    """None if nothing is found, or if there is no reader to judge it."""
    query = Query(said)
    plan = await plan_query(tx, query)
    where = Where((CHUNK, MEMORY), projects, Filters())
    pool = await gather(ports, tx, plan, STRATEGIES["balanced"], where)
    if not pool.features or ports.reader is None:
        return None
    ranked = prefer_newer(pool, fuse(pool, weigh(pool, plan), "weighted", now()))[:READ_FIRST]
    texts = await load_texts(tx, query, ranked)
    try:
        scores = await ports.reader.rank(said, [text.reader_input for text in texts])
    except Unavailable as error:
        log.warning("reader_unused", error=str(error))
        return None
    return ReadResults(ranked, _line_measures(pool, ranked, scores))


def _line_measures(pool: Pool, ranked: Sequence[Ranked], scores: Sequence[float]) -> Floats:
    position = {id: n for n, id in enumerate(pool.best or [item.id for item in pool.features])}
    rows = [position[result.id] for result in ranked]
    cosine, covered, _, _, contrast = meaning_measures(pool)[rows].T
    read = reader_measures(relevance_of(pool)[rows], scores)
    return np.column_stack((read, cosine, covered, contrast))


def prompt_measures(asks: float, lines: Floats, measures: Floats, said: str) -> Floats:
    """The columns of `BY_PROMPT`."""
    _, reader, _, cosine, *_ = measures.T
    return np.array([asks, lines.max(), reader.max(), cosine.max(), np.log(len(said.split()) or 1)])


def log_odds(weights: Sequence[float] | Floats, measures: Floats | Vector) -> Floats:
    """Of one row of measures, or of each."""
    return weights[0] + np.asarray(measures, np.float64) @ np.asarray(weights[1:], np.float64)


def can_be_helped(asks: float, said: str, learned: PromptCalibration = PROMPTS) -> bool:
    """Whether anything saved, however near, would be said for this prompt: if not, nothing is
    searched for."""
    nearest = prompt_measures(asks, np.array([_NEAREST[0]]), np.array([_NEAREST]), said)
    weights = [*learned.by_prompt[:2], *(max(0.0, weight) for weight in learned.by_prompt[2:])]
    return float(log_odds(weights, nearest)) >= learned.least


# As near as a line may be, in columns of `BY_LINE`.
_NEAREST = (4.0, 10.0, 0.0, 1.0, 1.0, 1.0)
