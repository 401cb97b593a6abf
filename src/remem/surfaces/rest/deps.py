"""What a route asks for: the ports, and a caller with the right it needs."""

from typing import Annotated

from fastapi import Depends, Request

from remem.core.identity.suspension import require_active
from remem.core.scope import Right, Scope
from remem.surfaces.counting import spend
from remem.surfaces.dependencies import PortsDep, SettingsDep, get_ports, get_settings
from remem.surfaces.rest.auth import recognise

__all__ = ["Admin", "Caller", "PortsDep", "Reader", "SettingsDep", "Writer", "get_caller"]


async def get_caller(request: Request) -> Scope:
    """Deny unless authenticated; every route except the few public ones depends on this."""
    if not hasattr(request.state, "caller"):
        request.state.caller = await _admit(request)
    return request.state.caller


async def _admit(request: Request) -> Scope:
    ports, settings = await get_ports(request), await get_settings(request)
    caller = await recognise(ports, settings, request)
    await require_active(ports, caller)
    # What another API of this process asks for its caller was counted there.
    if not hasattr(request.state, "trusted_caller"):
        await spend(ports, settings, request, caller)
    return caller


async def get_reader(caller: Annotated[Scope, Depends(get_caller)]) -> Scope:
    caller.require(Right.READ)
    return caller


async def get_writer(caller: Annotated[Scope, Depends(get_caller)]) -> Scope:
    caller.require(Right.WRITE)
    return caller


async def get_admin(caller: Annotated[Scope, Depends(get_caller)]) -> Scope:
    caller.require(Right.ADMIN)
    return caller


Caller = Annotated[Scope, Depends(get_caller)]
Reader = Annotated[Scope, Depends(get_reader)]
Writer = Annotated[Scope, Depends(get_writer)]
Admin = Annotated[Scope, Depends(get_admin)]
