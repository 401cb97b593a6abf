"""The day of a note whose heading ends with a date; pure."""

import re
from datetime import datetime, timedelta

from remem.core.language.times.statements import times_in

_HEADING = re.compile(r"[^\n]{4,90}?(?=\n|[.:] |[.:]?$)")
_END = re.compile(r"[\s).:\]]*")
# A sentence about a day is not a heading: "paid on 3 May", "the lease is from 1 May 2026".
_SENTENCE_VERB = re.compile(
    r"\b(?:is|are|am|was|were|be|been|has|have|had|will|must|should|can|did|does|do|went|got|bought"
    r"|met|read|ran|saw|\w{3,}ed)\b|['’](?:s|re|m|ve|d)\s(?:\w+ed|been|going)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OF = frozenset({"", "of"})
_DAY = timedelta(days=1)


def heading_day(text: str, now: datetime) -> datetime | None:
    """The day of a heading such as "Retro, 6 Oct 2026" that is followed by notes. A future day is
    the topic of the note, not when it was written."""
    match = _HEADING.match(text.lstrip("# \t\n"))
    heading = match[0] if match else ""
    if not _YEAR.search(heading) or len(heading.strip()) == len(text.strip()):
        return None
    for time in times_in(heading, now):
        preposition = heading[time.start : time.end].removesuffix(time.words).strip().lower()
        is_last = _END.fullmatch(heading, time.end) is not None
        has_verb = _SENTENCE_VERB.search(heading, 0, time.start)
        if (
            is_last
            and preposition in _OF
            and not has_verb
            and time.grain == "day"
            and not time.relative
        ):
            return time.first if time.first <= now + _DAY else None
    return None
