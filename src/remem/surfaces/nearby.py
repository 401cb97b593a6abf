"""Whether a request comes from this computer: what a sign-in link is made and used by."""

from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from remem.settings import Settings, is_loopback
from remem.surfaces.address import base_of, came_by_local_socket


def is_from_here(settings: Settings, request: HTTPConnection) -> bool:
    """By the address it came from and the one it was sent to: behind a proxy that is not known to
    be one, everybody's requests come from this computer."""
    if came_by_local_socket(request):
        return True
    came_from = request.client.host if request.client else ""
    sent_to = urlsplit(base_of(settings, request)).hostname or ""
    return is_loopback(came_from) and is_loopback(sent_to)
