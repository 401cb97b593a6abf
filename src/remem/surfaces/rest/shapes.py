"""The base class of request bodies, and how times are parsed and written."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    HttpUrl,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import CoreSchema, PydanticCustomError

from remem.core.errors import Invalid
from remem.core.time import iso
from remem.core.validate import NEW, check_values
from remem.surfaces.rest.strict import with_json_types

_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d")


def _refuse_numbers(value: Any) -> Any:
    """Refuse numbers: they would be read as seconds since 1970, which nobody means by a date."""
    if isinstance(value, int | float) or (isinstance(value, str) and not _DATE.match(value)):
        raise PydanticCustomError("datetime_type", "is not a date")
    return value


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise PydanticCustomError(
            "datetime_range", "is outside the supported range of dates"
        ) from error


Moment = Annotated[
    datetime,
    BeforeValidator(_refuse_numbers),
    AfterValidator(_utc),
    PlainSerializer(iso, return_type=str, when_used="json"),
]


def _in_own_zone(moment: datetime) -> datetime:
    return _utc(moment).astimezone(moment.tzinfo or UTC)


# In the time zone that was sent, which defines what a day is; UTC if none was sent.
ZonedMoment = Annotated[datetime, BeforeValidator(_refuse_numbers), AfterValidator(_in_own_zone)]
_HTTP_URL = TypeAdapter(HttpUrl)


def read_address(text: str) -> str:
    """Parse a web address that was sent as content."""
    try:
        return str(_HTTP_URL.validate_python(text.strip()))
    except ValidationError as error:
        reason = "is not an http or https address; send one, or another content_type"
        raise Invalid("content", reason) from error


class Reply(BaseModel):
    """A reply, or a part of one."""

    model_config = ConfigDict(from_attributes=True)

    @classmethod
    def of(cls, value: object, **computed: Any) -> Self:
        """Copy the fields that the value has under the same name; the others are computed."""
        copied = {
            name: getattr(value, name)
            for name in cls.model_fields
            if name not in computed and hasattr(value, name)
        }
        return cls(**copied, **computed)


class DateOut(BaseModel):
    """A resolved date in a statement. `end` is exclusive, and equal to `start` for a point in
    time."""

    text: str
    start: Moment | None
    end: Moment | None
    certain: bool = Field(
        description="Whether the date is certain; if not, it is one possible reading."
    )


class Problem(BaseModel):
    """The format of every error."""

    error: str
    code: str
    details: Any = None


class Camel(Reply):
    """A reply with names in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Body(BaseModel):
    """A request body. Unknown fields and text that cannot be stored are refused by name."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return with_json_types(handler(source))

    @model_validator(mode="before")
    @classmethod
    def _refuse_unstorable(cls, value: Any) -> Any:
        check_values("", value, NEW.depth)
        return value

    @model_validator(mode="before")
    @classmethod
    def _name_filters(cls, value: Any) -> Any:
        """Refuse a filter that was sent next to `filters`, and say where it belongs."""
        filters = cls.model_fields.get("filters")
        known = getattr(filters.annotation, "model_fields", {}) if filters else {}
        for name in value if isinstance(value, dict) else ():
            if name in known and name not in cls.model_fields:
                raise Invalid(name, f"is not a field here; use filters.{name}")
        return value


def address_of(kind: str, id: UUID) -> str:
    """Return the path at which a document, chunk or memory can be read."""
    path = {"document": "/v3/documents", "chunk": "/v3/chunks", "memory": "/api/memories"}[kind]
    return f"{path}/{id}"
