"""Refuse what cannot be kept, by the name of the field and the mend."""

import json
from datetime import datetime
from typing import Any

from remem.core.errors import Invalid
from remem.core.memories.model import (
    CATEGORIES,
    CONTENT_LIMIT,
    CONTEXT_LIMIT,
    SOURCE_LIMIT,
    TAG_LIMIT,
    TAGS_LIMIT,
    Draft,
)
from remem.core.text import TITLE_LIMIT, clean, unstorable


def check_draft(draft: Draft) -> None:
    check_content(draft.content)
    check_title(draft.title)
    check_category(draft.category)
    check_tags(draft.tags)
    check_context(draft.context)
    check_confidence(draft.confidence or 0)
    check_times(draft.valid_from, draft.valid_until)
    if not 0 < len(draft.source) <= SOURCE_LIMIT:
        raise Invalid("source", f"use 1 to {SOURCE_LIMIT} characters")
    if reason := unstorable(draft.source):
        raise Invalid("source", reason)


def check_content(content: str) -> None:
    if reason := unstorable(content):
        raise Invalid("content", reason)
    if not clean(content):
        raise Invalid("content", "is empty; send the statement to remember")
    if len(content) > CONTENT_LIMIT:
        raise Invalid(
            "content",
            f"has {len(content):,} characters and a memory has at most {CONTENT_LIMIT:,};"
            " save it as a document, or say it in several memories",
        )


def check_title(title: str | None) -> None:
    if title and len(title) > TITLE_LIMIT:
        raise Invalid("title", f"use at most {TITLE_LIMIT} characters")
    if reason := unstorable(title or ""):
        raise Invalid("title", reason)


def check_category(category: str | None) -> None:
    if category is not None and category not in CATEGORIES:
        raise Invalid("category", f"use one of: {', '.join(CATEGORIES)}")


def check_tags(tags: list[str]) -> None:
    if len(tags) > TAGS_LIMIT or any(not 0 < len(tag) <= TAG_LIMIT for tag in tags):
        raise Invalid("tags", f"use at most {TAGS_LIMIT} tags of 1 to {TAG_LIMIT} characters")


def check_context(context: dict[str, Any]) -> None:
    if len(json.dumps(context, default=str)) > CONTEXT_LIMIT:
        raise Invalid("context", f"use at most {CONTEXT_LIMIT:,} characters of JSON")


def check_confidence(confidence: float) -> None:
    if not 0 <= confidence <= 1:
        raise Invalid("confidence", "use a number from 0 to 1")


def check_times(valid_from: datetime | None, valid_until: datetime | None) -> None:
    if valid_from and valid_until and valid_until <= valid_from:
        raise Invalid("valid_until", "is not after valid_from; give a later moment")
