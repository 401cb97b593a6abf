"""Refresh a token before it expires, one request at a time: some services revoke the old token."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from remem.core.connections import connection_store
from remem.core.connections.access import access_of, open_credential, seal_credential
from remem.core.connections.consent.credential import app_of, credential_of
from remem.core.connections.model import Connection
from remem.core.connectors.model import Access
from remem.core.connectors.port import Connector
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

# Longer than one job runs.
MARGIN = timedelta(minutes=10)


async def fresh_access(
    ports: Ports,
    scope: Scope,
    connector: Connector,
    connection: Connection,
    refused: str | None = None,
) -> Access:
    """The access to an account with a valid token. `refused` is a token that the service no longer
    accepts, whatever its expiry."""
    access = access_of(ports, scope, connection)
    if not _is_stale(access.credential, refused):
        return access
    async with ports.db.transaction(scope) as tx:
        await connection_store.lock(tx, connection.id)
        current = await connection_store.require(tx, connection.id)
        credential = open_credential(ports, scope, connection.id, current.token)
        if _is_stale(credential, refused):
            app = app_of(connector, credential)
            assert app is not None
            tokens = await ports.oauth.refresh(app, credential["refresh_token"])
            credential = credential_of(tokens, credential)
            sealed = seal_credential(ports, scope, connection.id, credential)
            await connection_store.change(tx, connection.id, {"token": sealed})
    return replace(access, credential=credential)


def _is_stale(credential: Mapping[str, str], refused: str | None) -> bool:
    if "refresh_token" not in credential:
        return False
    if refused is not None and credential.get("token") == refused:
        return True
    expires_at = credential.get("expires_at")
    return expires_at is not None and datetime.fromisoformat(expires_at) <= now() + MARGIN
