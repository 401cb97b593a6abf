"""Where the next page of a list begins, as it is sent and comes back."""

import base64
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from remem.core.errors import Invalid

Value = TypeVar("Value")


def write_cursor(place: tuple[datetime | str | int, UUID] | None) -> str | None:
    """Of a list by any value: that of the last line, and its id."""
    if place is None:
        return None
    value = place[0].isoformat() if isinstance(place[0], datetime) else str(place[0])
    return base64.urlsafe_b64encode(f"{value}|{place[1]}".encode()).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Of a list by moments."""
    return _read(cursor, _moment) if cursor else None


def read_sorted_cursor(cursor: str | None, sort: str) -> tuple[datetime | str | int, UUID] | None:
    if not cursor or sort in ("created", "updated"):
        return read_cursor(cursor)
    return _read(cursor, int) if sort == "size" else _read(cursor, str)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _read(cursor: str, read_value: Callable[[str], Value]) -> tuple[Value, UUID]:
    try:
        value, _, id = base64.urlsafe_b64decode(cursor.encode()).decode().rpartition("|")
        return read_value(value), UUID(id)
    except (ValueError, OverflowError) as error:
        raise Invalid(
            "cursor", "is not a valid cursor; send the next_cursor of the previous page"
        ) from error
