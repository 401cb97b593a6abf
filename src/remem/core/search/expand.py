"""Follow the links of the best memories: linked memories may answer too."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.graph.link import companions_of, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.search import store
from remem.core.search.model import Features, Ranked, ScoreParts, Where
from remem.core.search.policy import POLICY, Policy
from remem.core.transaction import Tx

FOLLOWED = ("extends", "derives", "similar", "related", "supports")


async def expand(
    tx: Tx, ranked: Sequence[Ranked], where: Where, policy: Policy = POLICY
) -> list[Ranked]:
    """The ranking with the linked memories that may be found and that a link raises; best first."""
    by_memory = {id: result for result in ranked for id in result.memory_ids}
    first = [id for result in ranked[: policy.graph_first] for id in result.memory_ids[:1]]
    links = await links_of(tx, MEMORY, first, FOLLOWED)
    raised = _raised_scores(links, by_memory, policy.graph_share)
    entity_links = await _entity_links(tx, first, policy)
    for id, score in _raised_scores(entity_links, by_memory, policy.graph_share).items():
        raised[id] = max(score, raised.get(id, 0.0))
    new = [id for id in raised if id not in by_memory]
    features = await store.features(tx, MEMORY, new, where) if new else []
    best = {result.id: result for result in ranked}
    for id, raised_score in sorted(raised.items(), key=lambda item: item[1]):
        if id in by_memory:
            best[by_memory[id].id] = _with_score(by_memory[id], raised_score)
    is_weak = all(result.is_weak for result in ranked[: policy.graph_first])
    best |= {item.id: _from_link(item, raised[item.id], is_weak) for item in features}
    return sorted(best.values(), key=lambda result: (-result.score, -result.id.int))


async def _entity_links(tx: Tx, first: Sequence[UUID], policy: Policy) -> list[Link]:
    """Links from memory to memory through shared entities: the rarer the entity, the stronger."""
    links = await companions_of(tx, first)
    share, limit = policy.graph_entity_share, policy.graph_entities
    return [replace(link, confidence=share * link.confidence) for link in links[:limit]]


def _with_score(result: Ranked, score: float) -> Ranked:
    evidence = {**result.parts.evidence, "graph": score}
    return result._replace(score=score, parts=result.parts._replace(evidence=evidence))


def _from_link(item: Features, score: float, is_weak: bool) -> Ranked:
    parts = ScoreParts(evidence={"graph": score})
    memories = (item.id,)
    return Ranked(item.id, item.document_id, score, parts, MEMORY, item.chunk_id, memories, is_weak)


def _raised_scores(
    links: Sequence[Link], scores: dict[UUID, Ranked], share: float
) -> dict[UUID, float]:
    """The memories that links raise, and their new scores."""
    raised: dict[UUID, float] = {}
    for link in links:
        if link.from_kind != MEMORY or link.to_kind != MEMORY:
            continue
        for source, target in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
            score = share * link.confidence * (scores[source].score if source in scores else 0.0)
            current = max(
                raised.get(target, 0.0), scores[target].score if target in scores else 0.0
            )
            if score > current:
                raised[target] = score
    return raised
