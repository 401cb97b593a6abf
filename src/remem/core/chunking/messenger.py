"""Messages of a messenger's plain export, with their speakers and times, in any locale.

Android: "02.11.26, 17:03 - Ann: …". iOS: "[11/2/26, 5:03:45 PM] Ann: …". Telegram:
"Ann, [02.11.2026 17:03]" above the words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from remem.core.language.times.calendar import MONTHS

# The speaker of lines that no person wrote: "Ann created the group".
SYSTEM = "system"
# Marks of direction and joining, which messengers put around names and times.
_HIDDEN = "\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_BLANK = r"[ \t\u00a0\u202f]"
_NAME = rf"(?P<name>[^:\n\[\]\"“„«]{{1,80}}?){_BLANK}?[:：](?=\s|[{_HIDDEN}]|\Z)"
_LINE = re.compile(
    rf"^[{_HIDDEN}]?(?:\[(?P<bracket>[^\[\]\n]{{8,48}})\]{_BLANK}{{0,2}}"
    rf"|(?P<day>(?=[{_HIDDEN}]?\d)[^\n]{{8,48}}?)(?:{_BLANK}[-–]{_BLANK}|(?<=:\d\d),[ ]))"
    rf"(?:{_NAME})?"
    r"|^(?P<above>[^\n\[\]:]{1,80}),[ ]\[(?P<telegram>[^\[\]\n]{8,48})\]:?[ \t]*$",
    re.MULTILINE,
)
_DATE = (
    r"(?P<a>\d{1,4})\D{1,4}?(?:(?P<b>\d{1,2})|(?P<month>[A-Za-z]{3,9}))(?:\D{1,4}?)(?P<c>\d{1,4})"
)
_CLOCK = r"(?P<hour>\d{1,2})(?:[:.h]|시 ?)(?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
_STAMPS = (
    re.compile(rf"{_DATE}(?P<before>\D{{1,14}}?){_CLOCK}(?P<after>\D{{0,10}})"),
    re.compile(rf"{_CLOCK}(?P<before>\D{{0,10}}?),?[ ](?P<after>){_DATE}"),
)
_AFTERNOON = re.compile(
    r"p\.? ?m\b|下午|晚上|中午|오후|午後|م|ب\.?ظ|μ\.?μ|\bem\b|chiều|tối|\böS\b|\bodp|\bip\b|\bptg\b"
    r"|\bdu\b",
    re.I,
)
_MORNING = re.compile(
    r"a\.? ?m\b|上午|早上|凌晨|清晨|오전|午前|ص|ق\.?ظ|π\.?μ|\bfm\b|sáng|\böÖ\b|\bdop|\bap\b|\bpg\b",
    re.I,
)
_HIDDEN_MARK = re.compile(f"[{_HIDDEN}]")
_BLANKS = re.compile(_BLANK)
_SECONDS = re.compile(r"\d[:.]\d\d[:.]\d\d\D{0,6}$")
# The level of a line of a program's log.
_LOG_LABEL = re.compile(
    r"(?:^|[\s.\]-])(?:trace|debug|info|notice|warn|warning|error|fatal|critical|severe)$", re.I
)
_BUDDHIST_YEARS = 543


@dataclass(frozen=True, slots=True)
class Message:
    """A message that begins at `start`; its words begin at `said_from`."""

    start: int
    said_from: int
    speaker: str
    at_s: float | None


def messages_of(text: str) -> list[Message]:
    """The messages of an export; none if the text is something else, such as a log."""
    lines = [(match, stamp) for match in _LINE.finditer(text) if (stamp := _stamp(match))]
    names = {name for match, _ in lines if (name := _name(match))}
    if not names or any(_LOG_LABEL.search(name) for name in names):
        return []
    if len(names) < 2 and not _is_by_messenger([match for match, _ in lines]):
        return []
    order = _order([stamp for _, stamp in lines])
    return [
        Message(match.start(), match.end(), _name(match) or SYSTEM, _seconds(stamp, order))
        for match, stamp in lines
    ]


def words_of(text: str, messages: Sequence[Message]) -> str:
    """What the people write, a paragraph for each message."""
    ends = [*(message.start for message in messages[1:]), len(text)]
    return "\n\n".join(
        text[message.said_from : end].strip()
        for message, end in zip(messages, ends, strict=True)
        if message.speaker != SYSTEM
    )


def said_from(text: str, start: int) -> int | None:
    """Where the words of the message that begins at `start` begin; None if none does."""
    match = _LINE.match(text, start)
    return match.end() if match and _stamp(match) else None


def _stamp(match: re.Match[str]) -> re.Match[str] | None:
    written = match["bracket"] or match["day"] or match["telegram"]
    plain = _plain(written)
    return next(filter(None, (pattern.fullmatch(plain) for pattern in _STAMPS)), None)


def _plain(written: str) -> str:
    """A time stamp with ASCII digits, plain blanks and no hidden marks."""
    shown = _HIDDEN_MARK.sub("", written)
    digits = (str(int(char)) if char.isdecimal() else char for char in shown)
    return _BLANKS.sub(" ", "".join(digits)).strip()


def _name(match: re.Match[str]) -> str:
    name = match["name"] or match["above"] or ""
    return _HIDDEN_MARK.sub("", name).strip(" \t\u00a0\u202f~")


def _is_by_messenger(matches: Sequence[re.Match[str]]) -> bool:
    """Whether lines of one speaker have a messenger's form; a log has seconds or ISO dates."""
    return any(
        match["telegram"]
        or (match["day"] and not _SECONDS.search(match["day"]))
        or (match["bracket"] and not match["bracket"][:5].endswith("-"))
        for match in matches
    )


