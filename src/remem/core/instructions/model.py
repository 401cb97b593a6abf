"""The values of standing instructions."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

# What applies at once: those of everywhere and those of one project.
INSTRUCTIONS_LIMIT = 20
INSTRUCTION_LIMIT = 300


@dataclass(frozen=True, slots=True)
class StandingInstruction:
    """`project_id` is None for one that applies everywhere."""

    id: UUID
    project_id: UUID | None
    project_ref: str | None
    content: str
    created_at: datetime
    updated_at: datetime
