"""Refuse another embedding model if your own questions lose more than chance with it."""

from collections.abc import Sequence
from dataclasses import replace

import structlog

from remem.core.errors import Conflict, NotFound
from remem.core.evaluation.score import DEPTH, FoundSource, compare_ranks, rank_of
from remem.core.ports import Ports
from remem.core.question_file import Question
from remem.core.scope import Scope
from remem.core.search.model import Hit, Mode, Query
from remem.core.search.recall import recall_in
from remem.core.transaction import Tx
from remem.core.vector_models import state as vector_models

log = structlog.get_logger()


class _Undo(Exception):
    """Rolls back the trial of the new model."""


async def check_switch(ports: Ports, scope: Scope, model: str) -> None:
    """Ask the questions with both models. Raises Conflict with the questions that are lost. Nothing
    is changed: the switch is tried in a transaction that is rolled back."""
    guard = ports.question_guard
    if guard is None or not guard.questions:
        return
    # Answers of the trial must not be kept for others.
    uncached = replace(ports, cache=_NoCache())
    async with ports.db.transaction(scope) as tx:
        before = await _ranks(uncached, tx, guard.questions)
    after: dict[str, int | None] = {}
    try:
        async with ports.db.transaction(scope) as tx:
            await vector_models.switch(tx)
            after = await _ranks(uncached, tx, guard.questions)
            raise _Undo
    except _Undo:
        pass
    comparison = compare_ranks(before, after)
    log.info("questions_compared", model=model, lost=len(comparison.lost), won=len(comparison.won))
    if comparison.is_loss and not guard.accepts_loss:
        lost = "; ".join(comparison.lost)
        raise Conflict(
            f"The model {model} was not taken. Of your {len(before)} questions it ranks the sources"
            f" of {len(comparison.won)} higher and of {len(comparison.lost)} lower: {lost}. Choose"
            " the model before, or run `remem reembed --accept-loss`.",
            code="questions_lost",
        )


async def _ranks(ports: Ports, tx: Tx, questions: Sequence[Question]) -> dict[str, int | None]:
    return {question.ask: await _rank(ports, tx, question) for question in questions}


async def _rank(ports: Ports, tx: Tx, question: Question) -> int | None:
    # The reader would hide much of what the vectors find.
    mode: Mode = "balanced" if question.mode == "best" else question.mode
    query = Query(question.ask, project=question.project, limit=DEPTH, mode=mode, weak=True)
    try:
        results = (await recall_in(ports, tx, query)).results
    except NotFound:
        return None
    sources = [
        FoundSource(
            id=str(result.id),
            title=result.document.title if result.document else "",
            text="\n".join(_text(hit) for hit in result.hits),
        )
        for result in results
    ]
    return rank_of(question, sources)


def _text(hit: Hit) -> str:
    chunk = [hit.chunk.content] if hit.chunk else []
    return "\n".join([*chunk, *(memory.content for memory in hit.memories)])


class _NoCache:
    is_shared = False

    async def get(self, key: str) -> bytes | None:
        return None

    async def put(self, key: str, value: bytes, ttl_s: float) -> None:
        return

    async def close(self) -> None:
        return
