"""When the last nightly backup was made, and whether one is overdue."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from remem.core.backup import backup_store
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import now

OVERDUE_AFTER = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """`failed_at` and `error` are of the last attempt, if it failed. Without nightly backups
    nothing is overdue."""

    is_on: bool
    last_at: datetime | None = None
    bytes: int | None = None
    failed_at: datetime | None = None
    error: str | None = None
    is_overdue: bool = False


async def backup_status(ports: Ports) -> BackupStatus:
    if ports.back_up is None:
        return BackupStatus(is_on=False)
    async with ports.db.transaction(Bound()) as tx:
        row = await backup_store.latest(tx)
    if row is None:
        return BackupStatus(is_on=True)
    since = row["last_at"] or row["first_at"]
    return BackupStatus(
        is_on=True,
        last_at=row["last_at"],
        bytes=row["bytes"],
        failed_at=row["failed_at"],
        error=row["error"],
        is_overdue=since is not None and now() - since > OVERDUE_AFTER,
    )
