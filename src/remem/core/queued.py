"""A job as the queue carries it, and how often it is tried."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.errors import Invalid, LimitExceeded, TooLarge, Unavailable, Unreadable

# A day of patience with what is down, for a job that is the trial each minute; others wait longer.
ATTEMPTS, ATTEMPTS_WHEN_DOWN = 6, 1_500
# A job that ends its process takes others along, and the server with it: few tries are enough.
LOSSES = 3
# Trying again changes nothing about these; the sentence says what would.
FINAL_ERRORS = (Invalid, LimitExceeded, TooLarge, Unreadable)


@dataclass(frozen=True, slots=True)
class WaitingJobs:
    """Jobs of a name that wait, and for how long the oldest that is due has waited."""

    name: str
    count: int
    oldest_s: float


@dataclass(frozen=True, slots=True)
class Job:
    """Queued work: a name from the worker's page, whom it is for, and its subject.

    `attempt` counts from 1. `lost` are those before it that were begun and never heard of again,
    because their process ended."""

    id: UUID
    name: str
    tenant_id: UUID
    user_id: UUID
    subject_id: UUID
    attempt: int = 1
    lost: int = 0

    @property
    def is_crash_loop(self) -> bool:
        """Whether it ended so many processes that it is not to be begun again."""
        return self.lost >= LOSSES

    def is_last(self, error: Exception) -> bool:
        """Whether this failure is final. What is down comes back; what is wrong stays wrong."""
        if isinstance(error, Unavailable):
            return self.attempt >= ATTEMPTS_WHEN_DOWN
        if isinstance(error, FINAL_ERRORS):
            return True
        return self.is_crash_loop or self.attempt >= ATTEMPTS
