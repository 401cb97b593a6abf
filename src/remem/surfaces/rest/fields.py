"""Fields that several bodies have, described in the schema as the core checks them."""

from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler, HttpUrl
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from remem.core.identity.passwords import PASSWORD_MAX, PASSWORD_MIN
from remem.core.identity.register import EMAIL_LIMIT
from remem.core.validate import TAG_LIMIT, TAGS_LIMIT, URL_LIMIT


class Described:
    """Adds keywords to a field's schema and leaves checking, and its words, to the core."""

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
WebAddress = Annotated[HttpUrl, Described(maxLength=URL_LIMIT)]
