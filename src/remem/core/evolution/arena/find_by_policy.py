"""Search by the policy in force, unless the caller chooses otherwise."""

from dataclasses import replace
from uuid import UUID

from remem.core.errors import NotFound
from remem.core.evolution.arena.policy import policy_in_force
from remem.core.evolution.model import PolicyInForce
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.arms import BUILT_IN, Arm, query_for_arm
from remem.core.search.find import find
from remem.core.search.model import Hit, Hits, Query


async def find_by_policy(
    ports: Ports,
    scope: Scope,
    query: Query,
    documents: bool | None = None,
    vectors: bool | None = None,
) -> tuple[Hits, PolicyInForce]:
    """Search by the policy; explicit arguments of the caller take precedence. If an arm finds fewer
    hits than the limit, hits of the built-in way are appended, so that every saved item can be
    found whichever arm is in force."""
    policy = await _policy(ports, scope, query)
    arm, built_in = (
        _with_overrides(choice, documents, vectors) for choice in (policy.arm, BUILT_IN)
    )
    result = await find(ports, scope, query_for_arm(arm, query))
    if policy.arm.id == BUILT_IN.id or len(result.hits) >= query.limit:
        return result, policy
    more = await find(ports, scope, query_for_arm(built_in, query))
    known = {id for hit in result.hits for id in _ids(hit)}
    rest = [hit for hit in more.hits if not known & _ids(hit)]
    hits = [*result.hits, *rest][: query.limit]
    total = max(result.total, more.total)
    took_ms = result.took_ms + more.took_ms
    return replace(result, hits=hits, total=total, took_ms=took_ms), policy


async def _policy(ports: Ports, scope: Scope, query: Query) -> PolicyInForce:
    """The policy for a query; for a project that does not exist, the tenant's."""
    try:
        return await policy_in_force(ports, scope, query.project)
    except NotFound:
        return await policy_in_force(ports, scope, None)


def _with_overrides(arm: Arm, documents: bool | None, vectors: bool | None) -> Arm:
    return replace(
        arm,
        documents=arm.documents if documents is None else documents,
        vectors=arm.vectors if vectors is None else vectors,
    )


def _ids(hit: Hit) -> set[UUID]:
    return {hit.id, *(memory.id for memory in hit.memories)}
