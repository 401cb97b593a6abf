"""The stored state of a consent in progress: sealed, and found by its OAuth state."""

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remem.core.binding import bind
from remem.core.connections.consent import consent_store
from remem.core.errors import NotFound
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.time import new_id, now
from remem.core.transaction import Row

LASTS = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Start:
    """`proof` is the PKCE verifier or the device code; the client is the person's own, if any."""

    proof: str = field(repr=False)
    redirect_uri: str = ""
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    chosen: tuple[str, ...] = ()
    project: str | None = None
    interval_s: int | None = None
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedStart:
    tenant_id: UUID
    user_id: UUID
    id: UUID
    provider: str
    start: Start


async def save_start(
    ports: Ports, scope: Scope, provider: str, start: Start
) -> tuple[UUID, str, datetime]:
    """Store the consent; return its id, its single-use state, and when it expires."""
    state, id, expires_at = new_token(), new_id(), now() + LASTS
    sealed = ports.secrets.seal(json.dumps(asdict(start)).encode(), _place(scope.tenant_id, id))
    bound = Bound(scope.tenant_id, scope.user_id, digest(state))
    async with ports.db.transaction(bound) as tx:
        await consent_store.delete_expired(tx.acting_for(scope))
        await consent_store.insert(tx, bound, id, provider, sealed, expires_at)
    return id, state, expires_at


async def find_start(ports: Ports, provider: str, state: str) -> SavedStart:
    bound = Bound(secret=digest(state))
    async with ports.db.transaction(bound) as tx:
        return _unseal(ports, await consent_store.find(tx, bound, provider))


async def find_own_start(ports: Ports, scope: Scope, id: UUID) -> SavedStart:
    async with ports.db.transaction(scope) as tx:
        return _unseal(ports, await consent_store.find_own(tx, id))


def _unseal(ports: Ports, row: Row | None) -> SavedStart:
    if row is None:
        raise NotFound("sign-in", hint="it was used, or is older than ten minutes; start again")
    place = _place(row["tenant_id"], row["id"])
    values: dict[str, Any] = json.loads(ports.secrets.open(row["sealed"], place))
    start = replace(Start(**values), chosen=tuple(values["chosen"]))
    return SavedStart(row["tenant_id"], row["user_id"], row["id"], row["provider"], start)


async def claim_start(ports: Ports, saved: SavedStart) -> bool:
    """Use up the consent; False if another request was first."""
    owner = Bound(tenant_id=saved.tenant_id, user_id=saved.user_id)
    async with ports.db.transaction(owner) as tx:
        await bind(tx, owner)
        return await consent_store.delete(tx, owner, saved.id)


def _place(tenant_id: UUID, id: UUID) -> str:
    return f"connection_starts|{tenant_id}|{id}|sealed"
