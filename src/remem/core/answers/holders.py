"""Who has a thing that was lent, borrowed or left with somebody; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.people import as_told
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.person import is_user
from remem.core.language.words import words
from remem.core.search.excerpt import sentence_spans

CONFIDENCE = 0.95
# So much of the thing's words a sentence about it has.
SAME_THING = 0.6
_ASKS = re.compile(
    r"^\W{0,5}who(?: still)?(?:['’]s got| has| have| borrowed| took| is borrowing)(?: still)?"
    r"(?: got| borrowed| taken)? (?P<thing>(?:my|our|the) .{1,200})"
    r"|^\W{0,5}(?:to )?whom? did (?:i|we) (?:lend|loan|give) (?P<lent>(?:my|our|the) .{1,200})",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w-]{0,40}(?: [A-Z][\w-]{0,40}){0,2}"
_WHO = (
    rf"(?P<who>(?:(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]er|[Hh]is) (?:[a-z]{{1,30}} )?)?{_NAME}"
    r"|(?:[Mm]y|[Oo]ur|[Tt]he) [a-z]{1,30})"
)
_HAS = "has|have|borrowed|took|is borrowing|picked up"
_TAKEN = (
    re.compile(rf"\b(?:[Ll]ent|[Ll]oaned|[Gg]ave|[Hh]anded|[Pp]assed)\b[^.;]{{1,80}}?\bto {_WHO}"),
    re.compile(rf"\b(?:[Ll]ent|[Ll]oaned|[Gg]ave) {_WHO} (?:my|our|the|a|an)\b"),
    re.compile(rf"\b{_WHO}(?:,? who)?(?: (?:still|now))? (?:{_HAS})\b"),
    re.compile(rf"\b(?:is|are) (?:now |still |currently )?(?:at|with) {_WHO}"),
)
_RETURNED = re.compile(
    r"\b(?:gave|given|brought|handed|sent|got|took|have|has)\b[^.;]{0,60}?\bback\b|\breturned\b",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_AUTHOR = re.compile(r"\bby $")


class Holding(NamedTuple):
    """A sentence that tells who has it; `who` is None where it was returned."""

    source: Source
    sentence: SentenceSpan
    who: SentenceSpan | None


def by_holder(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The same answer; where it asks who has a thing, the one the latest sentence says."""
    asked = _ASKS.match(answer.question)
    if asked is None:
        return answer
    thing = content_stems((asked["thing"] or asked["lent"]).rstrip("?!. ").removesuffix(" to"))
    found = [one for source in sources for one in _holdings(source, thing)]
    if not found:
        return replace(answer, text=None) if _is_author(answer) else answer
    latest = max(
        found,
        key=lambda one: (one.source.said_at or datetime.min.replace(tzinfo=UTC), one.sentence),
    )
    if latest.who is None:
        return replace(answer, text=None)
    start, end = latest.who
    text = latest.source.content[start:end]
    value = as_told(f"m{text[1:]}" if text.startswith("My ") else text, latest.source.speaker)
    cited = Citation(latest.source, start, end, text, value, CONFIDENCE)
    return replace(answer, kind="one", text=value, confidence=CONFIDENCE, citations=(cited,))


def _holdings(source: Source, thing: frozenset[str]) -> Iterator[Holding]:
    named = False
    for start, end in (
        sentence_spans(source.content, SENTENCE_CHARS) if is_user(source.speaker) else ()
    ):
        sentence = source.content[start:end]
        stems = {word.stem for word in words(sentence)}
        is_about = len(thing & stems) >= SAME_THING * len(thing)
        if (is_about or (named and _IT.search(sentence))) and _RETURNED.search(sentence):
            yield Holding(source, SentenceSpan(start, end), None)
        elif is_about and (who := _taker(source.content, start, end)):
            yield Holding(source, SentenceSpan(start, end), who)
        named = named or is_about


def _taker(text: str, start: int, end: int) -> SentenceSpan | None:
    found = (pattern.search(text, start, end) for pattern in _TAKEN)
    taken = next((one for one in found if one), None)
    return SentenceSpan(*taken.span("who")) if taken else None


def _is_author(answer: Answer) -> bool:
    """Whether it names who wrote the thing."""
    if answer.text is None or not answer.citations:
        return False
    cited = answer.citations[0]
    return _AUTHOR.search(cited.source.content, 0, cited.start) is not None
