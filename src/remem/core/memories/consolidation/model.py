"""The values of consolidation."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

ActionName: TypeAlias = Literal["merge", "decay", "promote", "derive"]


@dataclass(frozen=True, slots=True)
class Consolidation:
    """One action on a memory; `before` has the values needed to undo it."""

    id: UUID
    action: ActionName
    memory_id: UUID
    into_id: UUID | None
    before: dict[str, Any]
    cosine: float | None
    undone_at: datetime | None
    created_at: datetime
    content: str
    into_content: str | None
    project_id: UUID
    project_ref: str
