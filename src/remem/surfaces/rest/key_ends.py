"""When a new key expires, given as a time or in days: one of the two, or neither."""

from datetime import datetime
from typing import Protocol

from remem.core.errors import Invalid
from remem.core.identity.keys.manage import end_after


class Expiry(Protocol):
    @property
    def expires_at(self) -> datetime | None: ...

    @property
    def expires_in_days(self) -> int | None: ...


def check_one_end(expires_at: datetime | None, expires_in_days: int | None) -> None:
    if expires_at is not None and expires_in_days is not None:
        raise Invalid("expires_in_days", "send either this or expires_at, not both")


def key_end(body: Expiry) -> datetime | None:
    return end_after(body.expires_in_days) if body.expires_in_days else body.expires_at
