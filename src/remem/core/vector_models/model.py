"""The model of a tenant's vectors, and the one they move to."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID


@dataclass(frozen=True, slots=True)
class VectorModel:
    """`model` is searched and saved with. `moving_to` is the model that everything is re-embedded
    with in the background; then that one is searched. `moved_at` is when a move ended, until the
    vectors of the other model are removed."""

    model: str
    moving_to: str | None = None
    moved_at: datetime | None = None

    @property
    def names(self) -> list[str]:
        """A text embedded with any of these has a vector of `model`."""
        return [self.model, self.moving_to] if self.moving_to else [self.model]

    @property
    def is_settled(self) -> bool:
        return self.moving_to is None and self.moved_at is None


class EmbeddedText(NamedTuple):
    """A text that has a vector, where it is, and the hash of what was embedded."""

    id: UUID
    project_id: UUID
    text: str
    hash: str | None
