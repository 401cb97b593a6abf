"""The caller: the tenant a verb works in, the user, and their rights."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from remem.core.errors import Forbidden


class Right(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


ALL_RIGHTS = frozenset(Right)


@dataclass(frozen=True, slots=True)
class Bound:
    """What a transaction is bound to; the database shows only rows that match.

    `secret` is the hash of a presented credential: it makes the one row that has it visible, so
    that a caller can be authenticated before their tenant is known. The `operator` sees the list of
    tenants, but no data of theirs.
    """

    tenant_id: UUID | None = None
    user_id: UUID | None = None
    secret: str | None = None
    operator: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """The caller of one verb."""

    tenant_id: UUID
    user_id: UUID
    rights: frozenset[Right] = ALL_RIGHTS
    actor: str = "system"
    request_id: str | None = field(default=None, compare=False)
    # When the credential expires; credentials that are created with it expire no later.
    expires_at: datetime | None = field(default=None, compare=False)

    @property
    def bound(self) -> Bound:
        return Bound(tenant_id=self.tenant_id, user_id=self.user_id)

    def require(self, right: Right) -> None:
        if right not in self.rights:
            raise Forbidden(
                f"This credential lacks the scope '{right}'; use one that has it.",
                code="scope_missing",
                details={"scope": str(right)},
            )
