"""Delete what is past its time: sign-ins, tokens, codes, grants that have none, old counts."""

from remem.core.identity.everyone import every_tenant
from remem.core.identity.grants import store as grants
from remem.core.identity.links import store as links
from remem.core.identity.rate import WINDOW_S
from remem.core.identity.sign_ins import store as sign_ins
from remem.core.ports import Ports


async def sweep_past(ports: Ports) -> None:
    """Tenant by tenant; safe however many do it at once."""
    async for scope in every_tenant(ports):
        async with ports.db.transaction(scope) as tx:
            await grants.delete_past(tx, scope)
            await sign_ins.delete_past_sign_ins(tx, scope)
            await links.delete_past_links(tx, scope)
    await ports.rate.sweep(WINDOW_S)
