"""Look at an account and keep nothing: before it is connected, or to see that it still works."""

from dataclasses import asdict, dataclass
from uuid import UUID

from remem.core.connections import store
from remem.core.connections.access import while_a_person_waits
from remem.core.connections.connect import prepare
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.find import find_connector
from remem.core.connections.model import NewConnection
from remem.core.connections.usage import Usage, metered
from remem.core.connectors.model import Access, Resource, SeenItem
from remem.core.connectors.port import Connector
from remem.core.ports import Ports
from remem.core.scope import Scope

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Checked:
    """`seen` items are on the first page, and there are `more` pages or not; `resources` are what
    can be chosen. `usage` is what was read today where that costs money, with this check."""

    account: str
    seen: int
    more: bool
    paths: list[str]
    resources: tuple[Resource, ...]
    usage: Usage | None


async def check_account(ports: Ports, scope: Scope, new: NewConnection) -> Checked:
    """What would be connected."""
    connector, access = prepare(ports, scope, new)
    with while_a_person_waits():
        return await _look(connector, access)


async def check_connection(ports: Ports, scope: Scope, id: UUID) -> Checked:
    async with ports.db.transaction(scope) as tx:
        connection = await store.require(tx, scope, id)
    connector = find_connector(ports, connection.provider)
    with while_a_person_waits():
        access = await fresh_access(ports, scope, connector, connection)
        try:
            return await _look(connector, access)
        finally:
            await _count_reads(ports, scope, id, access)


async def _count_reads(ports: Ports, scope: Scope, id: UUID, access: Access) -> None:
    """A check costs as much as a sync, and counts as one."""
    if access.meter.reads:
        async with ports.db.transaction(scope) as tx:
            await store.set_meter(tx, scope, id, asdict(access.meter))


async def _look(connector: Connector, access: Access) -> Checked:
    account = await connector.account(access)
    page = await connector.resources(access, None, None)
    seen, more = await _first_page(connector, access) if access.chosen else ([], False)
    paths = [item.path or item.reference for item in seen[:EXAMPLES]]
    usage = metered(connector.provider, access.settings, access.meter)
    return Checked(account.name, len(seen), more, paths, page.resources, usage)


async def _first_page(connector: Connector, access: Access) -> tuple[list[SeenItem], bool]:
    mark = await connector.begin(access)
    page = await connector.walk(access, None)
    if page.seen:
        return list(page.seen), page.at is not None
    changes = await connector.changes(access, mark)
    return [item for item in changes.changes if isinstance(item, SeenItem)], not changes.is_last
