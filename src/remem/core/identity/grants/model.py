"""The data classes of grants."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from remem.core.scope import Right

CODE_LIFETIME = timedelta(minutes=5)
ACCESS_LIFETIME = timedelta(hours=1)
REFRESH_LIFETIME = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class GrantRequest:
    """What a client requests from a user, validated by the OAuth surface.

    `resource` is the URL that the tokens are for: they only work there and below it.
    `challenge` is the hash of the verifier that the client sends to get the tokens (PKCE).
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
class ActiveGrant:
    """A grant as it is listed to the user who gave it."""

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
    """The tokens for a client, in their raw form, which is not stored."""

    access: str
    refresh: str
    rights: frozenset[Right]
    expires_in_s: int = int(ACCESS_LIFETIME.total_seconds())
