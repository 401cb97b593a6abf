"""The values of grants."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from remem.core.scope import Right

CODE_LASTS = timedelta(minutes=5)
ACCESS_LASTS = timedelta(hours=1)
REFRESH_LASTS = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Ask:
    """What a client requests from a user, validated by the OAuth surface.

    `resource` is the address the tokens are for: they work there and below, and nowhere else.
    `challenge` is the hash of what the client will show when it comes for them.
    """

    client_id: UUID
    rights: frozenset[Right]
    redirect_uri: str
    challenge: str
    resource: str


@dataclass(frozen=True, slots=True)
class Grant:
    id: UUID
    tenant_id: UUID
    user_id: UUID
    client_id: UUID
    rights: frozenset[Right]
    resource: str
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A grant as its giver sees it in a list."""

    id: UUID
    client_id: UUID
    client_name: str
    client_uri: str | None
    rights: frozenset[Right]
    resource: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client gets: the only moment these are known."""

    access: str
    refresh: str
    rights: frozenset[Right]
    lasts_s: int = int(ACCESS_LASTS.total_seconds())
