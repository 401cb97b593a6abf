"""Whether a new statement is temporary, begins in the future, or is one entry of a series.

It is then kept beside the usual one instead of updating it (`relate.py`, `change.py`): "The shop
closes at 4 this week" says nothing against "The shop closes at 6"."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from remem.core.language.claims.limited import limits_of, starts_later
from remem.core.language.claims.news import announces_change, is_past_event, is_state
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import find_verb
from remem.core.language.quantities import kind_of
from remem.core.language.times.calendar import MONTHS, date_or_none
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.words import Word, words

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LATEST = frozenset("last latest recent current newest".split())
_DAY_KINDS = frozenset("weekday month date".split())
# Full dates mean the same whatever day they are read on.
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


def is_temporary(content: str, known: str, today: date | None) -> bool:
    """Whether `content` is an exception to `known`. `today` is the day it was said, if known."""
    new, old = words(content), words(known)
    if _is_series_entry(content, known, today):
        return True
    # "Raised the rent to 850 from March" is done, and no exception.
    if _describes_past_event(new):
        return False
    begins_later = starts_later(new, today) and not starts_later(old, today)
    return begins_later or _is_limited_in_time(new, old)


def _describes_past_event(words: Sequence[Word]) -> bool:
    """Whether a verb is in the past; not a state like "is parked"."""
    return any(
        is_past_event(word) and word.low != word.stem and not is_state(words, at)
        for at, word in enumerate(words)
        if not word.named or at == 0
    )


def _is_limited_in_time(new: Sequence[Word], old: Sequence[Word]) -> bool:
    limits, old_limits = limits_of(new), limits_of(old)
    if announces_change(new, frozenset(terms_of(old))):
        return False
    verb_at = find_verb(new)
    has_day = any(kind_of(word) in _DAY_KINDS for word in old)
    return any(
        _has_own_value(new, old, span) and (not has_day or span.start < (verb_at or 0))
        for limit, span in limits.items()
        if limit not in old_limits
    )


def _has_own_value(new: Sequence[Word], old: Sequence[Word], limit_span: range) -> bool:
    """Whether the new statement has words of its own besides the limit.

    "The meeting is today" has none: it says when the meeting is, not what is so today."""
    rest = [word for at, word in enumerate(new) if at not in limit_span]
    return bool(frozenset(terms_of(rest)) - frozenset(terms_of(old)))


def _is_series_entry(content: str, known: str, today: date | None) -> bool:
    """Whether both give a value for a day that is over: "Petrol on 3 May 2026 cost 1.79".

    Where only the day differs, an event was moved."""
    new_days, old_days = _dates_in(content, today), _dates_in(known, today)
    if len(new_days) != 1 or len(old_days) != 1 or new_days.keys() == old_days.keys():
        return False
    if today is not None and max(*new_days, *old_days) > today:
        return False
    new, old = (words(text) for text in (content, known))
    if _LATEST & {word.low for word in (*new, *old)}:
        return False
    rest = [
        frozenset(terms_of(words(text.replace(written, " "))))
        for text, written in ((content, *new_days.values()), (known, *old_days.values()))
    ]
    return bool(rest[0] - rest[1]) and bool(rest[0] & rest[1])


def _dates_in(text: str, today: date | None) -> dict[date, str]:
    """The dates in a text, and how each is written.

    In a note without a verb, a date without a year is the latest one up to `today`."""
    has_no_verb = find_verb(words(text)) is None
    until = datetime.combine(today, time.max, UTC) if today else _ANY_DAY
    dates: dict[date, str] = {}
    for stated in times_in(text, until):
        has_year = _YEAR.search(stated.words) is not None
        if stated.grain not in ("day", "moment") or not (
            has_year or (today and _has_month(stated))
        ):
            continue
        day = stated.first.date()
        if has_no_verb and not (has_year or stated.certain) and day > until.date():
            day = date_or_none(day.year - 1, day.month, day.day) or day
        dates[day] = text[stated.start : stated.end]
    return dates


def _has_month(stated: StatedTime) -> bool:
    return any(word.low in MONTHS for word in words(stated.words))
