"""The values of connections."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

Status: TypeAlias = Literal["choosing", "active", "paused", "needs_auth", "failing", "removing"]
Trigger: TypeAlias = Literal["clock", "webhook", "person"]
Outcome: TypeAlias = Literal["done", "failed", "needs_auth", "rate_limited", "stopped"]
# The outcome for one item.
Change: TypeAlias = Literal["added", "updated", "deleted", "unchanged", "skipped"]

MIN_INTERVAL_S, MAX_INTERVAL_S = 300, 604_800
CHOSEN_LIMIT = 1_000
REFERENCE_LIMIT = 4_096
ITEMS_LIMIT = 20_000
ERRORS_LIMIT = 100
RUNS_LIMIT = 100
CONNECTIONS_LIMIT = 200


@dataclass(frozen=True, slots=True)
class NewConnection:
    """The input to connect an account; `fields` are those that its provider defines."""

    provider: str
    fields: Mapping[str, str] = field(repr=False)
    chosen: tuple[str, ...] = ()
    project: str | UUID | None = None
    interval_s: int | None = None


@dataclass(frozen=True, slots=True)
class ConnectionChange:
    """The values to change; None leaves a value unchanged."""

    chosen: tuple[str, ...] | None = None
    project: str | UUID | None = None
    interval_s: int | None = None
    is_paused: bool | None = None


@dataclass(frozen=True, slots=True)
class Connection:
    id: UUID
    user_id: UUID
    project_id: UUID
    project_ref: str
    provider: str
    account: str
    settings: dict[str, Any]
    chosen: list[str]
    is_walk_due: bool
    cursor: dict[str, Any]
    status: Status
    error: str | None
    failures: int
    failing_since: datetime | None
    interval_s: int
    next_at: datetime | None
    last_synced_at: datetime | None
    created_at: datetime
    updated_at: datetime
    item_count: int
    problem_count: int
    token: bytes | None = field(default=None, repr=False)

    @property
    def is_synced(self) -> bool:
        return self.status in ("active", "failing")


@dataclass(frozen=True, slots=True)
class SyncRun:
    id: UUID
    connection_id: UUID
    trigger: Trigger
    outcome: Outcome | None
    error: str | None
    added: int
    updated: int
    deleted: int
    unchanged: int
    skipped: int
    errors: list[dict[str, str]]
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ConnectionItem:
    """An item of the account and its document here. `revision` is None until it was imported."""

    reference: str
    revision: str | None
    document_id: UUID | None
    pending_id: UUID | None
    path: str | None
    problem: str | None
    hidden_at: datetime | None

    @property
    def document_ids(self) -> list[UUID]:
        return [id for id in (self.document_id, self.pending_id) if id]