def _order(stamps: Sequence[re.Match[str]]) -> str:
    """The order of day, month and year that all time stamps allow."""
    if any(len(stamp["a"]) > 2 or int(stamp["a"]) > 31 or len(stamp["c"]) == 1 for stamp in stamps):
        return "ymd"
    # Americans write "2/11/26, 5:03 PM", others with small letters or with zeros.
    is_american = any("/" in stamp[0] and stamp[0].endswith(("AM", "PM")) for stamp in stamps)
    is_padded = any(stamp[0].startswith("0") for stamp in stamps)
    orders = ["mdy", "dmy"] if is_american and not is_padded else ["dmy", "mdy"]
    return min(orders, key=lambda order: _count_steps_back(stamps, order))


def _count_steps_back(stamps: Sequence[re.Match[str]], order: str) -> int:
    """How many messages have no date in this order, or one before the last message."""
    count, last_s = 0, float("-inf")
    for stamp in stamps:
        seconds = _seconds(stamp, order)
        count += seconds is None or seconds < last_s
        last_s = last_s if seconds is None else seconds
    return count


def _seconds(stamp: re.Match[str], order: str) -> float | None:
    """Seconds since 1970; the time is taken as it is written, whatever its zone."""
    numbers = [int(stamp["a"]), _month(stamp), int(stamp["c"])]
    fields = dict(zip("dmy" if stamp["month"] and order != "ymd" else order, numbers, strict=True))
    year = fields["y"] + (2_000 if fields["y"] < 100 else 0)
    year -= _BUDDHIST_YEARS if year > 2_400 else 0
    clock = (_hour(stamp), int(stamp["minute"]), int(stamp["second"] or 0))
    try:
        return datetime(year, fields["m"], fields["d"], *clock, tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _month(stamp: re.Match[str]) -> int:
    return int(stamp["b"]) if stamp["b"] else MONTHS.get(stamp["month"].casefold(), 0)


def _hour(stamp: re.Match[str]) -> int:
    hour, half = int(stamp["hour"]), f"{stamp['before']} {stamp['after']}"
    if _AFTERNOON.search(half):
        return hour % 12 + 12
    return hour % 12 if _MORNING.search(half) else hour
