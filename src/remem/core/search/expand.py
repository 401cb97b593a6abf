"""Follow the links of the best memories: what belongs to them may answer too."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.db import Tx
from remem.core.graph.link import links_of
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.scope import Scope
from remem.core.search import store
from remem.core.search.model import Parts, Ranked

FROM_BEST = 10
# What is reached by a link counts for this much of what it was reached from.
SHARE = 0.5
FOLLOWED = ("extends", "derives", "similar", "related", "supports")


async def expand(tx: Tx, scope: Scope, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same with what a link leads to, if that lifts it; best first."""
    scores = {one.id: one for one in ranked}
    links = await links_of(tx, scope, MEMORY, [one.id for one in ranked[:FROM_BEST]], FOLLOWED)
    reached = _reached(links, scores)
    shown = {sign.id for sign in await store.signs(tx, scope, MEMORY, list(reached))}
    for id, share in reached.items():
        if id in shown:
            known = scores[id].parts if id in scores else Parts()
            parts = Parts(
                known.vector, known.text, known.recency, {**known.evidence, "graph": share}
            )
            scores[id] = Ranked(id, id, share, parts)
    return sorted(scores.values(), key=lambda one: (-one.score, -one.id.int))


def _reached(links: Sequence[Link], scores: dict[UUID, Ranked]) -> dict[UUID, float]:
    """What each link lifts, and to what score."""
    lifted: dict[UUID, float] = {}
    for link in links:
        if link.from_kind != MEMORY or link.to_kind != MEMORY:
            continue
        for here, there in ((link.from_id, link.to_id), (link.to_id, link.from_id)):
            share = SHARE * link.confidence * (scores[here].score if here in scores else 0.0)
            now = max(lifted.get(there, 0.0), scores[there].score if there in scores else 0.0)
            if share > now:
                lifted[there] = share
    return lifted
