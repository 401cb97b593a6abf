"""Today's reads at a service that charges for them, and their cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from remem.core.connections.model import Connection
from remem.core.connectors.model import Meter
from remem.core.connectors.provider import Provider
from remem.core.ports import Ports
from remem.core.time import now


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of one day (UTC); `usd` is approximately what the service charges."""

    reads: int
    most_reads: int
    usd: float
    most_usd: float


def usage_of(ports: Ports, connection: Connection) -> Usage | None:
    """The usage, or None for a service that charges nothing."""
    connector = ports.connectors.get(connection.provider)
    if connector is None:
        return None
    meter = Meter(**connection.cursor.get("meter", {}))
    return usage_from_meter(connector.provider, connection.settings, meter)


def usage_from_meter(provider: Provider, settings: Mapping[str, Any], meter: Meter) -> Usage | None:
    price = provider.price
    if price is None:
        return None
    configured = str(settings.get(price.field) or "")
    most = int(configured) if configured.isascii() and configured.isdigit() else price.reads_per_day
    reads = meter.on(now().astimezone(UTC).date().isoformat())
    usd, most_usd = reads * price.usd_per_read, most * price.usd_per_read
    return Usage(reads, most, round(usd, 4), round(most_usd, 4))
