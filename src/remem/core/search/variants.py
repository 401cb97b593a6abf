"""Search several wordings at once: a language model rewords the query, if the caller asks."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias
from uuid import UUID

import structlog

from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import prompts
from remem.core.search.model import Found, Query, Recall
from remem.core.search.policy import POLICY

VARIANTS, VARIANT_CHARS = 3, 300

Search: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Recall]]

log = structlog.get_logger()


async def in_several_ways(ports: Ports, scope: Scope, query: Query, search: Search) -> Recall:
    """What each wording finds, joined by ranks. Without a model it is the query alone."""
    started = time.perf_counter()
    asked = replace(query, variants=False)
    wordings = [query.text, *await _variants(ports, query.text)]
    recalls = [await search(ports, scope, replace(asked, text=one)) for one in wordings]
    if len(recalls) == 1:
        return recalls[0]
    found = _joined(recalls)[: query.limit]
    took_ms = (time.perf_counter() - started) * 1_000
    return Recall(found, took_ms, mode=recalls[0].mode)


async def _variants(ports: Ports, text: str) -> list[str]:
    if ports.llm is None or not text.strip():
        return []
    try:
        answer = await ports.llm.ask(prompts.vary(text), prompts.Variants)
    except Unavailable as error:
        log.warning("llm_unused", purpose="variants", error=error.code)
        return []
    offered = (" ".join(one.replace("\x00", "").split()) for one in answer.queries)
    new = (one for one in offered if 0 < len(one) <= VARIANT_CHARS)
    return [one for one in dict.fromkeys(new) if one.casefold() != text.casefold()][:VARIANTS]


def _joined(recalls: list[Recall]) -> list[Found]:
    """The words as they were asked count more: the others are guesses."""
    scores: dict[UUID, float] = {}
    first: dict[UUID, Found] = {}
    for place, recall in enumerate(recalls):
        weight = POLICY.rrf_asked if place == 0 else 1
        for rank, one in enumerate(recall.found, start=1):
            id = one.id
            first.setdefault(id, one)
            scores[id] = scores.get(id, 0.0) + weight / (POLICY.rrf_k + rank)
    return [first[id] for id in sorted(scores, key=lambda id: -scores[id])]
