"""What is kept of a consent while the person is at the service: sealed, found by its state."""

import json
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from remem.core.connections.consent import store
from remem.core.db import Row
from remem.core.errors import NotFound
from remem.core.identity.register import bind
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.time import new_id, now

LASTS = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Start:
    """`proof` is the verifier of PKCE, or the code of a device; the client is the person's own."""

    proof: str = field(repr=False)
    redirect_uri: str = ""
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    chosen: tuple[str, ...] = ()
    project: str | None = None
    interval_s: int | None = None
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundStart:
    tenant_id: UUID
    user_id: UUID
    id: UUID
    provider: str
    start: Start


async def keep_start(
    ports: Ports, scope: Scope, provider: str, start: Start
) -> tuple[UUID, str, datetime]:
    """Its id, the state that finds it again, once, and until when."""
    state, id, expires_at = new_token(), new_id(), now() + LASTS
    sealed = ports.secrets.seal(json.dumps(asdict(start)).encode(), _place(scope.tenant_id, id))
    bound = Bound(scope.tenant_id, scope.user_id, digest(state))
    async with ports.db.transaction(bound) as tx:
        await store.delete_past(tx, scope)
        await store.insert(tx, bound, id, provider, sealed, expires_at)
    return id, state, expires_at


async def find_start(ports: Ports, provider: str, state: str) -> FoundStart:
    bound = Bound(secret=digest(state))
    async with ports.db.transaction(bound) as tx:
        return _opened(ports, await store.find(tx, bound, provider))


async def find_own_start(ports: Ports, scope: Scope, id: UUID) -> FoundStart:
    async with ports.db.transaction(scope) as tx:
        return _opened(ports, await store.find_own(tx, scope, id))


def _opened(ports: Ports, row: Row | None) -> FoundStart:
    if row is None:
        raise NotFound("sign-in", hint="it was used, or is older than ten minutes; begin again")
    place = _place(row["tenant_id"], row["id"])
    found: dict[str, Any] = json.loads(ports.secrets.open(row["sealed"], place))
    start = replace(Start(**found), chosen=tuple(found["chosen"]))
    return FoundStart(row["tenant_id"], row["user_id"], row["id"], row["provider"], start)


async def use_start(ports: Ports, found: FoundStart) -> bool:
    """False when somebody was quicker."""
    owner = Bound(tenant_id=found.tenant_id, user_id=found.user_id)
    async with ports.db.transaction(owner) as tx:
        await bind(tx, owner)
        return await store.delete(tx, owner, found.id)


def _place(tenant_id: UUID, id: UUID) -> str:
    return f"connection_starts|{tenant_id}|{id}|sealed"
