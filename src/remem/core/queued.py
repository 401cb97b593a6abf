"""A job in the queue, and how often it is attempted."""

from dataclasses import dataclass
from uuid import UUID

from remem.core.errors import Invalid, LimitExceeded, TooLarge, Unavailable, Unreadable

# For a job that probes a service that is down every minute, this is a day; other jobs wait longer.
ATTEMPTS, ATTEMPTS_WHEN_DOWN = 6, 1_500
# A job that kills its process takes other jobs and the server with it, so it gets few attempts.
MAX_LOSSES = 3
# Retrying does not help with these; their message says what does.
FINAL_ERRORS = (Invalid, LimitExceeded, TooLarge, Unreadable)


@dataclass(frozen=True, slots=True)
class WaitingJobs:
    """The waiting jobs of one name, and how long the oldest due one has waited."""

    name: str
    count: int
    oldest_s: float


@dataclass(frozen=True, slots=True)
class Job:
    """Queued work: the name of its handler, its tenant and user, and its subject.

    `attempt` counts from 1. `lost` is the number of earlier attempts that never ended, because
    their process died."""

    id: UUID
    name: str
    tenant_id: UUID
    user_id: UUID
    subject_id: UUID
    attempt: int = 1
    lost: int = 0

    @property
    def is_crash_loop(self) -> bool:
        """Whether it killed so many processes that it must not be started again."""
        return self.lost >= MAX_LOSSES

    def is_last(self, error: Exception) -> bool:
        """Whether this failure is final: a service that is down comes back, invalid input stays
        invalid."""
        if isinstance(error, Unavailable):
            return self.attempt >= ATTEMPTS_WHEN_DOWN
        if isinstance(error, FINAL_ERRORS):
            return True
        return self.is_crash_loop or self.attempt >= ATTEMPTS
