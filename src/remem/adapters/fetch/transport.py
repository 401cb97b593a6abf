"""An HTTP transport that connects only to checked addresses."""

import httpcore2
import httpx2

from remem.adapters.fetch.addresses import Guard
from remem.adapters.fetch.dial import GuardedDial


def guarded_transport(guard: Guard) -> httpx2.AsyncHTTPTransport:
    """Return httpx's transport with our network backend, set through a private attribute because
    httpx has no option for it."""
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=httpx2.create_ssl_context(trust_env=False),
        network_backend=GuardedDial(guard),
        max_connections=20,
        max_keepalive_connections=5,
    )
    return transport
