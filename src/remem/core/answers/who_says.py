"""Who of a talk says of themselves what a question asks "who" about; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from remem.core.answers.clauses import Clause, clauses_of, is_first_person
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.person import is_assistant, is_elsewhere, is_user
from remem.core.search.excerpt import sentence_spans

CONFIDENCE = 0.95
_ASKS = re.compile(r"^\W{0,5}(?:(?:and|so|but)\s)?(?:who|whose)\b", re.IGNORECASE)
_SELF = frozenset("i me we us myself".split())
_MINE = frozenset(("my", "our"))


def by_speaker(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The same answer; or, where it asks who and nobody was read, those who say it of themselves in
    all words of the question: Ben, who says "My tortoise escaped"."""
    if not _ASKS.match(answer.question):
        return answer
    if answer.text is not None and answer.text.lower() not in _SELF:
        return answer
    asked = content_stems(_ASKS.sub(" ", answer.question))
    cited = {one.value: one for source in sources for one in _sayings(source, asked)}
    if not cited:
        return replace(answer, text=None)
    text, found = " and ".join(cited), tuple(cited.values())
    return replace(answer, kind="one", text=text, confidence=CONFIDENCE, citations=found)


def _sayings(source: Source, asked: frozenset[str]) -> Iterator[Citation]:
    speaker = source.speaker or ""
    if not asked or is_user(speaker) or is_assistant(speaker) or is_elsewhere(speaker):
        return
    for start, end in sentence_spans(source.content, SENTENCE_CHARS):
        text = source.content[start:end]
        if text.startswith(f"{speaker}: "):
            start, text = start + len(speaker) + 2, text[len(speaker) + 2 :]
        if _says(source.content, SentenceSpan(start, end), asked):
            yield Citation(source, start, end, text, speaker, CONFIDENCE)


def _says(content: str, span: SentenceSpan, asked: frozenset[str]) -> bool:
    text = content[span.start : span.end]
    if text.rstrip().endswith("?") or not asked <= content_stems(text):
        return False
    clauses = clauses_of(content, *span)
    telling = [one for one in clauses if one.stems & asked]
    is_own = any(is_first_person(one.subject) or _is_of_mine(one) for one in clauses)
    return is_own and not any(one.mood.denied or one.is_ahead for one in telling)


def _is_of_mine(clause: Clause) -> bool:
    return any(word.low in _MINE for word in clause.words[:1])
