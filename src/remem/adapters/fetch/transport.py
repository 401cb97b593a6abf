"""An HTTP transport that dials only addresses that were checked."""

import httpcore2
import httpx2

from remem.adapters.fetch.addresses import Guard
from remem.adapters.fetch.dial import GuardedDial


def guarded_transport(guard: Guard) -> httpx2.AsyncHTTPTransport:
    """As httpx makes it, but with our own way to open a connection: it offers no other place to
    give one."""
    transport = httpx2.AsyncHTTPTransport(trust_env=False)
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=httpx2.create_ssl_context(trust_env=False),
        network_backend=GuardedDial(guard),
        max_connections=20,
        max_keepalive_connections=5,
    )
    return transport
