"""When a statement expires by its own words, to set `valid_until` of a new memory.

"The ticket is valid until 5 March" expires at the end of that day."""

import re
from datetime import datetime

from remem.core.language.times.validity import valid_until
from remem.core.memories.rules.dates import certain_times

# "Was valid until …" says nothing about the future.
_VALID = re.compile(
    r"(?<!\bwas )(?<!\bwere )(?<!\bnot )\b(?:valid|in force|in effect|effective|good|applicable"
    r"|appl(?:y|ies)|holds?|redeemable|active)\s(?:only\s)?(?:until|till|through|thru|up to|to)\s",
    re.IGNORECASE,
)
# The most characters between the words above and their day.
_MAX_GAP = 8


def valid_until_of(content: str, said_at: datetime | None) -> datetime | None:
    """The end of the day, or the moment, that is named; only if it was ahead at `said_at`."""
    if said_at is None:
        return None
    for phrase in _VALID.finditer(content):
        for time in certain_times(content, said_at):
            is_adjacent = phrase.start() < time.end and time.start <= phrase.end() + _MAX_GAP
            if is_adjacent and time.end > phrase.end() and time.last > said_at:
                return time.last
    return valid_until(content, said_at)
