"""Turn a client's token into the scope of who let it in, never more than they may do today."""

from remem.core.db import Row
from remem.core.errors import Unauthenticated
from remem.core.identity.grants import store
from remem.core.identity.grants.end import actor_of
from remem.core.identity.model import RIGHTS_OF_ROLE
from remem.core.identity.register import bind
from remem.core.identity.secrets import digest
from remem.core.ports import Ports
from remem.core.scope import Bound, Right, Scope


async def recognise_token(ports: Ports, raw: str, place: str, request_id: str | None) -> Scope:
    """The address that is asked for, `place`, must be what the token is for, or below it."""
    bound = Bound(secret=digest(raw))
    async with ports.db.transaction(bound) as tx:
        row = _good(await store.find_token(tx, bound), place)
        here = Bound(tenant_id=row["tenant_id"])
        await bind(tx, here)
        holder = await store.find_holder(tx, here, row["grant_id"])
        if holder is None:
            raise Unauthenticated("This grant was ended; sign in again.", code="token_revoked")
        if row["used_at"] is None:
            await store.use_token(tx, here, row["id"])
        if holder["is_stale"]:
            await store.touch(tx, here, row["grant_id"])
    may = RIGHTS_OF_ROLE[holder["role"]]
    return Scope(
        tenant_id=row["tenant_id"],
        user_id=holder["user_id"],
        rights=frozenset(Right(scope) for scope in row["scopes"]) & may,
        actor=actor_of(row["grant_id"]),
        request_id=request_id,
    )


def _good(row: Row | None, place: str) -> Row:
    if row is None or row["kind"] != "access":
        raise Unauthenticated("This token is not known here; sign in again.", code="token_unknown")
    if row["dropped_at"]:
        raise Unauthenticated("This token was revoked; sign in again.", code="token_revoked")
    if not row["is_living"]:
        raise Unauthenticated("This token is past its time; refresh it.", code="token_expired")
    if not covers(row["resource"], place):
        raise Unauthenticated(
            f"This token is for {row['resource']}; get one for this address.",
            code="wrong_resource",
        )
    return row


def covers(resource: str, place: str) -> bool:
    """Whether the place is the resource or lies below it."""
    return place == resource or place.startswith(f"{resource}/")
