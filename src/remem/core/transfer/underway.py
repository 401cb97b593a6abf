"""Limits the exports under way: for each user, and in all to a share of the connections."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from remem.core.errors import RateLimited, RememError, Unavailable

EXPORTS_OF_USER = 2
EXPORTS_IN_ALL = 4
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


class Underway:
    """Counts the exports of one process."""

    def __init__(self, of_user: int = EXPORTS_OF_USER, in_all: int = EXPORTS_IN_ALL) -> None:
        self._of_user, self._in_all = of_user, in_all
        self._counts: Counter[UUID] = Counter()

    @contextmanager
    def one_of(self, user_id: UUID) -> Iterator[None]:
        """Count one for as long as the block lasts; raises where it is one too many."""
        if self._counts[user_id] >= self._of_user:
            raise TooManyExports(self._of_user)
        if self._counts.total() >= self._in_all:
            raise Unavailable(
                f"{self._in_all} exports are under way on this server; try again shortly."
            )
        self._counts[user_id] += 1
        try:
            yield
        finally:
            self._counts[user_id] -= 1
            self._counts += Counter()
