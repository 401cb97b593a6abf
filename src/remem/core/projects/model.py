"""The values of projects, and how their names are written."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.validate import check_text

NAME_LIMIT = 200
DESCRIPTION_LIMIT = 2_000
SLUG_LIMIT = 255
# What is written in place of a path, with all that normalising takes away.
REF_LIMIT = 2_000
DEPTH_LIMIT = 10
DEFAULT_SLUG = "default"


@dataclass(frozen=True, slots=True)
class Project:
    id: UUID
    slug: str
    name: str
    description: str | None
    parent_id: UUID | None
    is_default: bool
    generation: int
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    document_count: int = 0
    memory_count: int = 0


def normalise(path: str, field: str = "project") -> str:
    """A dotted path in lower case without spaces: "My Agent.Notes" is "my-agent.notes"."""
    check_text(field, path, REF_LIMIT)
    parts = [_part(part) for part in path.split(".")]
    slug = ".".join(part for part in parts if part)
    if not slug:
        raise Invalid(field, "give a name with at least one letter or digit")
    if len(slug) > SLUG_LIMIT or slug.count(".") >= DEPTH_LIMIT:
        raise Invalid(field, f"use at most {SLUG_LIMIT} characters and {DEPTH_LIMIT} levels")
    return slug


def _part(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).strip().lower()
    return re.sub(r"[^\w-]+", "", re.sub(r"\s+", "-", folded)).strip("-")


def parent_of(slug: str) -> str | None:
    return slug.rpartition(".")[0] or None
