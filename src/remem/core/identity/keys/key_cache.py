"""A shared cache of authenticated keys, which saves every process a query.

An entry is sealed to its key and to the access version. Write access to the cache is not enough
to forge or change an entry, and none can be opened after any key was revoked, changed or
deleted."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from pydantic import TypeAdapter, ValidationError

from remem.core.access_version import AccessVersion
from remem.core.db import Database
from remem.core.errors import CannotStart
from remem.core.identity.keys import key_store
from remem.core.ports import Ports
from remem.core.scope import Right
from remem.core.secrets import SecretLost
from remem.core.time import now

TTL_S = 7 * 86_400
# A key that is about to expire is not cached: the database decides, by its own clock.
_NEAR_EXPIRY = timedelta(minutes=1)
_NOTE_INTERVAL = timedelta(minutes=1)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class CachedKey:
    """`noted_at` is when its use was last recorded."""

    id: UUID
    tenant_id: UUID
    user_id: UUID
    prefix: str
    rights: frozenset[Right]
    expires_at: datetime | None
    noted_at: datetime | None

    @property
    def is_use_noted(self) -> bool:
        return self.noted_at is not None and now() - self.noted_at < _NOTE_INTERVAL


_CACHED_KEY = TypeAdapter(CachedKey)


async def cache_version(ports: Ports) -> str | None:
    """The access version of cache entries; None if nothing is cached. Read it before the key: a key
    that is revoked in between is then cached for an outdated version."""
    return await ports.access_version.current() if ports.cache.is_shared else None


async def find_cached(ports: Ports, digest: str, version: str) -> CachedKey | None:
    sealed = await ports.cache.get(f"key:{digest}")
    if not sealed:
        return None
    try:
        key = _CACHED_KEY.validate_json(ports.secrets.open(sealed, _seal_context(digest, version)))
    except (SecretLost, ValidationError):
        return None
    return None if _is_near_expiry(key) else key


async def store_cached(ports: Ports, digest: str, version: str, key: CachedKey) -> None:
    if _is_near_expiry(key):
        return
    try:
        sealed = ports.secrets.seal(_CACHED_KEY.dump_json(key), _seal_context(digest, version))
    except (CannotStart, OSError) as error:
        log.warning("keys_not_remembered", error=type(error).__name__)
        return
    await ports.cache.put(f"key:{digest}", sealed, TTL_S)


def open_access_version(db: Database) -> AccessVersion:
    return AccessVersion(db, key_store.read_access_version)


async def expire_cached_keys(ports: Ports) -> None:
    """Wait until no process accepts cached keys any more. Call it after the transaction that
    revokes, changes or deletes keys."""
    if ports.cache.is_shared:
        await ports.access_version.expire_everywhere()


def _seal_context(digest: str, version: str) -> str:
    return f"known key {digest} {version}"


def _is_near_expiry(key: CachedKey) -> bool:
    return key.expires_at is not None and key.expires_at - now() < _NEAR_EXPIRY
