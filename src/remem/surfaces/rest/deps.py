"""Dependencies of routes: the ports, and a caller with the right that the route needs."""

from typing import Annotated

from fastapi import Depends, Request

from remem.core.identity.suspension import require_active
from remem.core.scope import Right, Scope
from remem.surfaces.dependencies import PortsDep, SettingsDep, get_ports, get_settings
from remem.surfaces.rate_limits import check_rate_limit
from remem.surfaces.rest.auth import recognise

__all__ = ["Admin", "Caller", "PortsDep", "Reader", "SettingsDep", "Writer", "get_caller"]


async def get_caller(request: Request) -> Scope:
    """Deny unless authenticated; every route except the few public ones depends on this."""
    if not hasattr(request.state, "caller"):
        request.state.caller = await _authenticate(request)
    return request.state.caller


async def _authenticate(request: Request) -> Scope:
    ports, settings = await get_ports(request), await get_settings(request)
    caller = await recognise(ports, settings, request)
    await require_active(ports, caller)
    # Another API of this process has counted the request already.
    if not hasattr(request.state, "trusted_caller"):
        await check_rate_limit(ports, settings, request, caller)
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
