"""Check that a request comes from this computer, as required for sign-in links."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from remem.settings import Settings, is_loopback
from remem.surfaces.address import base_url, came_by_local_socket


def is_from_this_computer(settings: Settings, request: HTTPConnection) -> bool:
    """Checks the source and the target address: behind a proxy that is not configured as one, all
    requests come from this computer."""
    if came_by_local_socket(request):
        return True
    source = request.client.host if request.client else ""
    target = urlsplit(base_url(settings, request)).hostname or ""
    return is_loopback(source) and is_loopback(target)
