"""How far a credential reaches: one of an organization works there and nowhere else."""

from uuid import UUID

from remem.core.db import Tx
from remem.core.errors import Forbidden
from remem.core.identity import store
from remem.core.scope import Scope


async def require_reach(tx: Tx, scope: Scope, tenant_id: UUID | None = None) -> None:
    """Let a credential of one's own space reach everything that is one's own; any other only
    the tenant it is for. No `tenant_id` means the account itself."""
    if tenant_id == scope.tenant_id:
        return
    mine = await store.tenants_of_user(tx, scope.bound)
    if not any(one.id == scope.tenant_id and one.kind == "user" for one in mine):
        raise Forbidden("This credential is of an organization; use one of your own space.")


def refuse_lasting(scope: Scope, what: str) -> None:
    """A credential that ends makes nothing that outlasts it."""
    if scope.expires_at:
        raise Forbidden(
            f"This credential expires, so it cannot {what}; use one that does not.",
            code="credential_expires",
        )
