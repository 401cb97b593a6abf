"""List grants and revoke them."""

from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import NotFound
from remem.core.events.record import record
from remem.core.identity.clients.model import Client
from remem.core.identity.grants import grant_store
from remem.core.identity.grants.model import ActiveGrant, Grant
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.transaction import Tx


async def list_grants(ports: Ports, scope: Scope) -> list[ActiveGrant]:
    """The caller's own grants in this tenant that have a valid token."""
    async with ports.db.transaction(scope) as tx:
        return await grant_store.list_active(tx)


async def end_grant(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if await grant_store.find_active(tx, id) is None:
            raise NotFound("grant", id)
        await end_grant_in(tx, id, "person")


async def end_grant_in(tx: Tx, id: UUID, reason: str) -> None:
    """Revoke a grant in the caller's transaction; all its tokens stop working at once."""
    if await grant_store.revoke(tx.system, tx.scope.bound, id):
        await record(tx, "grant", id, "revoke", {"reason": reason})


async def end_all_grants_in(tx: Tx, reason: str) -> None:
    for id in await grant_store.revoke_of_user(tx.system, tx.scope.bound):
        await record(tx, "grant", id, "revoke", {"reason": reason})


async def revoke_token(ports: Ports, client: Client, raw: str, request_id: str | None) -> None:
    """Revoke a token of the client. A refresh token revokes the grant as well; a token that is
    unknown or of another client is ignored."""
    bound = Bound(secret=digest(raw))
    async with ports.db.transaction(bound) as tx:
        row = await grant_store.find_token(tx, bound)
        if row is None:
            return
        tenant_bound = Bound(tenant_id=row["tenant_id"])
        await bind(tx, tenant_bound)
        grant = await grant_store.lock(tx, tenant_bound, row["grant_id"])
        if grant is None or grant.client_id != client.id:
            return
        if row["kind"] == "refresh":
            await end_grant_in(tx.acting_for(client_scope(grant, request_id)), grant.id, "client")
        else:
            await grant_store.drop_token(tx, tenant_bound, row["id"])


def client_scope(grant: Grant, request_id: str | None) -> Scope:
    """The scope of a grant's client, with the actor named in the audit trail."""
    return Scope(grant.tenant_id, grant.user_id, grant.rights, actor_of(grant.id), request_id)


def actor_of(grant_id: UUID) -> str:
    return f"grant:{grant_id}"
