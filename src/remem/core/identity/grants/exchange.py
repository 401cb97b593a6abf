"""Exchange a code for tokens, and a refresh token for new ones: each works once.

A second use shows that two parties have the same token, so the grant is revoked. Only one valid
pair of tokens exists at a time: when a response was lost, a retry gets new tokens and those of the
lost response are invalidated, so that a later use of them is detected.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import Forbidden, Invalid, Unauthenticated
from remem.core.events.record import record
from remem.core.identity.clients import client_store
from remem.core.identity.clients.model import Client
from remem.core.identity.grants import grant_store
from remem.core.identity.grants.authenticate import covers
from remem.core.identity.grants.end import client_scope, end_grant_in
from remem.core.identity.grants.model import ACCESS_LIFETIME, REFRESH_LIFETIME, Grant, Tokens
from remem.core.identity.secrets import (
    ACCESS_PREFIX,
    REFRESH_PREFIX,
    digest,
    new_token,
    verifies_challenge,
)
from remem.core.ports import Ports
from remem.core.scope import Bound, Right
from remem.core.time import new_id
from remem.core.transaction import Row, SystemTx

# A client whose response was lost may retry a refresh within this time.
RETRY_WINDOW = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """The rights and resource of the tokens, if less than was granted."""

    rights: frozenset[Right] | None = None
    resource: str | None = None
    request_id: str | None = None


async def exchange(
    ports: Ports, client: Client, code: str, verifier: str, redirect_uri: str, request: TokenRequest
) -> Tokens:
    bound = Bound(secret=digest(code))
    tokens = None
    async with ports.db.transaction(bound) as tx:
        row = await grant_store.find_code(tx, bound)
        grant = await _lock(tx, client, row) if row else None
        if row and grant and await _spend(tx, grant, row, request):
            is_valid = row["is_living"] and row["redirect_uri"] == redirect_uri
            if is_valid and verifies_challenge(verifier, row["challenge"]):
                tokens = await _issue(tx, grant, request)
    # Raised outside the transaction, so that the code stays spent when the rest was wrong.
    if tokens is None:
        raise Unauthenticated("The code is invalid or has expired; ask the user again.")
    return tokens


async def _lock(tx: SystemTx, client: Client, row: Row) -> Grant | None:
    """Lock the grant of a code or token; None unless it is this client's and not revoked."""
    bound = Bound(tenant_id=row["tenant_id"])
    await bind(tx, bound)
    grant = await grant_store.lock(tx, bound, row["grant_id"])
    is_valid = grant and grant.client_id == client.id and grant.revoked_at is None
    return grant if is_valid else None


async def _spend(tx: SystemTx, grant: Grant, row: Row, request: TokenRequest) -> bool:
    bound = Bound(tenant_id=grant.tenant_id)
    if await grant_store.spend_code(tx, bound, row["id"]):
        return True
    await _end_reused(tx, grant, "code", request)
    return False


async def refresh(ports: Ports, client: Client, raw: str, request: TokenRequest) -> Tokens:
    bound = Bound(secret=digest(raw))
    tokens = None
    async with ports.db.transaction(bound) as tx:
        row = await grant_store.find_token(tx, bound)
        grant = await _lock(tx, client, row) if row else None
        # Read again: another request may have used it while this one waited for the lock.
        row = await grant_store.find_token(tx, bound)
        if row and grant and row["kind"] == "refresh" and row["is_living"]:
            if await _rotate(tx, grant, row):
                tokens = await _issue(tx, grant, request, row["id"])
            else:
                await _end_reused(tx, grant, "refresh_token", request)
    if tokens is None:
        raise Unauthenticated("The refresh token is invalid or has expired; ask the user again.")
    return tokens


async def _rotate(tx: SystemTx, grant: Grant, row: Row) -> bool:
    bound = Bound(tenant_id=grant.tenant_id)
    if row["dropped_at"]:
        return False
    if row["used_at"]:
        return await grant_store.drop_unused(tx, bound, row["id"], RETRY_WINDOW)
    await grant_store.use_token(tx, bound, row["id"])
    return True


async def _issue(
    tx: SystemTx, grant: Grant, request: TokenRequest, made_by: UUID | None = None
) -> Tokens:
    narrowed = _narrow_grant(grant, request)
    access_token, refresh_token = ACCESS_PREFIX + new_token(), REFRESH_PREFIX + new_token()
    for raw, kind, token_grant, lasts in (
        (access_token, "access", narrowed, ACCESS_LIFETIME),
        (refresh_token, "refresh", grant, REFRESH_LIFETIME),
    ):
        bound = Bound(tenant_id=grant.tenant_id, secret=digest(raw))
        await grant_store.insert_token(tx, bound, token_grant, kind, new_id(), lasts, made_by)
    await client_store.touch(tx, grant.client_id)
    return Tokens(access_token, refresh_token, narrowed.rights)


def _narrow_grant(grant: Grant, request: TokenRequest) -> Grant:
    rights, resource = request.rights or grant.rights, request.resource or grant.resource
    if excess := rights - grant.rights:
        raise Forbidden(f"The grant does not include: {', '.join(sorted(excess))}.")
    if not covers(grant.resource, resource):
        raise Invalid("resource", f"the grant is for {grant.resource}; ask for that, or below it")
    return replace(grant, rights=rights, resource=resource)


async def _end_reused(tx: SystemTx, grant: Grant, kind: str, request: TokenRequest) -> None:
    client_tx = tx.acting_for(client_scope(grant, request.request_id))
    await record(client_tx, "grant", grant.id, "reuse", {"of": kind})
    await end_grant_in(client_tx, grant.id, "reuse")
