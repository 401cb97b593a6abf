"""The data classes of sessions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]

AGENT_LIMIT, KEY_LIMIT, TITLE_LIMIT = 200, 200, 500
CONTENT_LIMIT = 20_000
IDS_LIMIT = 100
TURNS_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. Its agent reopens it by `key`; `is_recorded` marks one that remem recorded
    automatically."""

    id: UUID
    project_id: UUID
    project_ref: str
    user_id: UUID
    agent: str | None
    title: str | None
    key: str | None
    is_recorded: bool
    closed_at: datetime | None
    created_at: datetime
    updated_at: datetime
    turn_count: int = 0


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to open. `project` is an id, or a name that is created on first use."""

    project: str | UUID | None = None
    agent: str | None = None
    title: str | None = None
    key: str | None = None
    is_recorded: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of a session. `evidence` has the ids `recalled` and `used`; or `erased` when a used
    item was deleted, and the turn's content with it."""

    id: UUID
    session_id: UUID
    role: str
    content: str
    evidence: dict[str, Any]
    at: datetime
    created_at: datetime

    @property
    def recalled(self) -> list[str]:
        return _ids(self.evidence, "recalled")

    @property
    def used(self) -> list[str]:
        return _ids(self.evidence, "used")

    @property
    def is_erased(self) -> bool:
        return bool(self.evidence.get("erased"))


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn to add. The ids are of memories, chunks or documents; `at` defaults to now."""

    role: Role
    content: str
    recalled: tuple[UUID, ...] = ()
    used: tuple[UUID, ...] = ()
    at: datetime | None = None
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def evidence(self) -> dict[str, Any]:
        ids = {"recalled": self.recalled, "used": self.used}
        given = {name: [str(id) for id in values] for name, values in ids.items() if values}
        return {**self.details, **given}


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """Which sessions to list."""

    project: str | UUID | None = None
    agent: str | None = None
    is_open: bool | None = None


def _ids(evidence: dict[str, Any], name: str) -> list[str]:
    ids = evidence.get(name)
    return [str(id) for id in ids] if isinstance(ids, list) else []
