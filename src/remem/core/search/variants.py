"""Search several wordings at once: a language model rewords the query, if the caller asks."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol, TypeAlias, TypeVar
from uuid import UUID

from remem.core.ask_model import ask_model, has_model
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import prompts
from remem.core.search.model import Hits, Query, Recall
from remem.core.search.policy import POLICY

VARIANTS, VARIANT_CHARS = 3, 300


class _Ranked(Protocol):
    @property
    def id(self) -> UUID: ...


Ranked = TypeVar("Ranked", bound=_Ranked)
Search: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Recall]]
Find: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Hits]]


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
    if has_model(ports) and not query.text.strip():
        return [asked], None
    usable = partial(_usable, text=query.text)
    reply = await ask_model(ports, "variants", prompts.vary(query.text), prompts.Variants, usable)
    return [asked, *(replace(asked, text=text) for text in reply.value or ())], reply.unused


def _usable(answer: prompts.Variants, text: str) -> list[str]:
    plain = (" ".join(one.replace("\x00", "").split()) for one in answer.queries)
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
