"""The signed-in browsers of a user: list them, sign one out, sign one in with a link."""

from datetime import datetime, timedelta
from uuid import UUID

from remem.core.binding import bind
from remem.core.errors import Forbidden, NotFound, Unauthenticated
from remem.core.events.record import record
from remem.core.identity import sign_in_link_store, sign_in_store
from remem.core.identity.attempts import Visitor
from remem.core.identity.model import BrowserSession, SignIn
from remem.core.identity.secrets import digest, new_token
from remem.core.identity.sign_in import open_session
from remem.core.ports import Ports
from remem.core.scope import ALL_RIGHTS, Bound, Scope
from remem.core.time import new_id, now

LINK_LIFETIME = timedelta(minutes=10)


async def list_sessions(ports: Ports, scope: Scope, token: str | None) -> list[BrowserSession]:
    """Every browser of the caller, newest first; `token` is the cookie of the current one."""
    bound = Bound(scope.tenant_id, scope.user_id, digest(token) if token else None)
    async with ports.db.transaction(bound) as tx:
        return await sign_in_store.list_sign_ins(tx, bound)


async def end_session(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if not await sign_in_store.delete_sign_in(tx.system, scope.bound, id):
            raise NotFound("session", id)
        await record(tx, "session", id, "revoke")


async def make_link(ports: Ports, scope: Scope) -> tuple[str, datetime]:
    """Create a token that signs a browser in as the caller, once; return it and when it expires.

    A signed-in browser has all rights of its user, for weeks, so the caller must have them too."""
    if scope.rights != ALL_RIGHTS or scope.expires_at:
        raise Forbidden(
            "A link that signs in needs a key with every scope that does not expire; use one.",
            code="scope_missing",
        )
    token, expires_at = new_token(), now() + LINK_LIFETIME
    bound = Bound(scope.tenant_id, scope.user_id, digest(token))
    async with ports.db.transaction(bound) as tx:
        await sign_in_link_store.insert_link(tx, bound, new_id(), expires_at)
    return token, expires_at


async def use_link(ports: Ports, token: str, visitor: Visitor) -> SignIn:
    """Sign a browser in with a link, which works only once."""
    bound = Bound(secret=digest(token))
    async with ports.db.transaction(bound) as tx:
        row = await sign_in_link_store.find_link(tx, bound)
        if row is not None:
            owner = Bound(tenant_id=row["tenant_id"], user_id=row["user_id"])
            await bind(tx, owner)
            row = row if await sign_in_link_store.delete_link(tx, owner, row["id"]) else None
    if row is None:
        raise Unauthenticated(
            "This link was used already, or is older than ten minutes; `remem open` makes another.",
            code="link_used",
        )
    return await open_session(ports, row["user_id"], visitor, row["tenant_id"])
