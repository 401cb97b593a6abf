"""Seal every credential with a new key, and delete the keys that are no longer used."""

from dataclasses import dataclass

from remem.core.connections import connection_store
from remem.core.connections.access import token_place
from remem.core.connections.hooks import hook_store
from remem.core.connections.hooks.receive import hook_place
from remem.core.connectors.errors import NeedsAuth
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class RotationReport:
    """`lost` counts credentials that no key opens; their accounts must be connected again."""

    key: int
    sealed: int
    lost: int


async def rotate_secrets(ports: Ports, *, add_key: bool = True) -> RotationReport:
    """Reseal everything. An interrupted run can be repeated: old keys are deleted only when
    unused."""
    number = ports.secrets.rotate() if add_key else ports.secrets.newest
    sealed = lost = 0
    used: set[int] = {number}
    async for scope in every_tenant(ports):
        done, failed = await _reseal_tenant(ports, scope, number, used)
        sealed, lost = sealed + done, lost + failed
    ports.secrets.forget(set(range(1, number)) - used)
    return RotationReport(number, sealed, lost)


async def _reseal_tenant(
    ports: Ports, scope: Scope, number: int, used: set[int]
) -> tuple[int, int]:
    done = failed = 0
    async with ports.db.transaction(scope) as tx:
        for id, token in await connection_store.lock_tokens(tx):
            resealed = _reseal(ports, token, token_place(scope, id), number, used)
            if resealed:
                await connection_store.change(tx, id, {"token": resealed})
            done, failed = done + bool(resealed), failed + (resealed is None)
        for id, secret in await hook_store.lock_secrets(tx):
            resealed = _reseal(ports, secret, hook_place(scope.tenant_id, id), number, used)
            if resealed:
                await hook_store.set_secret(tx, id, resealed)
    return done, failed


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
