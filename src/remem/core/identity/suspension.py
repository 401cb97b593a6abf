"""Refuse access to a tenant that the operator has suspended."""

from remem.core.errors import Forbidden
from remem.core.identity.plan_cache import is_suspended
from remem.core.ports import Ports
from remem.core.scope import Scope


async def require_active(ports: Ports, scope: Scope) -> None:
    if await is_suspended(ports, scope):
        raise Forbidden(
            "This account is suspended; everything in it is kept. Ask who runs this server.",
            code="suspended",
        )
