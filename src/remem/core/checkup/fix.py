"""Fix findings: one action for each kind, built of what remem does anyway, and how to undo it."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from remem.core.backup.status import BackupStatus
from remem.core.checkup import checkup_store
from remem.core.checkup.find import read_id
from remem.core.checkup.mask import mask_document, mask_memory, unmask_document, unmask_memory
from remem.core.checkup.model import FIX_LIMIT, FindingKind, FixOutcome
from remem.core.checkup.plain import read_key
from remem.core.connections.sync import request_sync
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.errors import Conflict, Forbidden, Invalid, NotFound, RememError
from remem.core.jobs.enqueue import enqueue_unless_pending
from remem.core.memories.browse import get_memories
from remem.core.memories.consolidation.merge import merge_same
from remem.core.memories.consolidation.undo import last_merge_of, undo_consolidation
from remem.core.memories.contradictions import Truth, settle
from remem.core.memories.forget import forget_memory
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.upkeep.reembed import request_reembedding

BACKUP_JOB = "back_up"


async def fix_findings(
    ports: Ports, scope: Scope, kind: FindingKind, keys: Sequence[str], backups: BackupStatus | None
) -> list[FixOutcome]:
    """Fix several items; each succeeds or fails on its own."""
    if not 0 < len(keys) <= FIX_LIMIT:
        raise Invalid("keys", f"send 1 to {FIX_LIMIT} keys")
    if kind == "backups":
        return [await _back_up(ports, scope, keys[0], backups)]
    if kind not in _FIXES:
        raise Invalid("finding", "has no action; see what its list says")
    return [await _outcome(key, _FIXES[kind](ports, scope, key)) for key in dict.fromkeys(keys)]


async def undo_fixes(ports: Ports, scope: Scope, undos: Sequence[str]) -> list[FixOutcome]:
    """Undo several fixes by the `undo` of their outcomes."""
    if not 0 < len(undos) <= FIX_LIMIT:
        raise Invalid("undo", f"send 1 to {FIX_LIMIT}")
    return [await _outcome(undo, _undo(ports, scope, undo)) for undo in dict.fromkeys(undos)]


async def _outcome(key: str, work: Awaitable[str | None]) -> FixOutcome:
    try:
        return FixOutcome(key, undo=await work)
    except RememError as error:
        return FixOutcome(key, error=error.message)


async def _merge(ports: Ports, scope: Scope, key: str) -> str:
    """Merge a memory into the one that says the same; a document goes to the trash."""
    copy_id, kept_id = map(read_id, key.split(":")) if key.count(":") == 1 else (None, None)
    if copy_id is None or kept_id is None:
        raise Invalid("key", "is none of this list; send it as it was listed")
    memories, _ = await get_memories(ports, scope, [copy_id, kept_id])
    if not memories:
        await delete_document(ports, scope, copy_id)
        return f"deleted_document:{copy_id}"
    if len(memories) != 2 or not await merge_same(ports, scope, memories[0], memories[1], 1.0):
        raise Conflict("One of the two was changed since; look at the list again.", code="changed")
    return f"merged:{await last_merge_of(ports, scope, copy_id)}"


async def _keep_newer(ports: Ports, scope: Scope, key: str) -> str:
    async with ports.db.transaction(scope) as tx:
        pair = await checkup_store.pair(tx, read_id(key))
    if pair is None:
        raise NotFound("contradiction", key, hint="look at the list again")
    truth: Truth = "newer" if pair["first_is_later"] else "older"
    await settle(ports, scope, pair["first"], pair["second"], truth)
    return f"settled:{pair['first']}:{pair['second']}"


async def _trash(ports: Ports, scope: Scope, key: str) -> str:
    await forget_memory(ports, scope, read_id(key))
    return f"forgotten:{key}"


async def _embed(ports: Ports, scope: Scope, key: str) -> None:
    """One job embeds all that have no vector."""
    await request_reembedding(ports, scope)


async def _sync(ports: Ports, scope: Scope, key: str) -> None:
    kind, _, id = key.partition(":")
    if kind != "connection":
        raise Conflict("Only you can begin to use an assistant again.", code="not_synced")
    await request_sync(ports, scope, read_id(id))


async def _mask(ports: Ports, scope: Scope, key: str) -> str:
    kind, id = read_key(key)
    await (mask_document if kind == "document" else mask_memory)(ports, scope, id)
    return f"masked_{kind}:{id}"


async def _back_up(
    ports: Ports, scope: Scope, key: str, backups: BackupStatus | None
) -> FixOutcome:
    if backups is None:
        raise Forbidden("Only the operator of this server can back it up.")
    if not backups.is_on:
        return FixOutcome(key, error="This server makes no backups; set REMEM_BACKUPS.")
    async with ports.db.transaction(scope) as tx:
        await enqueue_unless_pending(ports, tx, BACKUP_JOB, scope.tenant_id)
    return FixOutcome(key)


async def back_up_now(ports: Ports, scope: Scope, subject_id: UUID) -> None:
    """The job of a backup that the operator asked for."""
    if ports.back_up:
        await ports.back_up()


async def _undo(ports: Ports, scope: Scope, undo: str) -> None:
    name, _, id = undo.partition(":")
    if name not in _UNDO:
        raise Invalid("undo", "is none that was given here; send it as it was returned")
    await _UNDO[name](ports, scope, id)


async def _undo_merge(ports: Ports, scope: Scope, id: str) -> None:
    await undo_consolidation(ports, scope, read_id(id))


async def _undo_delete(ports: Ports, scope: Scope, id: str) -> None:
    await restore_document(ports, scope, read_id(id))


async def _undo_forget(ports: Ports, scope: Scope, id: str) -> None:
    await restore_memory(ports, scope, read_id(id))


async def _undo_settled(ports: Ports, scope: Scope, ids: str) -> None:
    first, _, second = ids.partition(":")
    await settle(ports, scope, read_id(first), read_id(second), "open")


async def _undo_masked_memory(ports: Ports, scope: Scope, id: str) -> None:
    await unmask_memory(ports, scope, read_id(id))


async def _undo_masked_document(ports: Ports, scope: Scope, id: str) -> None:
    await unmask_document(ports, scope, read_id(id))


_Fix = Callable[[Ports, Scope, str], Awaitable[str | None]]
_FIXES: dict[FindingKind, _Fix] = {
    "duplicates": _merge,
    "contradictions": _keep_newer,
    "lost_sources": _trash,
    "never_recalled": _trash,
    "without_vectors": _embed,
    "capture_gaps": _sync,
    "secrets": _mask,
}
_UNDO: dict[str, Callable[[Ports, Scope, str], Awaitable[None]]] = {
    "merged": _undo_merge,
    "deleted_document": _undo_delete,
    "forgotten": _undo_forget,
    "settled": _undo_settled,
    "masked_memory": _undo_masked_memory,
    "masked_document": _undo_masked_document,
}
