"""What one tenant learns is shared with others as numbers only: no text, name or id leaves it."""

import json
from typing import Any
from uuid import UUID

import pytest

from remem.core.evolution.arena.learn import propagate
from remem.core.evolution.arena.policy import global_policy, pin_policy, policy_in_force
from remem.core.evolution.arena.report import arena_campaign
from remem.core.evolution.bandit import Tally
from remem.core.evolution.signals.send import send_signal
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.search.arms import ARMS, BUILT_IN
from remem.core.transaction import AnyTx
from tests.conftest import new_scope
from tests.core.memories import save

pytestmark = pytest.mark.anyio

FOREVER = float("inf")
SECRET = "Zanzibarquartz"


async def learn_and_propagate(ports: Ports, scope: Scope) -> list[UUID]:
    """Record episodes, run a campaign, and propagate its results."""
    ids = []
    for number in range(10):
        memory = (await save(ports, scope, f"{SECRET} {number} is kept in box {number}.")).memory
        ids.append(memory.id)
        await send_signal(ports, scope, "used", [memory.id], f"Where is {SECRET} {number}?")
    await arena_campaign(ports, scope, None, 1, 60)
    await propagate(ports, scope, None, FOREVER)
    return ids


async def global_arms(ports: Ports) -> list[dict[str, Any]]:
    async with ports.db.transaction(Bound()) as tx:
        return [dict(row) for row in await tx.fetch("SELECT * FROM global_arms ORDER BY arm")]


async def test_only_numbers_leave_a_tenant(ports: Ports, scope: Scope) -> None:
    before = {row["arm"]: row for row in await global_arms(ports)}
    ids = await learn_and_propagate(ports, scope)
    rows = await global_arms(ports)
    text = json.dumps(rows, default=str)
    for secret in (SECRET, *map(str, ids), str(scope.tenant_id), str(scope.user_id), "default"):
        assert secret not in text
    names = {"arm", "tenants", "pulls", "reward_sum", "reward_squares"}
    assert all(set(row) == names for row in rows)
    assert {row["arm"] for row in rows} <= {*ARMS, BUILT_IN.id}
    assert all(isinstance(row[name], int | float) for row in rows for name in names - {"arm"})
    for row in rows:
        old = before.get(row["arm"], {"pulls": 0, "tenants": 0})
        assert (row["pulls"] - old["pulls"], row["tenants"] - old["tenants"]) == (10, 1)


async def test_propagating_again_counts_nothing_twice(ports: Ports, scope: Scope) -> None:
    await learn_and_propagate(ports, scope)
    once = await global_arms(ports)
    await propagate(ports, scope, None, FOREVER)
    assert await global_arms(ports) == once


async def test_the_policy_of_a_project_precedes_the_tenant_and_the_global_one(
    ports: Ports, scope: Scope
) -> None:
    await learn_and_propagate(ports, scope)
    own = await policy_in_force(ports, scope, "default")
    assert (own.source, own.reason["episodes"]) == ("project", 10)
    # One project does not decide for the others.
    assert (await policy_in_force(ports, scope, None)).source in ("global", "built_in")
    await pin_policy(ports, scope, None, "fast_memories")
    assert (await policy_in_force(ports, scope, None)).source == "tenant"
    other = await policy_in_force(ports, await new_scope(ports), None)
    assert other.source in ("global", "built_in")
    assert not {SECRET, str(scope.tenant_id)} & set(json.dumps(other.reason))


def test_a_global_policy_needs_several_tenants_and_a_clear_lead() -> None:
    good, poor = Tally(200, 160.0, 130.0), Tally(200, 100.0, 60.0)
    few = {"balanced_vector": (2, good), BUILT_IN.id: (2, poor)}
    assert global_policy(few).source == "built_in"
    enough = {"balanced_vector": (3, good), BUILT_IN.id: (3, poor)}
    assert global_policy(enough).arm.id == "balanced_vector"
    tied = {"balanced_vector": (3, good), BUILT_IN.id: (3, good)}
    assert global_policy(tied).source == "built_in"


async def test_no_row_of_another_tenant_has_data_of_this_one(ports: Ports, scope: Scope) -> None:
    """For each table: the rows that another tenant sees, and those that belong to no tenant."""
    other = await new_scope(ports)
    ids = await learn_and_propagate(ports, scope)
    async with ports.db.transaction(scope) as tx:
        project_ids = [row["id"] for row in await tx.system.fetch("SELECT id FROM projects")]
    secrets = [SECRET, *map(str, (*ids, *project_ids, scope.tenant_id, scope.user_id))]
    for bound in (other.bound, Bound()):
        async with ports.db.transaction(bound) as tx:
            for table in await _tables(tx):
                rows = await tx.fetch(f"SELECT to_jsonb(t)::text AS row FROM {table} t")
                seen = "\n".join(row["row"] for row in rows)
                assert not [secret for secret in secrets if secret in seen], table


async def _tables(tx: AnyTx) -> list[str]:
    """The tables that learning writes or reads."""
    wanted = [
        "global_arms", "arm_shares", "policies", "arena_results", "signals", "evolution_jobs",
        "evolution_marks", "consolidations", "memories", "links", "entities", "events",
    ]  # fmt: skip
    rows = await tx.connection.fetch(
        "SELECT table_name FROM information_schema.tables WHERE table_name = ANY($1)", wanted
    )
    assert len(rows) == len(wanted)
    return [row["table_name"] for row in rows]
