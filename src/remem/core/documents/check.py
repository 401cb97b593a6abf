"""Refuse a draft that cannot be kept, by the name of the field and the mend."""

import json

from remem.core.documents.model import (
    CONTENT_LIMIT,
    CONTENT_TYPES,
    METADATA_LIMIT,
    TAG_LIMIT,
    TAGS_LIMIT,
    URL_LIMIT,
    Draft,
)
from remem.core.errors import Invalid
from remem.core.text import TITLE_LIMIT, unstorable
from remem.core.time import now


def check(draft: Draft) -> None:
    _check_content(draft)
    check_title(draft.title)
    check_tags(draft.tags)
    check_metadata(draft.metadata)
    if draft.content_type and draft.content_type not in CONTENT_TYPES:
        raise Invalid("content_type", f"use one of: {', '.join(sorted(CONTENT_TYPES))}")
    if draft.source_url and len(draft.source_url) > URL_LIMIT:
        raise Invalid("source_url", f"use at most {URL_LIMIT:,} characters")
    if draft.forget_after and draft.forget_after <= now():
        raise Invalid("forget_after", "lies in the past; give a moment to come")


def _check_content(draft: Draft) -> None:
    if draft.original or draft.fetch or draft.extracted:
        return
    if not draft.content.strip():
        raise Invalid("content", "is empty; send the text to remember")
    if len(draft.content) > CONTENT_LIMIT:
        raise Invalid(
            "content",
            f"has {len(draft.content):,} characters and the limit is {CONTENT_LIMIT:,};"
            " split it into several saves, or upload it as a file",
        )
    if reason := unstorable(draft.content):
        raise Invalid("content", reason)


def check_title(title: str | None) -> None:
    if title and len(title) > TITLE_LIMIT:
        raise Invalid("title", f"use at most {TITLE_LIMIT} characters")
    if reason := unstorable(title or ""):
        raise Invalid("title", reason)


def check_tags(tags: list[str]) -> None:
    if len(tags) > TAGS_LIMIT or any(len(tag) > TAG_LIMIT for tag in tags):
        raise Invalid("tags", f"use at most {TAGS_LIMIT} tags of {TAG_LIMIT} characters")


def check_metadata(metadata: dict[str, object]) -> None:
    if len(json.dumps(metadata, default=str)) > METADATA_LIMIT:
        raise Invalid("metadata", f"use at most {METADATA_LIMIT:,} characters of JSON")
