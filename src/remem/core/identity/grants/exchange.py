"""Tokens for a code, and new tokens for a refresh token: each works once.

A second use shows that two parties have the same token, so the grant ends. Only one
living pair of tokens exists at a time: an answer that was lost is given again as new tokens, and
its tokens are invalidated, so that a later use of them is detected.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from remem.core.db import Row, Tx
from remem.core.errors import Forbidden, Invalid, Unauthenticated
from remem.core.events.record import record
from remem.core.identity.clients import store as clients
from remem.core.identity.clients.model import Client
from remem.core.identity.grants import store
from remem.core.identity.grants.end import acting, end_in
from remem.core.identity.grants.model import ACCESS_LASTS, REFRESH_LASTS, Grant, Tokens
from remem.core.identity.grants.recognise import covers
from remem.core.identity.register import bind
from remem.core.identity.secrets import (
    ACCESS_PREFIX,
    REFRESH_PREFIX,
    digest,
    new_token,
    proves,
)
from remem.core.ports import Ports
from remem.core.scope import Bound, Right
from remem.core.time import new_id

# How soon a client whose answer was lost asks again.
LOST_ANSWER = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the tokens shall be for, when that is less than what was granted."""

    rights: frozenset[Right] | None = None
    resource: str | None = None
    request_id: str | None = None


async def exchange(
    ports: Ports, client: Client, code: str, verifier: str, redirect_uri: str, wish: Wish
) -> Tokens:
    bound = Bound(secret=digest(code))
    tokens = None
    async with ports.db.transaction(bound) as tx:
        row = await store.find_code(tx, bound)
        grant = await _lock(tx, client, row) if row else None
        if row and grant and await _spend(tx, grant, row, wish):
            same = row["is_living"] and row["redirect_uri"] == redirect_uri
            if same and proves(verifier, row["challenge"]):
                tokens = await _issue(tx, grant, wish)
    # Raised outside, so that a code stays spent when what came with it was wrong.
    if tokens is None:
        raise Unauthenticated("The code is not good, or no longer; ask the person again.")
    return tokens


async def _lock(tx: Tx, client: Client, row: Row) -> Grant | None:
    """The grant of a code or token, if it is this client's and still valid."""
    here = Bound(tenant_id=row["tenant_id"])
    await bind(tx, here)
    grant = await store.lock(tx, here, row["grant_id"])
    ours = grant and grant.client_id == client.id and grant.revoked_at is None
    return grant if ours else None


async def _spend(tx: Tx, grant: Grant, row: Row, wish: Wish) -> bool:
    here = Bound(tenant_id=grant.tenant_id)
    if await store.spend_code(tx, here, row["id"]):
        return True
    await _end_reused(tx, grant, "code", wish)
    return False


async def refresh(ports: Ports, client: Client, raw: str, wish: Wish) -> Tokens:
    bound = Bound(secret=digest(raw))
    tokens = None
    async with ports.db.transaction(bound) as tx:
        row = await store.find_token(tx, bound)
        grant = await _lock(tx, client, row) if row else None
        # Read again: another may have used it while this one waited for the grant.
        row = await store.find_token(tx, bound)
        if row and grant and row["kind"] == "refresh" and row["is_living"]:
            if await _rotate(tx, grant, row):
                tokens = await _issue(tx, grant, wish, row["id"])
            else:
                await _end_reused(tx, grant, "refresh_token", wish)
    if tokens is None:
        raise Unauthenticated("The refresh token is not good, or no longer; ask the person again.")
    return tokens


async def _rotate(tx: Tx, grant: Grant, row: Row) -> bool:
    here = Bound(tenant_id=grant.tenant_id)
    if row["dropped_at"]:
        return False
    if row["used_at"]:
        return await store.drop_unseen(tx, here, row["id"], LOST_ANSWER)
    await store.use_token(tx, here, row["id"])
    return True


async def _issue(tx: Tx, grant: Grant, wish: Wish, made_by: UUID | None = None) -> Tokens:
    lesser = _narrowed(grant, wish)
    access, renewal = ACCESS_PREFIX + new_token(), REFRESH_PREFIX + new_token()
    for raw, kind, of, lasts in (
        (access, "access", lesser, ACCESS_LASTS),
        (renewal, "refresh", grant, REFRESH_LASTS),
    ):
        here = Bound(tenant_id=grant.tenant_id, secret=digest(raw))
        await store.insert_token(tx, here, of, kind, new_id(), lasts, made_by)
    await clients.touch(tx, Bound(), grant.client_id)
    return Tokens(access, renewal, lesser.rights)


def _narrowed(grant: Grant, wish: Wish) -> Grant:
    rights, resource = wish.rights or grant.rights, wish.resource or grant.resource
    if excess := rights - grant.rights:
        raise Forbidden(f"The grant does not reach so far: {', '.join(sorted(excess))}.")
    if not covers(grant.resource, resource):
        raise Invalid("resource", f"the grant is for {grant.resource}; ask for that, or below it")
    return replace(grant, rights=rights, resource=resource)


async def _end_reused(tx: Tx, grant: Grant, what: str, wish: Wish) -> None:
    scope = acting(grant, wish.request_id)
    await record(tx, scope, "grant", grant.id, "reuse", {"of": what})
    await end_in(tx, scope, grant.id, "reuse")
