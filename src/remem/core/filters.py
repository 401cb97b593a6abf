"""Search filters as values, which every index applies in its own way."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.flags import Flag
from remem.core.language.times.queries import Window
from remem.core.text import tags_without


@dataclass(frozen=True, slots=True)
class Filters:
    """All conditions must be met. Documents have a content type, memories a category; `metadata`
    must be contained in the document's own, or in the memory's context. `windows` are time spans:
    the item was said or happened in one of them. `not_of_document` leaves out one document and its
    memories."""

    content_types: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    # Those of the document, or of the document that a memory is from.
    flags: tuple[Flag, ...] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    windows: tuple[Window, ...] = ()
    not_of_document: UUID | None = None

    @property
    def any(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))


ALL = Filters()

# Whether a memory that is in no index meets a filter; `filter_sql` has the same for those that are.
MATCHES: Mapping[str, Callable[[Any, Any], bool]] = {
    "categories": lambda memory, categories: memory.category in categories,
    "tags": lambda memory, tags: not tags_without(tags, memory.tags),
    "created_after": lambda memory, moment: memory.created_at >= moment,
    "created_before": lambda memory, moment: memory.created_at < moment,
    "metadata": lambda memory, metadata: metadata.items() <= memory.context.items(),
}


def matches(memory: Any, filters: Filters) -> bool:
    return all(
        meets(memory, value) for name, meets in MATCHES.items() if (value := getattr(filters, name))
    )
