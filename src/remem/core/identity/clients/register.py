"""Register a client, authenticate it, delete unused ones."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from remem.core.errors import RateLimited, Unauthenticated
from remem.core.identity.clients import client_store
from remem.core.identity.clients.model import Client, NewClient
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import new_id

WINDOW_S = 60
# Anyone may register, so clients without a grant are few and short-lived: new ones replace the
# oldest, and registration never closes.
UNUSED_LIMIT = 1_000
UNUSED_LIFETIME = timedelta(days=7)
# Longer than the lifetime of any token, so that no active grant is deleted with its client.
IDLE_LIFETIME = timedelta(days=180)


async def register_client(
    ports: Ports, name: str, uri: str | None, redirect_uris: Sequence[str], *, with_secret: bool
) -> NewClient:
    secret = new_token() if with_secret else None
    hashed = digest(secret) if secret else None
    async with ports.db.transaction(Bound()) as tx:
        client = await client_store.insert(tx, new_id(), name, uri, redirect_uris, hashed)
        await client_store.delete_excess_unused(tx, UNUSED_LIMIT)
    return NewClient(client, secret)


async def limit_registrations(ports: Ports, address: str, limit: int) -> None:
    allowance = await ports.rate.hit(f"client:{digest(address)}", limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


async def find_client(ports: Ports, id: UUID) -> Client | None:
    async with ports.db.transaction(Bound()) as tx:
        return await client_store.find(tx, id)


async def authenticate_client(ports: Ports, id: UUID | None, secret: str | None) -> Client:
    """The client, if it sent the right secret, or is public and sent none."""
    client = await find_client(ports, id) if id else None
    if client is None:
        raise Unauthenticated("This client is not registered here; register it again.")
    secret_hash = digest(secret) if secret else ""
    if not secrets.compare_digest(secret_hash, client.secret_hash or ""):
        raise Unauthenticated("The client's secret is wrong or missing; send the one it was given.")
    return client


async def delete_unused_clients(ports: Ports) -> int:
    async with ports.db.transaction(Bound()) as tx:
        return await client_store.delete_inactive(tx, UNUSED_LIFETIME, IDLE_LIFETIME)
