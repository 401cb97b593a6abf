"""The backups of the server, which only its operator sees."""

from remem.core.backup.status import BackupStatus
from remem.core.checkup.model import FindingItem


def backup_items(status: BackupStatus | None) -> list[FindingItem]:
    """One item if no backup is made, or none was made lately."""
    if status is None:
        return []
    if not status.is_on:
        says = "This server makes no backups of its own; set REMEM_BACKUPS to a folder."
    elif status.is_overdue:
        says = "There was no backup for three days."
        says += f" The last attempt failed: {status.error}" if status.error else ""
    else:
        return []
    item = FindingItem(
        "backups", "server", "backups", "Backups", says, at=status.last_at, is_fixable=status.is_on
    )
    return [item]
