"""Fields shared by several bodies and queries; their schemas describe what the core checks."""

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Query
from pydantic import BeforeValidator, GetJsonSchemaHandler, HttpUrl
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from remem.core.content_kinds import KINDS
from remem.core.identity.passwords import PASSWORD_MAX, PASSWORD_MIN
from remem.core.identity.register import EMAIL_LIMIT
from remem.core.validate import TAG_LIMIT, TAGS_LIMIT, URL_LIMIT

_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")

if TYPE_CHECKING:
    ContentType = SentType = str
else:
    ContentType = Literal[tuple(KINDS)]
    SentType = Literal[(*KINDS, "url")]


class Described:
    """Adds keywords to a field's schema without validating; the core validates and words the
    errors."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords = keywords

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {**handler(schema), **self.keywords}


Email = Annotated[str, Described(maxLength=EMAIL_LIMIT, pattern=r"^[^@\s]+@[^@\s]+$")]
Password = Annotated[str, Described(minLength=PASSWORD_MIN, maxLength=PASSWORD_MAX)]
Tags = Annotated[
    list[Annotated[str, Described(minLength=1, maxLength=TAG_LIMIT)]],
    Described(maxItems=TAGS_LIMIT),
]
InProject = Annotated[str | None, Query(description="An id, slug, path or name.")]
PageLimit = Annotated[int, Query(ge=1, le=100)]


def _refuse_blank(value: Any) -> Any:
    """Refuse white space. HttpUrl would drop it silently and save another URL than the one sent."""
    if isinstance(value, str) and _BLANKS.search(value.strip()):
        raise PydanticCustomError(
            "web_address", "contains white space or a control character; encode or remove it"
        )
    return value


WebAddress = Annotated[HttpUrl, BeforeValidator(_refuse_blank), Described(maxLength=URL_LIMIT)]
