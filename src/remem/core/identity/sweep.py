"""Delete what has expired: sign-ins, links, tokens, codes, grants without any, request counts."""

from remem.core.identity import sign_in_link_store, sign_in_store
from remem.core.identity.everyone import every_tenant
from remem.core.identity.grants import grant_store
from remem.core.identity.rate import WINDOW_S
from remem.core.ports import Ports


async def sweep_expired(ports: Ports) -> None:
    """Sweep tenant by tenant; safe to run concurrently."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await grant_store.delete_expired(tx)
            await sign_in_store.delete_expired_sign_ins(tx)
            await sign_in_link_store.delete_expired_links(tx)
    await ports.rate.sweep(WINDOW_S)
