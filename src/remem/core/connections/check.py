"""Look at an account and keep nothing: before it is connected, or to see that it still works."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.connections.access import while_a_person_waits
from remem.core.connections.connect import prepare
from remem.core.connections.consent.refresh import fresh_access
from remem.core.connections.find import find_connector
from remem.core.connections.manage import require_connection
from remem.core.connections.model import NewConnection
from remem.core.connectors import Access, Connector, Resource, SeenItem
from remem.core.ports import Ports
from remem.core.scope import Scope

EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Checked:
    """`seen` items are on the first page, and there are `more` pages or not; `resources` are what
    can be chosen."""

    account: str
    seen: int
    more: bool
    paths: list[str]
    resources: tuple[Resource, ...]


async def check_account(ports: Ports, scope: Scope, new: NewConnection) -> Checked:
    """What would be connected."""
    connector, access = prepare(ports, scope, new)
    with while_a_person_waits():
        return await _look(connector, access)


async def check_connection(ports: Ports, scope: Scope, id: UUID) -> Checked:
    async with ports.db.transaction(scope) as tx:
        connection = await require_connection(tx, scope, id)
    connector = find_connector(ports, connection.provider)
    with while_a_person_waits():
        access = await fresh_access(ports, scope, connector, connection)
        return await _look(connector, access)


async def _look(connector: Connector, access: Access) -> Checked:
    account = await connector.account(access)
    page = await connector.resources(access, None, None)
    seen, more = await _first_page(connector, access) if access.chosen else ([], False)
    paths = [item.path or item.reference for item in seen[:EXAMPLES]]
    return Checked(account.name, len(seen), more, paths, page.resources)


async def _first_page(connector: Connector, access: Access) -> tuple[list[SeenItem], bool]:
    mark = await connector.begin(access)
    page = await connector.walk(access, None)
    if page.seen:
        return list(page.seen), page.at is not None
    changes = await connector.changes(access, mark)
    return [item for item in changes.changes if isinstance(item, SeenItem)], not changes.is_last
