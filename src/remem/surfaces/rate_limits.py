"""Count requests against the rate limits, for every API alike."""

from starlette.requests import Request

from remem.core.identity.rate import count_browser_request, count_request, is_browser
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.settings import Settings
from remem.surfaces.address import came_by_local_socket


async def check_rate_limit(
    ports: Ports, settings: Settings, request: Request, caller: Scope
) -> None:
    """Count a request. Raises RateLimited if the credential or its user sent too many. The response
    reports the remaining requests in its headers."""
    if came_by_local_socket(request):
        return
    if is_browser(caller):
        request.state.allowance = await count_browser_request(
            ports, caller, settings.max_browser_requests
        )
    else:
        request.state.allowance = await count_request(
            ports, caller, settings.rate_limit, settings.max_user_requests
        )
