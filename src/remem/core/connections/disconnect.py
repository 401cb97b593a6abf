"""Remove a connection at once; its documents stay, or a job erases them."""

import asyncio
from uuid import UUID

import structlog

from remem.core.connections import connection_store
from remem.core.connections.access import open_credential
from remem.core.connections.consent.credential import CONSENTED, app_of
from remem.core.connections.items import item_store
from remem.core.connections.items.release import erase_unreferenced
from remem.core.connections.model import Connection
from remem.core.documents.connected.documents import find_connected
from remem.core.errors import RememError
from remem.core.events.record import record
from remem.core.jobs.enqueue import enqueue
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.transaction import Tx

JOB = "remove_connection"
BATCH = 50
REVOKE_S = 10

log = structlog.get_logger()


async def disconnect(ports: Ports, scope: Scope, id: UUID, *, erase: bool) -> UUID | None:
    """Stop the connection and delete its credential. Return the id of the job that erases its
    documents, if they are to be erased."""
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.require(tx, id)
        job_id = await _stop_syncs(ports, tx, id, erase)
    await _revoke(ports, scope, connection)
    return job_id


async def _stop_syncs(ports: Ports, tx: Tx, id: UUID, erase: bool) -> UUID | None:
    await record(tx, "connection", id, "delete", {"erase": erase})
    if not erase:
        await connection_store.delete(tx, id)
        return None
    await connection_store.end_run(tx, id, "stopped", None)
    values = {"status": "removing", "token": None, "locked_by": None, "locked_until": None}
    await connection_store.change(tx, id, {**values, "next_at": None, "error": None})
    return await enqueue(ports, tx, JOB, id)


async def _revoke(ports: Ports, scope: Scope, connection: Connection) -> None:
    """Revoke the token if possible; the stored credential is deleted in any case."""
    connector = ports.connectors.get(connection.provider)
    try:
        credential = open_credential(ports, scope, connection.id, connection.token)
        app = app_of(connector, credential) if connector else None
        # A token that a person pasted belongs to them, and may be used elsewhere.
        if app and CONSENTED in credential:
            async with asyncio.timeout(REVOKE_S):
                token_name = "token" if app.grant_url else "refresh_token"
                await ports.oauth.revoke(app, credential.get(token_name, credential["token"]))
    except (RememError, TimeoutError) as error:
        log.warning("not_revoked", connection=str(connection.id), error=type(error).__name__)


async def remove_connection(ports: Ports, scope: Scope, id: UUID) -> None:
    """The job. It works in batches, so that locks are short and an interrupted job can continue."""
    while await _erase_batch(ports, scope, id):
        pass
    async with ports.db.transaction(scope) as tx:
        connection = await connection_store.find(tx, id)
        if connection and connection.status == "removing":
            await connection_store.delete(tx, id)


async def _erase_batch(ports: Ports, scope: Scope, id: UUID) -> bool:
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, id)
        connection = await connection_store.find(tx, id)
        if connection is None or connection.status != "removing":
            return False
        await item_store.lock_items(tx)
        references = await item_store.first_references(tx, id, BATCH)
        for reference in references:
            item = await item_store.find(tx, id, reference)
            if item:
                documents = await find_connected(tx, item.document_ids)
                await item_store.delete(tx, id, reference)
                await erase_unreferenced(ports, tx, documents, item.document_ids)
        return bool(references)
