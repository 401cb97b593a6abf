"""Moments, which are always aware and in UTC, and ids that contain one."""

import asyncio
import os
import time
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

Result = TypeVar("Result")


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> UUID:
    """A UUIDv7: sorts by the time it was created, so ids index and page well.

    The twelve bits after the milliseconds have the time to a quarter of a microsecond (RFC 9562,
    method 3), so that ids created one after the other by one process sort in that order too."""
    stamp_ms, rest_ns = divmod(time.time_ns(), 1_000_000)
    moment = (stamp_ms & 0xFFFFFFFFFFFF) << 16 | 0x7 << 12 | rest_ns * 4_096 // 1_000_000
    random = int.from_bytes(os.urandom(8)) & (1 << 62) - 1
    return UUID(int=moment << 64 | 0b10 << 62 | random)


def id_at(moment: datetime) -> UUID:
    """The smallest id that could have been created at a moment."""
    return UUID(int=(int(moment.timestamp() * 1_000) & 0xFFFFFFFFFFFF) << 80)


async def within(seconds: float, work: Awaitable[Result]) -> Result | None:
    """The result of the work, or None when it takes longer and is cancelled."""
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        return None


def iso(moment: datetime) -> str:
    """The only format in which moments are written: 2026-11-15T09:30:00.123Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
