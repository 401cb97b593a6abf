"""Register a client, authenticate it, delete unused ones."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from remem.core.errors import RateLimited, Unauthenticated
from remem.core.identity.clients import store
from remem.core.identity.clients.model import Client, NewClient
from remem.core.identity.secrets import digest, new_token
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import new_id

WINDOW_S = 60
# Anybody may register, so those that nobody let in are few and short-lived: the newest push the
# oldest out, and registering never closes.
UNUSED_LIMIT = 1_000
UNUSED_LASTS = timedelta(days=7)
# Longer than any token of theirs lasts, so that no living grant is taken along.
IDLE_LASTS = timedelta(days=180)


async def register_client(
    ports: Ports, name: str, uri: str | None, redirect_uris: Sequence[str], *, with_secret: bool
) -> NewClient:
    secret = new_token() if with_secret else None
    hashed = digest(secret) if secret else None
    async with ports.db.transaction(Bound()) as tx:
        client = await store.insert(tx, Bound(), new_id(), name, uri, redirect_uris, hashed)
        await store.delete_crowd(tx, Bound(), UNUSED_LIMIT)
    return NewClient(client, secret)


async def slow_down_registering(ports: Ports, address: str, limit: int) -> None:
    allowance = await ports.rate.hit(f"client:{digest(address)}", limit, WINDOW_S)
    if not allowance.allowed:
        raise RateLimited(limit, allowance.reset_s)


async def find_client(ports: Ports, id: UUID) -> Client | None:
    async with ports.db.transaction(Bound()) as tx:
        return await store.find(tx, Bound(), id)


async def authenticate_client(ports: Ports, id: UUID | None, secret: str | None) -> Client:
    """The client, when it shows its secret, or has none and shows none."""
    client = await find_client(ports, id) if id else None
    if client is None:
        raise Unauthenticated("This client is not registered here; register it again.")
    shown = digest(secret) if secret else ""
    if not secrets.compare_digest(shown, client.secret_hash or ""):
        raise Unauthenticated("The client's secret is wrong or missing; send the one it was given.")
    return client


async def forget_clients(ports: Ports) -> int:
    async with ports.db.transaction(Bound()) as tx:
        return await store.delete_forgotten(tx, Bound(), UNUSED_LASTS, IDLE_LASTS)
