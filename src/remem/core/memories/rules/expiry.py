"""Until when a statement is valid, where it says so itself: "valid until 5 March"."""

import re
from datetime import datetime

from remem.core.memories.rules.dates import certain_times

# What was valid once is no statement of how long something is valid from now on.
_VALID = re.compile(
    r"(?<!\bwas )(?<!\bwere )(?<!\bnot )\b(?:valid|in force|in effect|effective|good|applicable"
    r"|appl(?:y|ies)|holds?|redeemable|active)\s(?:only\s)?(?:until|till|through|thru|up to|to)\s",
    re.IGNORECASE,
)
# Between the words above and their day.
_NEAR = 8


def valid_until_of(content: str, said_at: datetime | None) -> datetime | None:
    """The end of the day that is named, or the moment; only one that lay ahead when it was said."""
    if said_at is None:
        return None
    for said in _VALID.finditer(content):
        for time in certain_times(content, said_at):
            is_named = said.start() < time.end and time.start <= said.end() + _NEAR
            if is_named and time.end > said.end() and time.last > said_at:
                return time.last
    return None
