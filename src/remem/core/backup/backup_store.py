"""SQL of the nightly backups."""

from datetime import datetime

from remem.core.transaction import Row, SystemTx


async def record(tx: SystemTx, made_at: datetime, size: int | None, error: str | None) -> None:
    await tx.execute(
        "INSERT INTO backups (made_at, bytes, error) VALUES ($1, $2, $3)"
        " ON CONFLICT (made_at) DO UPDATE SET bytes = excluded.bytes, error = excluded.error",
        made_at,
        size,
        error,
    )


async def prune(tx: SystemTx, before: datetime) -> None:
    """Remove old records, but never the one of the last success."""
    await tx.execute(
        "DELETE FROM backups WHERE made_at < $1 AND made_at <"
        " (SELECT max(made_at) FROM backups WHERE error IS NULL)",
        before,
    )


async def latest(tx: SystemTx) -> Row | None:
    """The last success, the first attempt, and the last failure after the last success."""
    return await tx.fetchrow(
        "WITH done AS (SELECT made_at, bytes FROM backups WHERE error IS NULL"
        "   ORDER BY made_at DESC LIMIT 1),"
        " failed AS (SELECT made_at, error FROM backups WHERE error IS NOT NULL"
        "   AND made_at > coalesce((SELECT made_at FROM done), '-infinity')"
        "   ORDER BY made_at DESC LIMIT 1)"
        " SELECT min(b.made_at) AS first_at, (SELECT made_at FROM done) AS last_at,"
        " (SELECT bytes FROM done) AS bytes, (SELECT made_at FROM failed) AS failed_at,"
        " (SELECT error FROM failed) AS error FROM backups b"
    )
