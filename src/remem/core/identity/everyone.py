"""Every tenant, for scheduled work: each is accessed as one of its members."""

from collections.abc import AsyncIterator
from uuid import UUID

from remem.core.identity import identity_store
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope

_PAGE = 100


async def every_tenant(ports: Ports) -> AsyncIterator[Scope]:
    """Yield a scope of each tenant once. No query sees more than one user may see."""
    seen: set[UUID] = set()
    after: UUID | None = None
    while True:
        async with ports.db.transaction(Bound()) as tx:
            users = await identity_store.user_ids(tx, after, _PAGE)
        for user_id in users:
            for scope in await _scopes(ports, user_id):
                if scope.tenant_id not in seen:
                    seen.add(scope.tenant_id)
                    yield scope
        if len(users) < _PAGE:
            return
        after = users[-1]


async def _scopes(ports: Ports, user_id: UUID) -> list[Scope]:
    bound = Bound(user_id=user_id)
    async with ports.db.transaction(bound) as tx:
        tenants = await identity_store.tenants_of_user(tx, bound)
    return [Scope(tenant_id=tenant.id, user_id=user_id, actor="clock") for tenant in tenants]
