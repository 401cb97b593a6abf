"""Who speaks where: the turns that marks name, or that the text itself shows."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.chunking.headings import Heading
from remem.core.chunking.model import Joint, Mark, Span

LABEL_LIMIT = 80
_LEAST_TURNS = 4
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:[ \u202f]?[APap][Mm])?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# "Ann Smith: …", as it is or behind a time stamp in brackets or of a messenger's making.
_STAMP = (
    r"(?:[\[(](?P<bracket>[^\[\]()\n]{4,40})[\])][ \t]*"
    rf"|(?P<day>(?:{_DAY},?[ \t]+)?{_CLOCK})[ \t]+(?:-[ \t]+)?)?"
)
SPEAKER = re.compile(
    rf"^[ \t]{{0,4}}{_STAMP}"
    r"[*_]{0,2}(?P<name>[^\W\d_][\w .'’-]{0,40})[*_]{0,2}(?:[ \t]*\([^()\n]{1,30}\))?"
    r"[*_]{0,2}:[*_]{0,2}(?=\s)",
    re.MULTILINE,
)
_PERSONAL = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Ww]e|[Oo]ur|[Uu]s|[Yy]ou|[Yy]our)\b")
_SAID_CHARS = 2_000
_ROLES = frozenset("user assistant human ai system bot q a question answer".split())
# Labels of fields: a list of them with values is a record, not a talk.
_FIELDS = frozenset(
    "name date time title subject from to cc age email e-mail phone address note notes todo price"
    " total status id type url example warning tip summary description location where"
    " when what who how why tags category author source version language"
    " trace debug info notice warn error fatal critical".split()
)


@dataclass(frozen=True, slots=True)
class TalkTurn:
    """From `start` on, `speaker` has the word; `said` is when, as it is written there."""

    start: int
    speaker: str
    said_at_s: float | None = None
    said: str = ""


def turns_of(text: str, marks: Sequence[Mark]) -> list[TalkTurn]:
    marked = {
        mark.start: TalkTurn(mark.start, mark.label[:LABEL_LIMIT], mark.number)
        for mark in marks
        if mark.joint is Joint.TURN and 0 <= mark.start < len(text)
    }
    return [marked[start] for start in sorted(marked)] if marked or marks else _shown(text)


def _shown(text: str) -> list[TalkTurn]:
    """Lines that begin with a name, where the names come back: two people who talk."""
    found = _openings(text)
    if not found:
        return []
    names = [match["name"].strip().casefold() for match in found]
    is_personal = _is_personal(text, found)
    if not _is_talk(Counter(names), len(found), is_personal=is_personal):
        return []
    if _are_records(names) and not is_personal:
        return []
    lines = sum(1 for line in text.split("\n") if line.strip())
    paragraphs = sum(1 for part in text.split("\n\n") if part.strip())
    if len(found) * 2 < min(lines, max(paragraphs, 2)):
        return []
    return [
        TalkTurn(match.start(), match["name"].strip(), said=match["bracket"] or match["day"] or "")
        for match in found
    ]


def _openings(text: str) -> list[re.Match[str]]:
    """Where turns are stamped, a label without a stamp is part of what is said."""
    found = list(SPEAKER.finditer(text))
    stamped = [match for match in found if match["bracket"] or match["day"]]
    return stamped if 2 * len(stamped) > len(found) else found


def _is_talk(names: Counter[str], turns: int, *, is_personal: bool) -> bool:
    if names.keys() <= _ROLES:
        return turns >= 2
    come_back = len(names) < turns if is_personal else 2 * len(names) <= turns
    return turns >= _LEAST_TURNS and come_back and not names.keys() & _FIELDS


def _is_personal(text: str, found: Sequence[re.Match[str]]) -> bool:
    """Whether in most turns somebody speaks of themselves or to somebody, as no record does."""
    ends = [match.start() for match in found[1:]] + [len(text)]
    said = sum(
        _PERSONAL.search(text, match.end(), min(end, match.end() + _SAID_CHARS)) is not None
        for match, end in zip(found, ends, strict=True)
    )
    return 2 * said > len(found)


def _are_records(names: Sequence[str]) -> bool:
    """Three or more labels that come round in the same order: fields, for people talk otherwise."""
    round = list(dict.fromkeys(names))
    return len(round) >= 3 and all(name == round[n % len(round)] for n, name in enumerate(names))


def stretches(
    text: str, turns: Sequence[TalkTurn], headings: Sequence[Heading]
) -> list[tuple[Span, TalkTurn | None]]:
    """The text turn by turn; a heading right above a turn goes with it, not with the one before."""
    above = [heading.start for heading in headings]
    starts: list[int] = []
    for turn in turns:
        start = _with_heading(text, turn.start, above)
        # A heading whose line another turn begins in is not above this one.
        starts.append(start if not starts or start > starts[-1] else turn.start)
    parts: list[tuple[Span, TalkTurn | None]] = []
    if starts[0] > 0:
        parts.append(((0, starts[0]), None))
    for turn, start, end in zip(turns, starts, [*starts[1:], len(text)], strict=True):
        parts.append(((start, end), turn))
    return parts


def _with_heading(text: str, start: int, headings: Sequence[int]) -> int:
    before = bisect_left(headings, start)
    if before == 0:
        return start
    heading = headings[before - 1]
    end = text.find("\n", heading, start)
    return heading if end >= 0 and not text[end:start].strip() else start
