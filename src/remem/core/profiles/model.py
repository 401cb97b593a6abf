"""The values of profiles."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.instructions.model import StandingInstruction


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """A memory as a profile shows it."""

    id: UUID
    content: str
    category: str
    confidence: float
    speaker: str | None
    said_at: datetime | None
    dates: list[dict[str, Any]]
    occurred_at: datetime | None
    due_at: datetime | None
    created_at: datetime
    # The product that it, or the document that states it, was imported from.
    imported_from: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Standing instructions, lasting statements, recent ones, and those relevant to the query."""

    project: str
    instructions: list[StandingInstruction]
    static: list[ProfileEntry]
    recent: list[ProfileEntry]
    relevant: list[ProfileEntry]
