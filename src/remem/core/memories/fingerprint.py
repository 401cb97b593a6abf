"""The hash by which a duplicate statement is recognised: its words, speaker, dates and heading."""

import re
from datetime import UTC

from remem.core.judgements import StatementContext
from remem.core.language.headings import topic_terms
from remem.core.language.person import depends_on_speaker, is_feed, is_user
from remem.core.memories.rules.headings import names_its_subject
from remem.core.text import content_hash

_YEAR = re.compile(r"(?:19|20)\d\d")


def fingerprint(content: str, context: StatementContext) -> str:
    """Hash a statement with what changes its meaning.

    "I moved yesterday" differs by speaker and day, "Serves 4 people" by heading. A statement of a
    feed never equals one of the user."""
    speaker, heading = context.speaker, context.heading
    parts = [content]
    if is_feed(speaker) or (not is_user(speaker) and depends_on_speaker(content)):
        parts.append(" ".join((speaker or "").casefold().split()))
    parts += [
        date["start"] for date in context.dates if date["start"] and not _YEAR.search(date["text"])
    ]
    if heading and (topic := topic_terms(heading)) and not names_its_subject(content, heading):
        parts.append(" ".join(sorted(topic)))
    if not context.dates:
        parts += _times_given(context)
    return content_hash("\n".join(parts))


def _times_given(context: StatementContext) -> list[str]:
    """The times sent by the caller, because "I went for a run" can happen twice.

    Only used when the text names no date."""
    given = {"occurred": context.occurred_at, "due": context.due_at}
    return [f"{name} {time.astimezone(UTC).isoformat()}" for name, time in given.items() if time]
