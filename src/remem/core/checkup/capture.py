"""Capture gaps: assistants and connections that saved regularly and have stopped."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

from remem.core.checkup import checkup_store
from remem.core.checkup.model import FindingItem
from remem.core.time import now
from remem.core.transaction import Tx

# Assistants that were used on so many days count as regular.
MIN_DAYS = 5
# So long ago, an assistant was given up and not interrupted.
FORGOTTEN_DAYS = 60
HISTORY_DAYS = 180
# Silence is a gap when it is so many times as long as the usual pause, and a week at least.
PAUSES, MIN_SILENT_DAYS = 4, 7


async def find_gaps(tx: Tx) -> list[FindingItem]:
    moment = now()
    items = []
    for row in await checkup_store.agent_days(tx, HISTORY_DAYS):
        pause = usual_pause(row["days"])
        silent = (moment.date() - max(row["days"])).days
        if pause and is_gap(silent, pause):
            often = "every day" if pause <= 1 else f"every {pause:g} days"
            items.append(
                FindingItem(
                    key=f"agent:{row['agent']}",
                    subject="agent",
                    id=row["agent"],
                    text=row["agent"],
                    detail=f"It saved about {often}, and has saved nothing for {silent} days.",
                    at=row["last"],
                    is_fixable=False,
                )
            )
    for row in await checkup_store.stopped_connections(tx):
        needs_person = row["status"] == "needs_auth"
        items.append(
            FindingItem(
                key=f"connection:{row['id']}",
                subject="connection",
                id=str(row["id"]),
                text=f"{row['provider']}: {row['account']}",
                detail=row["error"] or "It has not been read for longer than its interval.",
                at=row["last_synced_at"],
                is_fixable=not needs_person,
            )
        )
    return sorted(items, key=lambda item: item.key)


def usual_pause(days: Sequence[date]) -> float | None:
    """The usual number of days from one day to the next; None if there are too few."""
    ordered = sorted(set(days))
    if len(ordered) < MIN_DAYS:
        return None
    pauses = [later - earlier for earlier, later in pairwise(ordered)]
    return median(pause / timedelta(days=1) for pause in pauses)


def is_gap(silent_days: int, pause: float) -> bool:
    return max(MIN_SILENT_DAYS, PAUSES * pause) < silent_days <= FORGOTTEN_DAYS
