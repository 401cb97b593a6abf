"""Seal every credential with a new key, and forget the keys that nothing is sealed with."""

from dataclasses import dataclass

from remem.core.connections import store
from remem.core.connections.access import token_place
from remem.core.connections.hooks import store as hook_store
from remem.core.connections.hooks.receive import hook_place
from remem.core.connectors.errors import NeedsAuth
from remem.core.identity.everyone import every_tenant
from remem.core.ports import Ports
from remem.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Rotated:
    """`lost` are credentials that no key opens; their accounts are to be connected again."""

    key: int
    sealed: int
    lost: int


async def rotate_secrets(ports: Ports, *, add_key: bool = True) -> Rotated:
    """Cut short, it can be repeated: old keys are forgotten only when nothing needs them."""
    number = ports.secrets.rotate() if add_key else ports.secrets.newest
    sealed = lost = 0
    used: set[int] = {number}
    async for scope in every_tenant(ports):
        done, failed = await _seal_again(ports, scope, number, used)
        sealed, lost = sealed + done, lost + failed
    ports.secrets.forget(set(range(1, number)) - used)
    return Rotated(number, sealed, lost)


async def _seal_again(ports: Ports, scope: Scope, number: int, used: set[int]) -> tuple[int, int]:
    done = failed = 0
    async with ports.db.transaction(scope) as tx:
        for id, token in await store.lock_tokens(tx, scope):
            fresh = _sealed(ports, token, token_place(scope, id), number, used)
            if fresh:
                await store.change(tx, scope, id, {"token": fresh})
            done, failed = done + bool(fresh), failed + (fresh is None)
        for id, secret in await hook_store.lock_secrets(tx, scope):
            fresh = _sealed(ports, secret, hook_place(scope.tenant_id, id), number, used)
            if fresh:
                await hook_store.set_secret(tx, scope, id, fresh)
    return done, failed


def _sealed(ports: Ports, sealed: bytes, place: str, number: int, used: set[int]) -> bytes | None:
    """Empty for what has the newest key already; None for what no key opens."""
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
