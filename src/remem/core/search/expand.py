"""Follow the links of the best memories: what belongs to them may answer too."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.link import companions_of, links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Features, Parts, Ranked, Where
from remem.core.search.policy import POLICY, Policy

FOLLOWED = ("extends", "derives", "similar", "related", "supports")


async def expand(
    tx: Tx, scope: Scope, ranked: Sequence[Ranked], where: Where, policy: Policy = POLICY
) -> list[Ranked]:
    """The same with what a link leads to, where it may be found and the link lifts it; best
    first."""
    at = {id: one for one in ranked for id in one.memory_ids}
    first = [id for one in ranked[: policy.graph_first] for id in one.memory_ids[:1]]
    links = await links_of(tx, scope, MEMORY, first, FOLLOWED)
    lifted = _reached(links, at, policy.graph_share)
    by_entities = await _by_entities(tx, scope, first, policy)
    for id, score in _reached(by_entities, at, policy.graph_share).items():
        lifted[id] = max(score, lifted.get(id, 0.0))
    new = [id for id in lifted if id not in at]
    features = await store.features(tx, scope, MEMORY, new, where) if new else []
    best = {one.id: one for one in ranked}
    for id, share in sorted(lifted.items(), key=lambda each: each[1]):
        if id in at:
            best[at[id].id] = _raised(at[id], share)
    is_weak = all(one.is_weak for one in ranked[: policy.graph_first])
    best |= {item.id: _added(item, lifted[item.id], is_weak) for item in features}
    return sorted(best.values(), key=lambda one: (-one.score, -one.id.int))


async def _by_entities(tx: Tx, scope: Scope, first: Sequence[UUID], policy: Policy) -> list[Link]:
    """From memory to entity to memory: the rarer what two have in common, the stronger."""
    links = await companions_of(tx, scope, first)
    share, most = policy.graph_entity_share, policy.graph_entities
    return [replace(link, confidence=share * link.confidence) for link in links[:most]]


def _raised(one: Ranked, score: float) -> Ranked:
    evidence = {**one.parts.evidence, "graph": score}
    return one._replace(score=score, parts=one.parts._replace(evidence=evidence))


def _added(item: Features, score: float, is_weak: bool) -> Ranked:
    parts = Parts(evidence={"graph": score})
    memories = (item.id,)
    return Ranked(item.id, item.document_id, score, parts, MEMORY, item.chunk_id, memories, is_weak)


def _reached(links: Sequence[Link], scores: dict[UUID, Ranked], share: float) -> dict[UUID, float]:
    """What each link lifts, and to what score."""
    lifted: dict[UUID, float] = {}
    for link in links:
        if link.from_kind != MEMORY or link.to_kind != MEMORY:
            continue
        for here, there in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
            score = share * link.confidence * (scores[here].score if here in scores else 0.0)
            now = max(lifted.get(there, 0.0), scores[there].score if there in scores else 0.0)
            if score > now:
                lifted[there] = score
    return lifted
