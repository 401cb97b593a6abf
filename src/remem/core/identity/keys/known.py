"""Keys that were recognised, for all processes: a shared cache spares the database a question.

An entry is sealed to its key and to the version of all keys. Nobody who can write to the cache can
make or change one, and none can be opened after a key was revoked, changed or deleted."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from pydantic import TypeAdapter, ValidationError

from remem.core.access_version import AccessVersion
from remem.core.db import Database
from remem.core.errors import CannotStart
from remem.core.identity.keys import store as key_store
from remem.core.ports import Ports
from remem.core.scope import Right
from remem.core.secrets import SecretLost
from remem.core.time import now

TTL_S = 7 * 86_400
# The database decides about a key that is about to end, by its own clock.
_NEAR_ITS_END = timedelta(minutes=1)
_NOTED_EVERY = timedelta(minutes=1)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class KnownKey:
    """`noted_at` is when its use was last written down."""

    id: UUID
    tenant_id: UUID
    user_id: UUID
    prefix: str
    rights: frozenset[Right]
    expires_at: datetime | None
    noted_at: datetime | None

    @property
    def is_use_noted(self) -> bool:
        return self.noted_at is not None and now() - self.noted_at < _NOTED_EVERY


_KNOWN_KEY = TypeAdapter(KnownKey)


async def version_to_remember(ports: Ports) -> str | None:
    """The version that is looked up and remembered for; None where nothing is. It is read before
    the key is: a key that is revoked in between is remembered for a version that is over."""
    return await ports.access_version.current() if ports.cache.is_shared else None


async def find_known(ports: Ports, digest: str, version: str) -> KnownKey | None:
    sealed = await ports.cache.get(f"key:{digest}")
    if not sealed:
        return None
    try:
        known = _KNOWN_KEY.validate_json(ports.secrets.open(sealed, _place(digest, version)))
    except (SecretLost, ValidationError):
        return None
    return None if _is_near_its_end(known) else known


async def remember(ports: Ports, digest: str, version: str, key: KnownKey) -> None:
    if _is_near_its_end(key):
        return
    try:
        sealed = ports.secrets.seal(_KNOWN_KEY.dump_json(key), _place(digest, version))
    except (CannotStart, OSError) as error:
        log.warning("keys_not_remembered", error=type(error).__name__)
        return
    await ports.cache.put(f"key:{digest}", sealed, TTL_S)


def open_access_version(db: Database) -> AccessVersion:
    return AccessVersion(db, key_store.read_access_version)


async def forget_keys(ports: Ports) -> None:
    """After the transaction that revokes, changes or deletes keys: until no process knows them."""
    if ports.cache.is_shared:
        await ports.access_version.wait_for_all()


def _place(digest: str, version: str) -> str:
    return f"known key {digest} {version}"


def _is_near_its_end(key: KnownKey) -> bool:
    return key.expires_at is not None and key.expires_at - now() < _NEAR_ITS_END
