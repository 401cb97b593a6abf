"""Webhooks: a service reports a change, and the next sync is brought forward."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from remem.core.binding import bind
from remem.core.connections import connection_store
from remem.core.connections.find import find_connector
from remem.core.connections.hooks import hook_store
from remem.core.connections.sync import enqueue_sync
from remem.core.connectors.model import WebhookCall
from remem.core.connectors.port import ReceivesWebhooks
from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound, Scope
from remem.core.time import now
from remem.core.transaction import Row, SystemTx, Tx

# A service that calls for every change does not cause a sync each time.
MIN_PAUSE = timedelta(seconds=30)
DELIVERIES_KEPT = 100
_DELIVERY_CHARS = 200


@dataclass(frozen=True, slots=True)
class NewHook:
    """`key` is the end of its URL, `secret` signs its requests; both are shown only once."""

    provider: str
    key: str = field(repr=False)
    secret: str = field(repr=False)


async def create_hook(ports: Ports, scope: Scope, id: UUID) -> NewHook:
    """Create the webhook of a connection, replacing an existing one."""
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.require(tx, id)
        if not isinstance(find_connector(ports, connection.provider), ReceivesWebhooks):
            raise Conflict(
                "This service has no webhooks; it is read regularly.", code="no_webhooks"
            )
        hook = NewHook(connection.provider, new_token(), new_token())
        sealed = ports.secrets.seal(hook.secret.encode(), hook_place(scope.tenant_id, id))
        await hook_store.put(tx, id, digest(hook.key), sealed)
        await record(tx, "connection", id, "update", {"fields": ["webhook"]})
    return hook


async def receive(
    ports: Ports, provider: str, key: str, headers: Mapping[str, str], body: bytes
) -> WebhookCall:
    """Handle a call. Every invalid request gets the same error, so that no one learns which
    webhooks exist."""
    bound = Bound(secret=digest(key))
    async with ports.db.transaction(bound) as tx:
        row = await hook_store.find(tx, bound)
        connector = ports.connectors.get(provider)
        if row is None or not isinstance(connector, ReceivesWebhooks):
            raise _unknown_hook()
        place = hook_place(row["tenant_id"], row["connection_id"])
        secret = ports.secrets.open(row["secret"], place).decode()
        call = connector.verify_webhook(headers, body, secret)
        if call is None:
            raise _unknown_hook()
        await bind(tx, Bound(tenant_id=row["tenant_id"]))
        await _handle_call(ports, tx, provider, row, call)
    return call


async def _handle_call(
    ports: Ports, tx: SystemTx, provider: str, row: Row, call: WebhookCall
) -> None:
    id = row["connection_id"]
    scope = Scope(tenant_id=row["tenant_id"], user_id=row["tenant_id"], actor="webhook")
    await connection_store.lock(tx.acting_for(scope), id)
    connection = await connection_store.find(tx.acting_for(scope), id)
    if connection is None or connection.provider != provider:
        raise _unknown_hook()
    owner = tx.acting_for(replace(scope, user_id=connection.user_id))
    if call.new_secret:
        sealed = ports.secrets.seal(call.new_secret.encode(), hook_place(scope.tenant_id, id))
        await hook_store.set_secret(owner, id, sealed)
    delivery = (call.delivery or "")[:_DELIVERY_CHARS]
    is_new = not delivery or await hook_store.record_delivery(owner, id, delivery, DELIVERIES_KEPT)
    if call.reply is None and is_new:
        await sync_sooner(ports, owner, id)


async def sync_sooner(ports: Ports, tx: Tx, id: UUID) -> None:
    """Queue a sync now, or a little later if the connection was synced a moment ago."""
    await connection_store.lock(tx, id)
    connection = await connection_store.find(tx, id)
    if connection is None or not connection.is_synced:
        return
    if connection.last_synced_at and connection.last_synced_at > now() - MIN_PAUSE:
        await connection_store.change(tx, id, {"next_at": now()})
    else:
        await enqueue_sync(ports, tx, id, "webhook")


def _unknown_hook() -> NotFound:
    return NotFound("webhook", hint="check its address and its secret")


def hook_place(tenant_id: UUID, id: UUID) -> str:
    return f"connection_hooks|{tenant_id}|{id}|secret"
