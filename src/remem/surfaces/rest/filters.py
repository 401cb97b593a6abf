"""The filters of searches: the bodies that take them, and all of them as the core's value."""

from dataclasses import fields
from typing import Any

from pydantic import Field

from remem.core.filters import Filters
from remem.core.flags import Flag
from remem.core.judgements import Category
from remem.surfaces.rest.fields import ContentType
from remem.surfaces.rest.shapes import Body, Moment

# The names of a filter in the APIs, where they are not those of the core.
NAMES = {
    "content_types": ("content_type",),
    "categories": ("category", "memory_type"),
    "created_after": ("created_after", "since"),
    "created_before": ("created_before", "until"),
}


class FiltersIn(Body):
    content_type: list[ContentType] = Field(default_factory=list)
    created_after: Moment | None = None
    created_before: Moment | None = None
    tags: list[str] = Field(default_factory=list)
    category: list[Category] = Field(
        default_factory=list, description="Memories of these categories; no documents then."
    )
    metadata: dict[str, Any] = Field(
        default_factory=dict,
        description="Contained in a document's metadata, or in a memory's context.",
    )
    flags: list[Flag] = Field(
        default_factory=list,
        description="All these flags of yours; `is:unread` in the query is the same.",
    )


class SearchFilters(Body):
    memory_type: list[Category] = Field(
        default_factory=list,
        description="Memories of these types; no documents then. `fact` includes decisions,"
        " context and notes, `insight` patterns and lessons, `preference` procedures.",
    )
    tags: list[str] = Field(default_factory=list, description="All of these.")
    created_after: Moment | None = None
    created_before: Moment | None = None
    metadata: dict[str, Any] = Field(
        default_factory=dict, description="Contained in the metadata of the item."
    )


def filters_of(params: object) -> Filters:
    """Each filter that these parameters have, under its name in any API."""
    values: dict[str, Any] = {}
    for field in fields(Filters):
        for name in NAMES.get(field.name, (field.name,)):
            if value := getattr(params, name, None):
                values[field.name] = tuple(value) if isinstance(value, list) else value
    if isinstance(values.get("categories"), str):
        values["categories"] = (values["categories"],)
    return Filters(**values)
