"""What every request body has in common, and how moments and cursors are written."""

import base64
import binascii
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer, model_validator

from remem.core.errors import Invalid
from remem.core.text import unstorable
from remem.core.time import iso


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[
    datetime, AfterValidator(_aware), PlainSerializer(iso, return_type=str, when_used="json")
]


class Body(BaseModel):
    """A request body: unknown fields and text that cannot be kept are refused by name."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unstorable(cls, value: Any) -> Any:
        _walk(value, "")
        return value


def _walk(value: Any, path: str) -> None:
    if isinstance(value, str):
        if reason := unstorable(value):
            raise Invalid(path or "body", reason)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _walk(key, path)
            _walk(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _walk(inner, f"{path}.{index}")


def write_cursor(place: tuple[datetime, UUID] | None) -> str | None:
    if place is None:
        return None
    return base64.urlsafe_b64encode(f"{place[0].isoformat()}|{place[1]}".encode()).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, UUID] | None:
    if not cursor:
        return None
    try:
        moment, id = base64.urlsafe_b64decode(cursor.encode()).decode().split("|")
        return datetime.fromisoformat(moment), UUID(id)
    except (ValueError, binascii.Error) as error:
        raise Invalid("cursor", "is not one of ours; send next_cursor as it came") from error
