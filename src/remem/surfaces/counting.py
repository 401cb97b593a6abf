"""Requests count the same at every API."""

from starlette.requests import Request

from remem.core.identity.rate import is_browser, spend_browser_request, spend_request
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.address import came_by_local_socket


async def spend(ports: Ports, settings: Settings, request: Request, caller: Scope) -> None:
    """Raise RateLimited when the credential or its user has asked too often; the reply says in
    its headers what is left."""
    if came_by_local_socket(request):
        return
    if is_browser(caller):
        request.state.allowance = await spend_browser_request(
            ports, caller, settings.most_browser_requests
        )
    else:
        request.state.allowance = await spend_request(
            ports, caller, settings.rate_limit, settings.most_user_requests
        )
