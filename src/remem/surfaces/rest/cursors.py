"""Encode and decode the cursor at which the next page of a list begins."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from remem.core.errors import Invalid

Value = TypeVar("Value")


def write_cursor(position: tuple[datetime | str | int, UUID] | None) -> str | None:
    """Encode the sort value and the id of the last item of a page."""
    if position is None:
        return None
    value = position[0].isoformat() if isinstance(position[0], datetime) else str(position[0])
    return base64.urlsafe_b64encode(f"{value}|{position[1]}".encode()).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Decode the cursor of a list sorted by time."""
    return _decode(cursor, _parse_moment) if cursor else None


def read_sorted_cursor(cursor: str | None, sort: str) -> tuple[datetime | str | int, UUID] | None:
    if not cursor or sort in ("created", "updated"):
        return read_cursor(cursor)
    return _decode(cursor, int) if sort == "size" else _decode(cursor, str)


def _parse_moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _decode(cursor: str, read_value: Callable[[str], Value]) -> tuple[Value, UUID]:
    try:
        value, _, id = base64.urlsafe_b64decode(cursor.encode()).decode().rpartition("|")
        return read_value(value), UUID(id)
    except (ValueError, OverflowError) as error:
        raise Invalid(
            "cursor", "is not a valid cursor; send the next_cursor of the previous page"
        ) from error
