"""Forget what has expired: documents for good, memories as versions."""

from uuid import UUID

from remem.core.documents.deleted.delete import purge_deleted
from remem.core.documents.forget import erase
from remem.core.identity.everyone import every_tenant
from remem.core.jobs.enqueue import enqueue
from remem.core.memories.evidence import lock_evidence
from remem.core.memories.expire import expire_memories
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions.manage import delete_inactive_sessions
from remem.core.upkeep import upkeep_store

JOB = "forget_expired"
BATCH = 50


async def forget_expired(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """Forget in one tenant, in batches, so that requests do not wait and an interrupted run
    resumes."""
    while await _forget_documents(ports, scope):
        pass
    await purge_deleted(ports, scope)
    await expire_memories(ports, scope)
    await delete_inactive_sessions(ports, scope)


async def _forget_documents(ports: Ports, scope: Scope) -> int:
    async with ports.db.transaction(scope) as tx:
        rows = await upkeep_store.find_expired_documents(tx, BATCH)
        projects, ids = ([row[name] for row in rows] for name in ("project_id", "id"))
        await lock_evidence(tx, projects, ids)
        for row in rows:
            await erase(ports, tx, row["project_id"], row["id"])
    return len(rows)


async def schedule_forgetting(ports: Ports) -> int:
    """Queue the job for every tenant that needs it, each in its own transaction; return how many.
    Even with concurrent callers, a tenant has at most one such job."""
    count = 0
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            if await upkeep_store.has_expired(tx, ports.session_days):
                await enqueue(ports, tx, JOB, scope.tenant_id)
                count += 1
    return count
