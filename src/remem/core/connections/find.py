"""Find the connector of a service by name."""

from remem.core.connectors.port import Connector
from remem.core.errors import NotFound
from remem.core.ports import Ports
from remem.core.text import shorten


def find_connector(ports: Ports, provider: str) -> Connector:
    connector = ports.connectors.get(provider)
    if connector is None:
        hint = f"use one of: {', '.join(ports.connectors)}"
        raise NotFound("connector", shorten(provider, 50), hint=hint)
    return connector
