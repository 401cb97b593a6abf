"""What every request body has in common, and how moments and cursors are written."""

import base64
import math
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    HttpUrl,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from remem.core.errors import Invalid
from remem.core.text import shorten, unstorable
from remem.core.time import iso

DEPTH_LIMIT = 100
NAME_LIMIT = 200


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise PydanticCustomError("datetime_range", "lies outside the calendar") from error


Moment = Annotated[
    datetime, AfterValidator(_utc), PlainSerializer(iso, return_type=str, when_used="json")
]


_ADDRESS = TypeAdapter(HttpUrl)


def read_address(text: str) -> str:
    """An address on the web that was sent as content."""
    try:
        return str(_ADDRESS.validate_python(text.strip()))
    except ValidationError as error:
        reason = "is not an http or https address; send one, or another content_type"
        raise Invalid("content", reason) from error


class Problem(BaseModel):
    """The one shape of error."""

    error: str
    code: str
    details: Any = None


class Body(BaseModel):
    """A request body: unknown fields and text that cannot be kept are refused by name."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unstorable(cls, value: Any) -> Any:
        _walk(value, "")
        return value


def _walk(value: Any, path: str, depth: int = 0) -> None:
    if reason := _unkeepable(value, depth):
        raise Invalid(shown(path), reason)
    if isinstance(value, dict):
        for key, inner in value.items():
            _walk(key, path, depth)
            _walk(inner, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _walk(inner, f"{path}.{index}", depth + 1)


def shown(path: str) -> str:
    """A field's name as an error gives it back: whoever sent a megabyte of it has it already."""
    return shorten(path, NAME_LIMIT) or "body"


def _unkeepable(value: Any, depth: int) -> str | None:
    if isinstance(value, str):
        return unstorable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "is not a finite number; send one, or null"
    if depth > DEPTH_LIMIT:
        return f"is nested deeper than {DEPTH_LIMIT} levels; flatten it"
    return None


def write_cursor(place: tuple[datetime, UUID] | None) -> str | None:
    if place is None:
        return None
    return base64.urlsafe_b64encode(f"{place[0].isoformat()}|{place[1]}".encode()).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    if not cursor:
        return None
    try:
        moment, id = base64.urlsafe_b64decode(cursor.encode()).decode().split("|")
        return datetime.fromisoformat(moment).astimezone(UTC), UUID(id)
    except (ValueError, OverflowError) as error:
        raise Invalid("cursor", "is not one of ours; send next_cursor as it came") from error
