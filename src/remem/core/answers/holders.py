"""Answer who has a thing that was lent, borrowed or left with somebody; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.people import rephrase_for_user
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.person import is_user
from remem.core.language.words import words
from remem.core.search.excerpt import sentence_spans

CONFIDENCE = 0.95
# The share of the thing's words that a sentence about it must have.
MIN_SHARED_STEMS = 0.6
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
_HOLDER_PATTERNS = (
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
    """A sentence that states who has the thing; `who` is None if it was returned."""

    source: Source
    sentence: SentenceSpan
    who: SentenceSpan | None


def by_holder(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The answer; for a question about who has a thing, the holder by the latest statement."""
    match = _ASKS.match(answer.question)
    if match is None:
        return answer
    thing = content_stems((match["thing"] or match["lent"]).rstrip("?!. ").removesuffix(" to"))
    holdings = [holding for source in sources for holding in _holdings(source, thing)]
    if not holdings:
        return replace(answer, text=None) if _is_author(answer) else answer
    latest = max(
        holdings,
        key=lambda holding: (
            holding.source.said_at or datetime.min.replace(tzinfo=UTC),
            holding.sentence,
        ),
    )
    if latest.who is None:
        return replace(answer, text=None)
    start, end = latest.who
    text = latest.source.content[start:end]
    value = rephrase_for_user(
        f"m{text[1:]}" if text.startswith("My ") else text, latest.source.speaker
    )
    citation = Citation(latest.source, start, end, text, value, CONFIDENCE)
    return replace(answer, kind="one", text=value, confidence=CONFIDENCE, citations=(citation,))


def _holdings(source: Source, thing: frozenset[str]) -> Iterator[Holding]:
    was_named = False
    for start, end in (
        sentence_spans(source.content, SENTENCE_CHARS) if is_user(source.speaker) else ()
    ):
        sentence = source.content[start:end]
        stems = {word.stem for word in words(sentence)}
        is_about = len(thing & stems) >= MIN_SHARED_STEMS * len(thing)
        if (is_about or (was_named and _IT.search(sentence))) and _RETURNED.search(sentence):
            yield Holding(source, SentenceSpan(start, end), None)
        elif is_about and (who := _holder(source.content, start, end)):
            yield Holding(source, SentenceSpan(start, end), who)
        was_named = was_named or is_about


def _holder(text: str, start: int, end: int) -> SentenceSpan | None:
    matches = (pattern.search(text, start, end) for pattern in _HOLDER_PATTERNS)
    match = next((match for match in matches if match), None)
    return SentenceSpan(*match.span("who")) if match else None


def _is_author(answer: Answer) -> bool:
    """Whether the answer names the author of the thing."""
    if answer.text is None or not answer.citations:
        return False
    citation = answer.citations[0]
    return _AUTHOR.search(citation.source.content, 0, citation.start) is not None
