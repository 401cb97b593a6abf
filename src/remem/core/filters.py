"""Search filters as values, which every index applies in its own way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.flags import Flag
from remem.core.language.times.queries import Window


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
        dated = self.created_after or self.created_before or self.windows
        kinds = self.content_types or self.categories or self.not_of_document
        return bool(kinds or self.tags or self.flags or dated or self.metadata)


ALL = Filters()
