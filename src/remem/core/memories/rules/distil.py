"""From what somebody said or wrote, the few statements that are worth keeping by themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.chunking.sentences import sentence_starts
from remem.core.memories.model import Category
from remem.core.memories.rules.moments import Told, said_for_good, times_in
from remem.core.memories.rules.person import by_name, speaks_of_self, speaks_of_us
from remem.core.memories.rules.prose import Span, prose_of
from remem.core.memories.rules.tense import looks_ahead
from remem.core.memories.rules.worth import BEGINS_AS_DONE, Worth, is_plain, weigh

STATEMENTS_LIMIT = 30
CHARS_LIMIT = 60_000
NOTE_CHARS = 2_000
THE_USER = "The user"
# Tells whether a text holds a time at all, where it is not known when it was said.
_ANY_DAY = datetime.fromisoformat("2024-06-12T12:00:00+00:00")
# What comes back every year has no one year.
_YEARLY = re.compile(r"\b(?:birthday|anniversary|every|each|yearly|annual(?:ly)?|born)\b", re.I)
_BOX = re.compile(r"^[-*] \[ \] ")
_OPENING = re.compile(
    r"^(?:(?i:well|oh|yeah|yep|yes|no|nope|wow|hey|hi|hello|thanks|thank you|sure|ok|okay|haha|aww?"
    r"|cool|great|nice|absolutely|definitely|totally|exactly|btw|by the way|actually|anyway|so|and"
    r"|but|also|plus|unfortunately|luckily|fortunately|sadly|honestly|lately|in the meantime"
    r"|of course|guess what|to be honest|on a different note|now|ps)"
    r"\b(?:,? [A-Z][a-z]+)?[,!.:—-]+ *)+"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """What one speaker said, or nobody in particular: `start` is its place in the document.

    `speaker` is what they are called; without one, nothing in the first person is understood.
    `said_at` is aware, in the speaker's zone; without it, no day but a full date is."""

    text: str
    start: int
    speaker: str = ""
    said_at: datetime | None = None

    @property
    def is_note(self) -> bool:
        """Short, and of nobody's making but the user's: what they wrote down to keep it."""
        return self.speaker in ("", THE_USER) and len(self.text) <= NOTE_CHARS


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory to be: self-contained, and the sentence of the document that it stands on."""

    content: str
    category: Category
    confidence: float
    start: int
    end: int
    said_at: datetime | None = None
    occurred_at: datetime | None = None
    due_at: datetime | None = None


def distil(passages: Sequence[Passage]) -> list[Statement]:
    """In the order of the text; where there are too many, the surest."""
    found: dict[str, Statement] = {}
    left = CHARS_LIMIT
    for passage in passages:
        for statement in _statements(passage, left):
            found.setdefault(statement.content.casefold(), statement)
        left -= len(passage.text)
        if left <= 0:
            break
    kept = sorted(found.values(), key=lambda one: (-one.confidence, one.start))[:STATEMENTS_LIMIT]
    return sorted(kept, key=lambda one: one.start)


def _statements(passage: Passage, limit: int) -> Iterator[Statement]:
    text = passage.text[:limit]
    for start, end in prose_of(text):
        for begin, finish in _sentences(text, start, end):
            if statement := _statement(passage, text, begin, finish):
                yield statement


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    begin = start
    for stop in [*sentence_starts(text, start, end), end]:
        stripped = text[begin:stop].strip()
        if stripped:
            at = begin + len(text[begin:stop]) - len(text[begin:stop].lstrip())
            yield at, at + len(stripped)
        begin = max(begin, stop)


def _statement(passage: Passage, text: str, start: int, end: int) -> Statement | None:
    sentence = text[start:end]
    said = _with_subject(_OPENING.sub("", _BOX.sub("To do: ", " ".join(sentence.split()))))
    # To look for times costs most, and few sentences would be worth keeping even if they told one.
    if weigh(said, dated=True, noted=passage.is_note) is None or not is_plain(said):
        return None
    times = times_in(said, passage.said_at or _ANY_DAY)
    worth = weigh(said, dated=bool(times), noted=passage.is_note)
    if worth is None or (passage.said_at is None and any(one.relative for one in times)):
        return None
    category = _category(worth, said, times)
    dated = said if _YEARLY.search(said) else said_for_good(said, times)
    content = _by_name(dated, passage, quotable=bool(times) or category == "decision")
    if content is None:
        return None
    return Statement(
        content=content[:1].upper() + content[1:],
        category=category,
        confidence=_confidence(worth, times),
        start=passage.start + start,
        end=passage.start + end,
        said_at=passage.said_at,
        occurred_at=happened_at(category, times, passage.said_at),
        due_at=due_of(said, times, passage.said_at),
    )


def _with_subject(said: str) -> str:
    """ "Lost my job yesterday": who leaves themselves out speaks of themselves."""
    first = said.partition(" ")[0]
    return f"I {first.lower()}{said[len(first) :]}" if first.lower() in BEGINS_AS_DONE else said


def _by_name(text: str, passage: Passage, *, quotable: bool) -> str | None:
    if speaks_of_us(text):
        return _quoted(text, passage) if quotable or passage.is_note else None
    if not speaks_of_self(text):
        return text
    return by_name(text, passage.speaker) if passage.speaker else None


def _quoted(text: str, passage: Passage) -> str | None:
    """Who "we" are is seldom said; that they said it of themselves is true in any case."""
    if passage.speaker in ("", THE_USER):
        return text if not speaks_of_self(text) else None
    return f"{passage.speaker} said: “{text}”"


def _category(worth: Worth, text: str, times: Sequence[Told]) -> Category:
    """What is planned without a day and a duty is a fact of now; what is over is an episode."""
    if worth.category == "fact" and looks_ahead(text) is False and any(_is_past(times)):
        return "episode"
    return worth.category


def _is_past(times: Sequence[Told]) -> Iterator[bool]:
    return (one.relative for one in times)


def _confidence(worth: Worth, times: Sequence[Told]) -> float:
    return round(min(0.95, worth.score + (0.05 if times else 0.0)), 2)


def happened_at(
    category: Category, times: Sequence[Told], said_at: datetime | None
) -> datetime | None:
    if category not in ("episode", "decision") or said_at is None:
        return None
    past = [one.first for one in times if one.first <= said_at]
    return past[0] if past else said_at


def due_of(text: str, times: Sequence[Told], said_at: datetime | None) -> datetime | None:
    """The day by which something is to be done: one ahead of the day it was said on."""
    if said_at is None:
        return None
    limits = [one.due for one in times if one.limit and one.due > said_at]
    to_come = [one.due for one in times if one.first > said_at]
    ahead = to_come if to_come and looks_ahead(text) else []
    return next(iter(limits or ahead), None)
