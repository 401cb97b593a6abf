"""See what clients were let do, and end it."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.identity.clients.model import Client
from remem.core.identity.grants import store
from remem.core.identity.grants.model import Grant, Standing
from remem.core.identity.register import bind
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope


async def list_grants(ports: Ports, scope: Scope) -> list[Standing]:
    """One's own in this tenant, as long as they have a token that works."""
    async with ports.db.transaction(scope) as tx:
        return await store.list_standing(tx, scope)


async def end_grant(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if await store.find_standing(tx, scope, id) is None:
            raise NotFound("grant", id)
        await end_in(tx, scope, id, "person")


async def end_in(tx: Tx, scope: Scope, id: UUID, reason: str) -> None:
    """In the caller's transaction; every token of it stops working at once."""
    if await store.revoke(tx, scope.bound, id):
        await record(tx, scope, "grant", id, "revoke", {"reason": reason})


async def end_all_in(tx: Tx, scope: Scope, reason: str) -> None:
    for id in await store.revoke_of_user(tx, scope.bound):
        await record(tx, scope, "grant", id, "revoke", {"reason": reason})


async def hand_back(ports: Ports, client: Client, raw: str, request_id: str | None) -> None:
    """A client gives up a token. A refresh token takes the grant along; one that is not known, or
    not its own, is nobody's loss."""
    bound = Bound(secret=digest(raw))
    async with ports.db.transaction(bound) as tx:
        row = await store.find_token(tx, bound)
        if row is None:
            return
        here = Bound(tenant_id=row["tenant_id"])
        await bind(tx, here)
        grant = await store.lock(tx, here, row["grant_id"])
        if grant is None or grant.client_id != client.id:
            return
        if row["kind"] == "refresh":
            await end_in(tx, acting(grant, request_id), grant.id, "client")
        else:
            await store.drop_token(tx, here, row["id"])


def acting(grant: Grant, request_id: str | None) -> Scope:
    """The client of a grant, as the audit trail names it."""
    return Scope(grant.tenant_id, grant.user_id, grant.rights, actor_of(grant.id), request_id)


def actor_of(grant_id: UUID) -> str:
    return f"grant:{grant_id}"
