"""Seal every credential with a new key, and delete the keys that are no longer used."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.connections import connection_store
from remem.core.connections.access import token_place
from remem.core.connections.hooks import hook_store
from remem.core.connections.hooks.receive import hook_place
from remem.core.connectors.errors import NeedsAuth
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx


@dataclass(frozen=True, slots=True)
class RotationReport:
    """`lost` counts credentials that no key opens; their accounts must be connected again."""

    key: int
    sealed: int
    lost: int


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed values: it is locked, changed, and has a place for each row."""

    lock: Callable[[Tx], Awaitable[list[tuple[UUID, bytes]]]]
    change: Callable[[Tx, UUID, bytes], Awaitable[None]]
    place: Callable[[Scope, UUID], str]


COLUMNS = (
    SealedColumn(connection_store.lock_tokens, connection_store.set_token, token_place),
    SealedColumn(
        hook_store.lock_secrets,
        hook_store.set_secret,
        lambda scope, id: hook_place(scope.tenant_id, id),
    ),
)


async def rotate_secrets(
    ports: Ports, columns: Sequence[SealedColumn], *, add_key: bool = True
) -> RotationReport:
    """Reseal everything in all columns. An interrupted run can be repeated: old keys are deleted
    only when unused."""
    number = ports.secrets.rotate() if add_key else ports.secrets.newest
    sealed = lost = 0
    used: set[int] = {number}
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            for column in columns:
                for id, value in await column.lock(tx):
                    resealed = _reseal(ports, value, column.place(scope, id), number, used)
                    if resealed:
                        await column.change(tx, id, resealed)
                    sealed, lost = sealed + bool(resealed), lost + (resealed is None)
    ports.secrets.forget(set(range(1, number)) - used)
    return RotationReport(number, sealed, lost)


def _reseal(ports: Ports, sealed: bytes, place: str, number: int, used: set[int]) -> bytes | None:
    """The credential sealed with the newest key; empty if it already is, None if no key opens
    it."""
    try:
        if ports.secrets.key_number(sealed) == number:
            return b""
    except NeedsAuth:
        return None
    try:
        return ports.secrets.seal(ports.secrets.open(sealed, place), place)
    except NeedsAuth:
        used.add(ports.secrets.key_number(sealed))
        return None
