"""Validate a draft; an error names the field and how to fix it."""

from datetime import datetime

from remem.core.content_kinds import KINDS
from remem.core.documents.model import CONTENT_LIMIT, SOURCE_LIMIT, Draft
from remem.core.errors import Invalid
from remem.core.text import TITLE_LIMIT, unstorable_reason
from remem.core.time import now
from remem.core.validate import (
    SOURCE_SCHEMES,
    WEB_SCHEMES,
    check_json,
    check_moment,
    check_one_of,
    check_tags,
    check_text,
    check_url,
)


def check(draft: Draft) -> None:
    _check_content(draft)
    check_title(draft.title)
    check_tags(draft.tags)
    check_json("metadata", draft.metadata)
    check_one_of("content_type", draft.content_type, KINDS)
    schemes = WEB_SCHEMES if draft.fetch else SOURCE_SCHEMES
    check_url("source_url", draft.source_url or None, schemes)
    check_text("source", draft.source, SOURCE_LIMIT, least=1)
    check_moment("created_at", draft.created_at)
    check_forget_after(draft.forget_after)


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
    if reason := unstorable_reason(draft.content):
        raise Invalid("content", reason)


def check_title(title: str | None) -> None:
    check_text("title", title, TITLE_LIMIT)


def check_forget_after(moment: datetime | None) -> None:
    check_moment("forget_after", moment)
    if moment and moment <= now():
        raise Invalid("forget_after", "is in the past; give a future time")
