"""Moments: always aware, always UTC, and the ids that carry one."""

import os
import time
from datetime import UTC, datetime
from uuid import UUID


def now() -> datetime:
    return datetime.now(UTC)


def new_id() -> UUID:
    """A UUIDv7: sorts by the moment it was made, so ids index and page well."""
    stamp_ms = time.time_ns() // 1_000_000
    value = (stamp_ms & 0xFFFFFFFFFFFF) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    return UUID(int=value & ~(0x3 << 62) | 0x2 << 62)


def iso(moment: datetime) -> str:
    """The one way a moment is written: 2026-11-15T09:30:00.123Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
