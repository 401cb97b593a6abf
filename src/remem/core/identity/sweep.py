"""Delete what has expired: sign-ins, links, tokens, codes, grants without any, request counts."""

from remem.core.identity.everyone import every_tenant
from remem.core.identity.grants import store as grants
from remem.core.identity.links import store as links
from remem.core.identity.rate import WINDOW_S
from remem.core.identity.sign_ins import store as sign_ins
from remem.core.ports import Ports


async def sweep_expired(ports: Ports) -> None:
    """Sweep tenant by tenant; safe to run concurrently."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await grants.delete_expired(tx)
            await sign_ins.delete_expired_sign_ins(tx)
            await links.delete_expired_links(tx)
    await ports.rate.sweep(WINDOW_S)
