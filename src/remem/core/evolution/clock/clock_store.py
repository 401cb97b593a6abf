"""SQL of the clock."""

from datetime import datetime

from remem.core.transaction import SystemTx


async def claim(
    tx: SystemTx, name: str, slot: datetime, moment: datetime, lease_until: datetime
) -> bool:
    """Claim a slot; return whether this caller got it. In a new store nothing is due yet. A slot
    that was claimed and not finished in time can be claimed again."""
    is_new = await tx.fetchval(
        "INSERT INTO schedules (name, slot, finished_at) VALUES ($1, $2, $3)"
        " ON CONFLICT (name) DO NOTHING RETURNING true",
        name,
        slot,
        moment,
    )
    if is_new:
        return False
    return bool(
        await tx.fetchval(
            "UPDATE schedules SET slot = $2, lease_until = $4, finished_at = NULL"
            " WHERE name = $1 AND (slot < $2 OR (finished_at IS NULL AND lease_until < $3))"
            " RETURNING true",
            name,
            slot,
            moment,
            lease_until,
        )
    )


async def finish(tx: SystemTx, name: str, slot: datetime, moment: datetime) -> None:
    await tx.execute(
        "UPDATE schedules SET finished_at = $3, lease_until = NULL WHERE name = $1 AND slot = $2",
        name,
        slot,
        moment,
    )


async def last_run(tx: SystemTx, name: str) -> datetime | None:
    """The last slot that was finished."""
    return await tx.fetchval(
        "SELECT slot FROM schedules WHERE name = $1 AND finished_at IS NOT NULL", name
    )
