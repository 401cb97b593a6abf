"""The values of the audit trail."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Event:
    """One line: what was done to what, by whom, in which request.

    Of an imported one, `actor` is who imported it; `claimed_actor` is who did it as the file says,
    which nobody has checked."""

    id: UUID
    subject_kind: str
    subject_id: UUID
    type: str
    data: dict[str, Any]
    actor: str
    request_id: str | None
    created_at: datetime
    claimed_actor: str | None = None

    @property
    def is_imported(self) -> bool:
        return self.claimed_actor is not None
