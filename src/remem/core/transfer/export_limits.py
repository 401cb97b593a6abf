"""Limit concurrent exports per user, and in total to a share of the database connections."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from remem.core.errors import RateLimited, RememError, Unavailable

EXPORTS_PER_USER = 2
EXPORTS_IN_TOTAL = 4
RETRY_AFTER_S = 30


class TooManyExports(RateLimited):
    code = "too_many_exports"

    def __init__(self, limit: int) -> None:
        RememError.__init__(
            self,
            f"{limit} exports of yours are under way; wait until one has ended, and try again.",
            details={"limit": limit, "retry_after_s": RETRY_AFTER_S},
        )
        self.limit, self.retry_after_s = limit, RETRY_AFTER_S


class ExportLimiter:
    """Counts the running exports of one process."""

    def __init__(self, per_user: int = EXPORTS_PER_USER, in_total: int = EXPORTS_IN_TOTAL) -> None:
        self._per_user, self._in_total = per_user, in_total
        self._counts: Counter[UUID] = Counter()

    @contextmanager
    def slot(self, user_id: UUID) -> Iterator[None]:
        """Count one export while the block runs; raise if there are too many."""
        if self._counts[user_id] >= self._per_user:
            raise TooManyExports(self._per_user)
        if self._counts.total() >= self._in_total:
            raise Unavailable(
                f"{self._in_total} exports are under way on this server; try again shortly."
            )
        self._counts[user_id] += 1
        try:
            yield
        finally:
            self._counts[user_id] -= 1
            self._counts += Counter()
