"""Turn a client's token into a scope of its user, limited to the user's current role."""

from remem.core.binding import bind
from remem.core.errors import Unauthenticated
from remem.core.identity.grants import grant_store
from remem.core.identity.grants.end import actor_of
from remem.core.identity.model import RIGHTS_OF_ROLE
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope
from remem.core.transaction import Row


async def authenticate_token(ports: Ports, raw: str, url: str, request_id: str | None) -> Scope:
    """Authenticate a token. The requested URL must be the token's resource, or below it."""
    bound = Bound(secret=digest(raw))
    async with ports.db.transaction(bound) as tx:
        row = _require_valid(await grant_store.find_token(tx, bound), url)
        tenant_bound = Bound(tenant_id=row["tenant_id"])
        await bind(tx, tenant_bound)
        holder = await grant_store.find_holder(tx, tenant_bound, row["grant_id"])
        if holder is None:
            raise Unauthenticated("This grant was ended; sign in again.", code="token_revoked")
        if row["used_at"] is None:
            await grant_store.use_token(tx, tenant_bound, row["id"])
        if holder["is_stale"]:
            await grant_store.touch(tx, tenant_bound, row["grant_id"])
    allowed = RIGHTS_OF_ROLE[holder["role"]]
    return Scope(
        tenant_id=row["tenant_id"],
        user_id=holder["user_id"],
        rights=frozenset(Right(scope) for scope in row["scopes"]) & allowed,
        actor=actor_of(row["grant_id"]),
        request_id=request_id,
    )


def _require_valid(row: Row | None, url: str) -> Row:
    if row is None or row["kind"] != "access":
        raise Unauthenticated("This token is not known here; sign in again.", code="token_unknown")
    if row["dropped_at"]:
        raise Unauthenticated("This token was revoked; sign in again.", code="token_revoked")
    if not row["is_living"]:
        raise Unauthenticated("This token has expired; refresh it.", code="token_expired")
    if not covers(row["resource"], url):
        raise Unauthenticated(
            f"This token is for {row['resource']}; get one for this address.",
            code="wrong_resource",
        )
    return row


def covers(resource: str, url: str) -> bool:
    """Whether the URL is the resource or below it."""
    return url == resource or url.startswith(f"{resource}/")
