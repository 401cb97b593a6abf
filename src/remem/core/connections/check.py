"""Check an account without storing anything, before it is connected or to see if it still works."""

from dataclasses import asdict, dataclass
from uuid import UUID

from remem.core.connections import connection_store
from remem.core.connections.access import translate_service_errors
from remem.core.connections.connect import prepare
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.find import find_connector
from remem.core.connections.model import NewConnection
from remem.core.connections.usage import Usage, usage_from_meter
from remem.core.connectors.model import Access, Resource, SeenItem
from remem.core.connectors.port import Connector
from remem.core.ports import Ports
from remem.core.scope import Scope

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class AccountCheck:
    """`seen` is the number of items on the first page, `more` whether there are other pages;
    `resources` can be chosen. `usage` counts today's reads, including this check, if they cost
    money."""

    account: str
    seen: int
    more: bool
    paths: list[str]
    resources: tuple[Resource, ...]
    usage: Usage | None


async def check_account(ports: Ports, scope: Scope, new: NewConnection) -> AccountCheck:
    """Check an account that is not connected yet."""
    connector, access = prepare(ports, scope, new)
    with translate_service_errors():
        return await _inspect(connector, access)


async def check_connection(ports: Ports, scope: Scope, id: UUID) -> AccountCheck:
    async with ports.db.transaction(scope) as tx:
        connection = await connection_store.require(tx, id)
    connector = find_connector(ports, connection.provider)
    with translate_service_errors():
        access = await fresh_access(ports, scope, connector, connection)
        try:
            return await _inspect(connector, access)
        finally:
            await _count_reads(ports, scope, id, access)


async def _count_reads(ports: Ports, scope: Scope, id: UUID, access: Access) -> None:
    """Count the reads of a check, which cost money like those of a sync."""
    if access.meter.reads:
        async with ports.db.transaction(scope) as tx:
            await connection_store.set_meter(tx, id, asdict(access.meter))


async def _inspect(connector: Connector, access: Access) -> AccountCheck:
    account = await connector.account(access)
    page = await connector.resources(access, None, None)
    seen, more = await _first_page(connector, access) if access.chosen else ([], False)
    paths = [item.path or item.reference for item in seen[:EXAMPLES]]
    usage = usage_from_meter(connector.provider, access.settings, access.meter)
    return AccountCheck(account.name, len(seen), more, paths, page.resources, usage)


async def _first_page(connector: Connector, access: Access) -> tuple[list[SeenItem], bool]:
    mark = await connector.begin(access)
    page = await connector.walk(access, None)
    if page.seen:
        return list(page.seen), page.at is not None
    changes = await connector.changes(access, mark)
    return [item for item in changes.changes if isinstance(item, SeenItem)], not changes.is_last
