"""Whether a statement is for a while, from a day to come on, or one of a series; pure.

It then stands beside what is usual, and takes the place of nothing."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from remem.core.language.claims.limited import limits_of, starts_later
from remem.core.language.claims.news import is_past_event, is_state, tells_turn
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.verbs import find_verb
from remem.core.language.quantities import kind_of
from remem.core.language.times.calendar import MONTHS, a_day
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.words import Word, words

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LATEST = frozenset("last latest recent current newest".split())
_DAYS = frozenset("weekday month date".split())
# Full dates mean the same whenever they are said.
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


def is_passing(content: str, known: str, today: date | None) -> bool:
    new, old = words(content), words(known)
    if _is_of_series(content, known, today):
        return True
    # "Raised the rent to 850 from March": that is done, and no exception.
    if _tells_event(new):
        return False
    begins = starts_later(new, today) and not starts_later(old, today)
    return begins or _is_limited(new, old)


def _tells_event(found: Sequence[Word]) -> bool:
    """ "Is parked", and "costs" as it is often written, tell of no past."""
    return any(
        is_past_event(word) and word.low != word.stem and not is_state(found, at)
        for at, word in enumerate(found)
        if not word.named or at == 0
    )


def _is_limited(new: Sequence[Word], old: Sequence[Word]) -> bool:
    limits, usual = limits_of(new), limits_of(old)
    if tells_turn(new, frozenset(terms_of(old))):
        return False
    verb = find_verb(new)
    has_day = any(kind_of(word) in _DAYS for word in old)
    return any(
        _leaves_value(new, old, place) and (not has_day or place.start < (verb or 0))
        for kind, place in limits.items()
        if kind not in usual
    )


def _leaves_value(new: Sequence[Word], old: Sequence[Word], place: range) -> bool:
    """ "The meeting is today" says when it is, and nothing that is so for today."""
    rest = [word for at, word in enumerate(new) if at not in place]
    return bool(frozenset(terms_of(rest)) - frozenset(terms_of(old)))


def _is_of_series(content: str, known: str, today: date | None) -> bool:
    """ "Petrol on 3 May 2026 cost 1.79": another value on another day that is over. Where nothing
    but the day differs, it was moved."""
    mine, theirs = _days(content, today), _days(known, today)
    if len(mine) != 1 or len(theirs) != 1 or mine.keys() == theirs.keys():
        return False
    if today is not None and max(*mine, *theirs) > today:
        return False
    new, old = (words(text) for text in (content, known))
    if _LATEST & {word.low for word in (*new, *old)}:
        return False
    rest = [
        frozenset(terms_of(words(text.replace(written, " "))))
        for text, written in ((content, *mine.values()), (known, *theirs.values()))
    ]
    return bool(rest[0] - rest[1]) and bool(rest[0] & rest[1])


def _days(text: str, today: date | None) -> dict[date, str]:
    """The dates in a text, and how each is written; what is jotted down without a verb and a year
    is of the last up to today."""
    is_jotted = find_verb(words(text)) is None
    until = datetime.combine(today, time.max, UTC) if today else _ANY_DAY
    found: dict[date, str] = {}
    for one in times_in(text, until):
        has_year = _YEAR.search(one.words) is not None
        if one.grain not in ("day", "moment") or not (has_year or (today and _has_month(one))):
            continue
        day = one.first.date()
        if is_jotted and not (has_year or one.certain) and day > until.date():
            day = a_day(day.year - 1, day.month, day.day) or day
        found[day] = text[one.start : one.end]
    return found


def _has_month(found: StatedTime) -> bool:
    return any(word.low in MONTHS for word in words(found.words))
