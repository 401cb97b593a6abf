"""Find the turns of a conversation, from marks or in the text itself."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.chunking.headings import Heading
from remem.core.chunking.messenger import messages_of, said_from
from remem.core.chunking.model import Joint, Mark, Span
from remem.core.language.lists import table

LABEL_LIMIT = 80
_MIN_TURNS = 4
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:[ \u202f]?[APap][Mm])?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
# "Ann Smith: …", alone or after a time stamp in brackets or in the format of a messenger.
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
_TALK: dict[str, str] = table("talk", "any")
_TALK_WORDS = frozenset(_TALK["persons"].split())
_ANSWERS = frozenset(_TALK["answers"].split())
_UNSPACED = re.compile("|".join(map(re.escape, _TALK["unspaced"].split())))
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# "du" is also a French article.
_DIRECT = re.compile(
    r"\bI\b|\b(?:\w+st|har|kan|ska|skal|vil|är|er) du\b|\bdu (?:\w+st|har|kan|ska|skal)\b"
)
_QUESTION = re.compile(r"[?？؟]")
_TWO_SENTENCES = re.compile(r"\w[.!…]\s+[^\W\d_a-zß-ÿ]|[。！]\s*\w")
_ENDED = re.compile(r"[.!?…。！？؟][\"'”’»)*_]*\s*$")
ROLES = frozenset("user assistant human ai system bot q a question answer".split())
# Field labels: a list of them with values is a record, not a conversation.
_FIELDS = frozenset(
    "name date time title subject from to cc age email e-mail phone address note notes todo price"
    " total status id type url example warning tip summary description location where"
    " when what who how why tags category author source version language"
    " trace debug info notice warn error fatal critical".split()
)


@dataclass(frozen=True, slots=True)
class TalkTurn:
    """A turn of `speaker` from `start` on; `said` is its time as written."""

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
    return [marked[start] for start in sorted(marked)] if marked or marks else _turns_in_text(text)


def words_from(text: str, start: int) -> int:
    """Where the words of the turn that begins at `start` begin, after its time and speaker."""
    label = SPEAKER.match(text, start)
    return said_from(text, start) or (label.end() if label else start)


def _turns_in_text(text: str) -> list[TalkTurn]:
    """Turns of a messenger's export, or recognised by lines that begin with recurring names."""
    if messages := messages_of(text):
        return [
            TalkTurn(message.start, message.speaker[:LABEL_LIMIT], message.at_s)
            for message in messages
        ]
    openings = _turn_openings(text)
    if not openings:
        return []
    names = [match["name"].strip().casefold() for match in openings]
    is_personal = _is_personal(text, openings)
    if not _is_conversation(Counter(names), len(openings), is_personal=is_personal):
        return []
    if _are_records(names) and not is_personal:
        return []
    is_stamped = any(match["bracket"] or match["day"] for match in openings)
    if not (is_stamped or set(names) <= ROLES or are_said(_words_of(text, openings))):
        return []
    lines = sum(1 for line in text.split("\n") if line.strip())
    paragraphs = sum(1 for part in text.split("\n\n") if part.strip())
    if len(openings) * 2 < min(lines, max(paragraphs, 2)):
        return []
    return [
        TalkTurn(match.start(), match["name"].strip(), said=match["bracket"] or match["day"] or "")
        for match in openings
    ]


def _turn_openings(text: str) -> list[re.Match[str]]:
    """The openings of turns. When most have a time stamp, labels without one belong to a turn's
    text."""
    openings = list(SPEAKER.finditer(text))
    stamped = [match for match in openings if match["bracket"] or match["day"]]
    return stamped if 2 * len(stamped) > len(openings) else openings


def _is_conversation(names: Counter[str], turns: int, *, is_personal: bool) -> bool:
    if names.keys() <= ROLES:
        return turns >= 2
    names_recur = len(names) < turns if is_personal else 2 * len(names) <= turns
    return turns >= _MIN_TURNS and names_recur and not names.keys() & _FIELDS


def _is_personal(text: str, openings: Sequence[re.Match[str]]) -> bool:
    """Whether most turns use personal pronouns, which records do not."""
    personal_turns = sum(_PERSONAL.search(said) is not None for said in _words_of(text, openings))
    return 2 * personal_turns > len(openings)


def _words_of(text: str, openings: Sequence[re.Match[str]]) -> list[str]:
    ends = [match.start() for match in openings[1:]] + [len(text)]
    return [
        text[match.end() : min(end, match.end() + _SAID_CHARS)]
        for match, end in zip(openings, ends, strict=True)
    ]


def are_said(turns: Sequence[str]) -> bool:
    """Whether texts after names are said by them, and not about them as in a list of tasks: many
    address somebody, answer, or go on after a sentence; or some do, and most are sentences."""
    asks = [_QUESTION.search(turn) is not None for turn in turns]
    answered = [ask and not later for ask, later in zip(asks, [*asks[1:], True], strict=True)]
    talks = sum(map(any, zip(map(is_said, turns), answered, strict=True)))
    ended = sum(_ENDED.search(turn) is not None for turn in turns)
    return 3 * talks >= len(turns) or (talks > 0 and 3 * ended >= 2 * len(turns))


def is_said(text: str) -> bool:
    """Whether a text has words of talk in any language, or more than one sentence."""
    # A word in capitals is an abbreviation: "WE" for a weekend.
    words = [word.casefold() for word in _WORD.findall(text) if not word.isupper()]
    return (
        _DIRECT.search(text) is not None
        or not _TALK_WORDS.isdisjoint(words)
        or (bool(words) and words[0] in _ANSWERS)
        or _UNSPACED.search(text) is not None
        or _TWO_SENTENCES.search(text) is not None
    )


def _are_records(names: Sequence[str]) -> bool:
    """Whether three or more labels repeat in the same order, like the fields of records."""
    labels = list(dict.fromkeys(names))
    return len(labels) >= 3 and all(
        name == labels[index % len(labels)] for index, name in enumerate(names)
    )


def spans_by_turn(
    text: str, turns: Sequence[TalkTurn], headings: Sequence[Heading]
) -> list[tuple[Span, TalkTurn | None]]:
    """The span of each turn. A heading directly above a turn belongs to it, not to the previous
    one."""
    heading_starts = [heading.start for heading in headings]
    starts: list[int] = []
    for turn in turns:
        start = _include_heading(text, turn.start, heading_starts)
        # A heading whose line contains the start of another turn is not above this one.
        starts.append(start if not starts or start > starts[-1] else turn.start)
    parts: list[tuple[Span, TalkTurn | None]] = []
    if starts[0] > 0:
        parts.append(((0, starts[0]), None))
    for turn, start, end in zip(turns, starts, [*starts[1:], len(text)], strict=True):
        parts.append(((start, end), turn))
    return parts


def _include_heading(text: str, start: int, headings: Sequence[int]) -> int:
    index = bisect_left(headings, start)
    if index == 0:
        return start
    heading = headings[index - 1]
    end = text.find("\n", heading, start)
    return heading if end >= 0 and not text[end:start].strip() else start
