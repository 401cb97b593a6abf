"""The data classes of identity."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias
from uuid import UUID

from remem.core.scope import ALL_RIGHTS, Right

Role: TypeAlias = Literal["owner", "admin", "member"]
TenantKind: TypeAlias = Literal["user", "org"]

RIGHTS_OF_ROLE: dict[str, frozenset[Right]] = {
    "owner": ALL_RIGHTS,
    "admin": ALL_RIGHTS,
    "member": frozenset({Right.READ, Right.WRITE}),
}


@dataclass(frozen=True, slots=True)
class User:
    id: UUID
    email: str
    name: str
    has_password: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Tenant:
    id: UUID
    kind: TenantKind
    name: str
    slug: str
    created_at: datetime
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Member:
    user_id: UUID
    email: str
    name: str
    role: Role
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Key:
    id: UUID
    user_id: UUID
    prefix: str
    name: str
    rights: frozenset[Right]
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KeyRequest:
    """The name, rights and optional expiry of a key to create."""

    name: str
    rights: frozenset[Right]
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A newly created key, with its raw form, which is not stored."""

    key: Key
    raw: str


@dataclass(frozen=True, slots=True)
class NewBrowserSession:
    """A session to store: its expiry, the address it was opened from, the expiry of the key it was
    opened with, if any, and the browser's user agent."""

    expires_at: datetime
    address: str
    key_expires_at: datetime | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A signed-in browser as its user sees it; `is_current` marks the calling one."""

    id: UUID
    tenant_id: UUID
    agent: str | None
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser that was just signed in: the raw token is for its cookie and not stored."""

    token: str
    expires_at: datetime
    user: User
    tenant: Tenant


@dataclass(frozen=True, slots=True)
class Subscription:
    """How many memories a tenant may store (None is no limit), and how many it stores. A suspended
    tenant cannot be accessed."""

    plan: str
    memory_count: int
    memory_limit: int | None
    suspended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TenantPlan:
    """A tenant as the operator sees it."""

    tenant: Tenant
    subscription: Subscription


@dataclass(frozen=True, slots=True)
class PlanChange:
    """The changes to make; `fields` names those that were given. A limit of None is that of the
    plan."""

    fields: frozenset[str]
    plan: str | None = None
    memory_limit: int | None = None
    suspended: bool = False
