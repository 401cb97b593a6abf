"""Search several wordings at once: a language model rewords the query, if the caller asks."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar
from uuid import UUID

import structlog

from remem.core.errors import Unavailable
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import prompts
from remem.core.search.model import Hits, Query, Recall
from remem.core.search.policy import POLICY

VARIANTS, VARIANT_CHARS = 3, 300
# Why no model was used where none is set.
NO_MODEL = "no_model"


class _Ranked(Protocol):
    @property
    def id(self) -> UUID: ...


Ranked = TypeVar("Ranked", bound=_Ranked)
Search: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Recall]]
Find: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Hits]]

log = structlog.get_logger()


async def in_several_ways(ports: Ports, scope: Scope, query: Query, search: Search) -> Recall:
    """What each wording finds, joined by ranks. Without a model it is the query alone."""
    started = time.perf_counter()
    wordings, unused = await _wordings(ports, query)
    recalls = [await search(ports, scope, wording) for wording in wordings]
    if len(recalls) == 1:
        return replace(recalls[0], model_unused=unused)
    found = _joined([recall.found for recall in recalls])[: query.limit]
    took_ms = (time.perf_counter() - started) * 1_000
    return Recall(found, took_ms, mode=recalls[0].mode)


async def find_in_several_ways(ports: Ports, scope: Scope, query: Query, find: Find) -> Hits:
    """The same for a list that is not grouped."""
    started = time.perf_counter()
    wordings, unused = await _wordings(ports, query)
    lists = [await find(ports, scope, wording) for wording in wordings]
    if len(lists) == 1:
        return replace(lists[0], model_unused=unused)
    hits = _joined([one.hits for one in lists])[: query.limit]
    took_ms = (time.perf_counter() - started) * 1_000
    return Hits(hits, max(one.total for one in lists), took_ms, mode=lists[0].mode)


async def _wordings(ports: Ports, query: Query) -> tuple[list[Query], str | None]:
    """The query first, and why there are no others."""
    asked = replace(query, variants=False)
    if ports.llm is None or not query.text.strip():
        return [asked], NO_MODEL if ports.llm is None else None
    try:
        answer = await ports.llm.ask(prompts.vary(query.text), prompts.Variants)
    except Unavailable as error:
        log.warning("llm_unused", purpose="variants", error=error.code)
        return [asked], error.code
    variants = _usable(answer.queries, query.text)
    return [asked, *(replace(asked, text=text) for text in variants)], None


def _usable(offered: Sequence[str], text: str) -> list[str]:
    plain = (" ".join(one.replace("\x00", "").split()) for one in offered)
    new = (one for one in plain if 0 < len(one) <= VARIANT_CHARS)
    return [one for one in dict.fromkeys(new) if one.casefold() != text.casefold()][:VARIANTS]


def _joined(lists: Sequence[Sequence[Ranked]]) -> list[Ranked]:
    """The words as they were asked count more: the others are guesses."""
    scores: dict[UUID, float] = {}
    first: dict[UUID, Ranked] = {}
    for place, ranked in enumerate(lists):
        weight = POLICY.rrf_asked if place == 0 else 1
        for rank, one in enumerate(ranked, start=1):
            first.setdefault(one.id, one)
            scores[one.id] = scores.get(one.id, 0.0) + weight / (POLICY.rrf_k + rank)
    return [first[id] for id in sorted(scores, key=lambda id: -scores[id])]
