"""Search as the policy in force says, where the caller does not say how."""

from dataclasses import replace
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.evolution.arena.policy import policy_in_force
from remem.core.evolution.model import PolicyInForce
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import BUILT_IN, Arm, in_the_way_of
from remem.core.search.find import find
from remem.core.search.model import Hit, Hits, Query


async def find_by_policy(
    ports: Ports,
    scope: Scope,
    query: Query,
    documents: bool | None = None,
    vectors: bool | None = None,
) -> tuple[Hits, PolicyInForce]:
    """What the caller does say counts. Where an arm finds fewer than asked for, what the built-in
    way finds follows: what is saved is found, whichever arm is in force."""
    policy = await _policy(ports, scope, query)
    arm, usual = (_with(one, documents, vectors) for one in (policy.arm, BUILT_IN))
    found = await find(ports, scope, in_the_way_of(arm, query))
    if policy.arm.id == BUILT_IN.id or len(found.hits) >= query.limit:
        return found, policy
    more = await find(ports, scope, in_the_way_of(usual, query))
    known = {id for hit in found.hits for id in _ids(hit)}
    rest = [hit for hit in more.hits if not known & _ids(hit)]
    hits = [*found.hits, *rest][: query.limit]
    total = max(found.total, more.total)
    took_ms = found.took_ms + more.took_ms
    return replace(found, hits=hits, total=total, took_ms=took_ms), policy


async def _policy(ports: Ports, scope: Scope, query: Query) -> PolicyInForce:
    """In a project that nobody has made there is nothing to find, and no policy of its own."""
    try:
        return await policy_in_force(ports, scope, query.project)
    except NotFound:
        return await policy_in_force(ports, scope, None)


def _with(arm: Arm, documents: bool | None, vectors: bool | None) -> Arm:
    return replace(
        arm,
        documents=arm.documents if documents is None else documents,
        vectors=arm.vectors if vectors is None else vectors,
    )


def _ids(hit: Hit) -> set[UUID]:
    return {hit.id, *(memory.id for memory in hit.memories)}
