"""Make, list and revoke calendars."""

from uuid import UUID

from remem.core.calendars import calendar_store
from remem.core.calendars.model import CALENDARS_LIMIT, NAME_LIMIT, Calendar, NewCalendar
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Right, Scope
from remem.core.validate import check_text

KIND = "calendar"


async def list_calendars(ports: Ports, scope: Scope) -> list[Calendar]:
    async with ports.db.transaction(scope) as tx:
        return await calendar_store.list_all(tx)


async def create_calendar(
    ports: Ports, scope: Scope, name: str, project: str | UUID | None = None
) -> NewCalendar:
    """Make a secret address. It can do no more than its maker: who may not read makes none."""
    scope.require(Right.READ)
    name = " ".join(name.split())
    check_text("name", name, NAME_LIMIT, least=1)
    secret = new_token()
    async with ports.db.transaction(scope) as tx:
        if len(await calendar_store.list_all(tx)) >= CALENDARS_LIMIT:
            raise Conflict(
                f"You have {CALENDARS_LIMIT} calendars, the most there can be; revoke one first.",
                code="calendars_full",
            )
        target = await resolve(tx, project) if project else None
        id = await calendar_store.insert(tx, name, target.id if target else None, digest(secret))
        await record(tx, KIND, id, "create")
        calendar = await calendar_store.find(tx, id)
    assert calendar is not None
    return NewCalendar(calendar, secret)


async def revoke_calendar(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        if not await calendar_store.delete(tx, id):
            raise NotFound(KIND, id)
        await record(tx, KIND, id, "delete")
