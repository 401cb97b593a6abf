"""Validate the fields of a memory; an error names the field and says how to fix it."""

from datetime import datetime

from remem.core.errors import Invalid
from remem.core.judgements import CATEGORIES
from remem.core.memories.model import CONTENT_LIMIT, SOURCE_LIMIT, SPEAKER_LIMIT, MemoryDraft
from remem.core.text import TITLE_LIMIT, clean, unstorable_reason
from remem.core.validate import (
    STORED,
    check_json,
    check_moment,
    check_number,
    check_tags,
    check_text,
)

TIMES = ("valid_from", "valid_until", "occurred_at", "due_at")


def check_draft(draft: MemoryDraft) -> None:
    check_content(draft.content)
    check_title(draft.title)
    check_category(draft.category)
    check_tags(draft.tags)
    check_json("context", draft.context)
    check_json("evidence", draft.evidence, STORED)
    check_confidence(draft.confidence)
    for name in (*TIMES, "created_at", "said_at"):
        check_moment(name, getattr(draft, name))
    check_times(draft.valid_from, draft.valid_until)
    check_text("source", draft.source, SOURCE_LIMIT, least=1)
    check_text("speaker", draft.speaker, SPEAKER_LIMIT)


def check_content(content: str) -> None:
    if reason := unstorable_reason(content):
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
    check_text("title", title, TITLE_LIMIT)


def check_category(category: str | None) -> None:
    if category is not None and category not in CATEGORIES:
        raise Invalid("category", f"use one of: {', '.join(CATEGORIES)}")


def check_confidence(confidence: float | None) -> None:
    check_number("confidence", confidence, 0, 1)


def check_times(valid_from: datetime | None, valid_until: datetime | None) -> None:
    if valid_from and valid_until and valid_until <= valid_from:
        raise Invalid("valid_until", "is not after valid_from; send a later time")
