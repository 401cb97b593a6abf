"""Whether two statements are the same: their words, whose they are, and the times they mean."""

import re
from datetime import UTC

from remem.core.judgements import Saying
from remem.core.language.headings import thing_of
from remem.core.language.person import depends_on_speaker, is_feed, is_user
from remem.core.memories.rules.headings import names_its_subject
from remem.core.text import content_hash

_YEAR = re.compile(r"(?:19|20)\d\d")


def fingerprint(content: str, said: Saying) -> str:
    """ "I moved yesterday" is something else when another person says it, or on another day, and
    "Serves 4 people" under another heading. What a feed says is never what the user said."""
    speaker, heading = said.speaker, said.heading
    parts = [content]
    if is_feed(speaker) or (not is_user(speaker) and depends_on_speaker(content)):
        parts.append(" ".join((speaker or "").casefold().split()))
    parts += [one["start"] for one in said.dates if one["start"] and not _YEAR.search(one["text"])]
    if heading and (thing := thing_of(heading)) and not names_its_subject(content, heading):
        parts.append(" ".join(sorted(thing)))
    if not said.dates:
        parts += _times_given(said)
    return content_hash("\n".join(parts))


def _times_given(said: Saying) -> list[str]:
    """ "I went for a run" happens again; where the words name a date, that says when."""
    given = {"occurred": said.occurred_at, "due": said.due_at}
    return [f"{name} {time.astimezone(UTC).isoformat()}" for name, time in given.items() if time]
