"""Search with several wordings at once: a language model rewords the query on request."""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Protocol, TypeAlias, TypeVar
from uuid import UUID

from remem.core.ask_model import ask_model, has_model
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search import prompts
from remem.core.search.model import Hit, Hits, Query, Recall
from remem.core.search.policy import POLICY

VARIANTS, VARIANT_CHARS = 3, 300


class _Ranked(Protocol):
    @property
    def id(self) -> UUID: ...


Ranked = TypeVar("Ranked", bound=_Ranked)
Search: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Recall]]
Find: TypeAlias = Callable[[Ports, Scope, Query], Awaitable[Hits]]


async def recall_variants(ports: Ports, scope: Scope, query: Query, search: Search) -> Recall:
    """The results of all wordings, fused by rank. Without a model, those of the query alone."""
    started = time.perf_counter()
    wordings, unused = await _wordings(ports, query)
    recalls = [await search(ports, scope, wording) for wording in wordings]
    if len(recalls) == 1:
        return replace(recalls[0], model_unused=unused)
    results = _fuse_ranks([recall.results for recall in recalls])[: query.limit]
    took_ms = (time.perf_counter() - started) * 1_000
    total = max(len(results), *(recall.total for recall in recalls))
    return Recall(results, took_ms, mode=recalls[0].mode, total=total)


async def find_variants(ports: Ports, scope: Scope, query: Query, find: Find) -> Hits:
    """Like `recall_variants`, for an ungrouped list."""
    started = time.perf_counter()
    wordings, unused = await _wordings(ports, query)
    lists = [await find(ports, scope, wording) for wording in wordings]
    if len(lists) == 1:
        return replace(lists[0], model_unused=unused)
    hits = _with_best_relevance(_fuse_ranks([result.hits for result in lists]), lists)
    took_ms = (time.perf_counter() - started) * 1_000
    hits = hits[: query.limit]
    return Hits(hits, max(result.total for result in lists), took_ms, mode=lists[0].mode)


def _with_best_relevance(hits: Sequence[Hit], lists: Sequence[Hits]) -> list[Hit]:
    """Each hit with its relevance to the wording that fits it best, or that of one below it."""
    best: dict[UUID, float] = {}
    for hit in (hit for result in lists for hit in result.hits):
        best[hit.id] = max(hit.relevance, best.get(hit.id, 0.0))
    least = list(accumulate((best[hit.id] for hit in reversed(hits)), max))
    return [
        replace(hit, relevance=relevance)
        for hit, relevance in zip(hits, reversed(least), strict=True)
    ]


async def _wordings(ports: Ports, query: Query) -> tuple[list[Query], str | None]:
    """The query first, then its rewordings; and why there are none."""
    original = replace(query, variants=False)
    if has_model(ports) and not query.text.strip():
        return [original], None
    clean = partial(_clean_queries, text=query.text)
    reply = await ask_model(ports, "variants", prompts.vary(query.text), prompts.Variants, clean)
    return [original, *(replace(original, text=text) for text in reply.value or ())], reply.unused


def _clean_queries(answer: prompts.Variants, text: str) -> list[str]:
    texts = (" ".join(query.replace("\x00", "").split()) for query in answer.queries)
    valid = (query for query in texts if 0 < len(query) <= VARIANT_CHARS)
    return [query for query in dict.fromkeys(valid) if query.casefold() != text.casefold()][
        :VARIANTS
    ]


def _fuse_ranks(lists: Sequence[Sequence[Ranked]]) -> list[Ranked]:
    """Reciprocal rank fusion. The original wording has more weight: the others are guesses."""
    scores: dict[UUID, float] = {}
    first: dict[UUID, Ranked] = {}
    for n, ranked in enumerate(lists):
        weight = POLICY.rrf_asked if n == 0 else 1
        for rank, item in enumerate(ranked, start=1):
            first.setdefault(item.id, item)
            scores[item.id] = scores.get(item.id, 0.0) + weight / (POLICY.rrf_k + rank)
    return [first[id] for id in sorted(scores, key=lambda id: -scores[id])]
