"""Connect an account: check that it can be read, and store what to read in it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from remem.core.connections import connection_store
from remem.core.connections.access import seal_credential, translate_service_errors
from remem.core.connections.find import find_connector
from remem.core.connections.model import (
    CHOSEN_LIMIT,
    CONNECTIONS_LIMIT,
    MAX_INTERVAL_S,
    MIN_INTERVAL_S,
    REFERENCE_LIMIT,
    Connection,
    NewConnection,
)
from remem.core.connections.sync import enqueue_sync
from remem.core.connectors.model import Access, Account
from remem.core.connectors.port import Connector
from remem.core.connectors.provider import Provider
from remem.core.errors import Conflict, Invalid
from remem.core.events.record import record
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Right, Scope
from remem.core.text import shorten
from remem.core.time import new_id
from remem.core.transaction import Tx
from remem.core.validate import check_number, check_text

FIELD_LIMIT = 100_000
_ACCOUNT_LIMIT = 500


async def connect(ports: Ports, scope: Scope, new: NewConnection) -> tuple[Connection, bool]:
    """Return the connection, and whether it is new: connecting a known account again replaces its
    credential."""
    connector, access = prepare(ports, scope, new)
    return await _store(ports, scope, new, connector, access)


async def connect_account(
    ports: Ports, scope: Scope, new: NewConnection, credential: Mapping[str, str]
) -> tuple[Connection, bool]:
    """Connect with a credential that the service issued after a consent; the fields only say what
    is read."""
    connector = find_connector(ports, new.provider)
    check_choice(new.chosen)
    settings = {name: value.strip() for name, value in new.fields.items() if value.strip()}
    access = Access(settings, tuple(dict.fromkeys(new.chosen)), credential)
    return await _store(ports, scope, new, connector, access)


async def _store(
    ports: Ports, scope: Scope, new: NewConnection, connector: Connector, access: Access
) -> tuple[Connection, bool]:
    with translate_service_errors():
        account = await connector.account(access)
    async with ports.db.transaction(scope) as tx:
        known = await connection_store.find_account(tx, new.provider, account.key)
        id = known or new_id()
        previous = await connection_store.find(tx, known) if known else None
        if previous and not access.chosen:
            access = replace(access, chosen=tuple(previous.chosen))
        project_choice = new.project or (previous.project_id if previous else None)
        project = await resolve(tx, project_choice, create=True)
        values = _values(access, account, project.id)
        values["token"] = seal_credential(ports, scope, id, access.credential)
        if known:
            # Changed settings may select other items.
            settings_changed = previous is not None and previous.settings != values["settings"]
            walk_due = {"is_walk_due": True} if settings_changed else {}
            changes = {**values, **walk_due, "failures": 0, "failing_since": None}
            await connection_store.change(tx, id, changes)
        else:
            values["interval_s"] = new.interval_s or connector.provider.interval_s
            await _insert(tx, id, new.provider, account.key, values)
        await record(tx, "connection", id, "update" if known else "create")
        if values["status"] == "active":
            await enqueue_sync(ports, tx, id, "person")
        connection = await connection_store.find(tx, id)
    assert connection is not None
    return connection, not known


def prepare(ports: Ports, scope: Scope, new: NewConnection) -> tuple[Connector, Access]:
    """Check the input; return the connector and the access to the account."""
    connector = find_connector(ports, new.provider)
    if connector.provider.needs_admin:
        scope.require(Right.ADMIN)
    _check_fields(connector.provider, new)
    check_choice(new.chosen)
    check_interval(new.interval_s)
    return connector, _access(connector.provider, new)


async def _insert(tx: Tx, id: UUID, provider: str, key: str, values: dict[str, Any]) -> None:
    if await connection_store.count_all(tx) >= CONNECTIONS_LIMIT:
        message = f"There are {CONNECTIONS_LIMIT} connections already; remove one first."
        raise Conflict(message, code="connection_limit")
    row = {"id": id, "provider": provider, "account_key": key, **values}
    if not await connection_store.insert(tx, row):
        raise Invalid("provider", "the account is being connected by another request; try again")


def check_choice(chosen: tuple[str, ...]) -> None:
    if len(chosen) > CHOSEN_LIMIT:
        raise Invalid("chosen", f"choose at most {CHOSEN_LIMIT:,}")
    for reference in chosen:
        check_text("chosen", reference, REFERENCE_LIMIT, least=1)


def check_interval(interval_s: int | None) -> None:
    check_number("interval_s", interval_s, MIN_INTERVAL_S, MAX_INTERVAL_S)


def check_options(provider: Provider, fields: Mapping[str, str]) -> None:
    """Check the fields sent with a sign-in: only those that are neither required nor secret."""
    names = [field.name for field in provider.fields if not (field.is_required or field.is_secret)]
    for name, value in fields.items():
        if name not in names:
            raise Invalid(shorten(name, 50), "is not asked for when you sign in; leave it out")
        check_text(name, value, FIELD_LIMIT)


def _check_fields(provider: Provider, new: NewConnection) -> None:
    known = {field.name: field for field in provider.fields}
    for name, value in new.fields.items():
        if name not in known:
            raise Invalid(shorten(name, 50), f"is not asked for; give: {', '.join(known)}")
        check_text(name, value, FIELD_LIMIT)
    for field in provider.fields:
        if field.is_required and not new.fields.get(field.name, "").strip():
            raise Invalid(field.name, f"is missing; give {field.label}")


def _access(provider: Provider, new: NewConnection) -> Access:
    secret_names = {field.name for field in provider.fields if field.is_secret}
    values = {name: value.strip() for name, value in new.fields.items() if value.strip()}
    chosen = (values[provider.selected],) if provider.selected else new.chosen
    return Access(
        settings={name: value for name, value in values.items() if name not in secret_names},
        chosen=tuple(dict.fromkeys(chosen)),
        credential={name: value for name, value in values.items() if name in secret_names},
    )


def _values(access: Access, account: Account, project_id: UUID) -> dict[str, Any]:
    return {
        "account": shorten(account.name, _ACCOUNT_LIMIT),
        "project_id": project_id,
        "settings": dict(access.settings),
        "chosen": list(access.chosen),
        "status": "active" if access.chosen else "choosing",
        "error": None,
    }
