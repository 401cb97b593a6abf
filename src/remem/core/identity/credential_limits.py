"""What a credential may not do: reach other tenants, or create something that outlasts it."""

from uuid import UUID

from remem.core.errors import Forbidden
from remem.core.identity import identity_store
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def require_access(tx: Tx, tenant_id: UUID | None = None) -> None:
    """Require that the credential may access the tenant: one of a user's own space may access all
    of their tenants, any other only its own. No `tenant_id` means the account itself."""
    if tenant_id == tx.scope.tenant_id:
        return
    tenants = await identity_store.tenants_of_user(tx.system, tx.scope.bound)
    if not any(tenant.id == tx.scope.tenant_id and tenant.kind == "user" for tenant in tenants):
        raise Forbidden("This credential is of an organization; use one of your own space.")


def refuse_expiring(scope: Scope, action: str) -> None:
    """Refuse a credential that expires, which must not create anything that outlasts it."""
    if scope.expires_at:
        raise Forbidden(
            f"This credential expires, so it cannot {action}; use one that does not.",
            code="credential_expires",
        )
