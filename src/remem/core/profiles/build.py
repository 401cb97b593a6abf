"""Put a profile together from the memories of a project."""

from collections.abc import Sequence
from uuid import UUID

import structlog

from remem.core.db import Tx
from remem.core.errors import Invalid, Unavailable
from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.ports import Ports, Vector
from remem.core.profiles import store
from remem.core.profiles.model import Item, Profile
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope

STATIC_LIMIT, RECENT_LIMIT, RELEVANT_LIMIT = 20, 10, 10
QUERY_LIMIT = 1_000
# Below this, a memory has nothing to do with the query.
LEAST_COSINE = 0.25
# How much a rank counts, as reciprocal rank fusion has it.
_RANK = 60

log = structlog.get_logger()


async def build_profile(
    ports: Ports, scope: Scope, project: str | UUID | None, query: str | None = None
) -> Profile:
    """No project means the default one. Without a query nothing is relevant to it."""
    if query and len(query) > QUERY_LIMIT:
        raise Invalid("query", f"use at most {QUERY_LIMIT:,} characters")
    asked = query.strip() if query else ""
    vector = await _embedded(ports, asked) if asked else None
    async with ports.db.transaction(scope) as tx:
        there = await resolve(tx, scope, project)
        static = await store.lasting(tx, scope, there.id, STATIC_LIMIT)
        recent = await store.newest(tx, scope, there.id, RECENT_LIMIT)
        ids = await _relevant(ports, tx, scope, there.id, asked, vector) if asked else []
        relevant = await store.items(tx, scope, ids)
    return Profile(there.slug, static, recent, relevant[:RELEVANT_LIMIT])


async def _embedded(ports: Ports, query: str) -> Vector | None:
    try:
        return await ports.embedder.embed_query(query)
    except Unavailable as error:
        log.warning("profile_by_word_alone", error=error.code)
        return None


async def _relevant(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, query: str, vector: Vector | None
) -> list[UUID]:
    """By word and by meaning, fused by rank."""
    limit = 2 * RELEVANT_LIMIT
    words = await match_words(tx, scope, MEMORY, query, [project_id], limit)
    ranked = [[one.id for one in words.found]]
    if vector is not None:
        near = await ports.vectors.search(
            tx, scope, ports.embedder.model, MEMORY, vector, [project_id], limit
        )
        ranked.append([one.id for one in near if one.cosine >= LEAST_COSINE])
    return _fused(ranked)


def _fused(ranked: Sequence[Sequence[UUID]]) -> list[UUID]:
    scores: dict[UUID, float] = {}
    for ids in ranked:
        for place, id in enumerate(ids):
            scores[id] = scores.get(id, 0.0) + 1 / (_RANK + place)
    return sorted(scores, key=lambda id: -scores[id])


def as_markdown(profile: Profile) -> str:
    """For a prompt; a part with nothing in it is left out."""
    parts = [("What lasts", profile.static), ("Recently", profile.recent)]
    parts.append(("About this", profile.relevant))
    told = [_part(heading, items) for heading, items in parts if items]
    return "\n\n".join([f"# {profile.project}", *told]) + "\n"


def _part(heading: str, items: Sequence[Item]) -> str:
    lines = [f"- {' '.join(one.content.split())} <!-- {one.id} -->" for one in items]
    return "\n".join([f"## {heading}", "", *lines])
