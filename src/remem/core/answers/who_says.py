"""Answer "who" with the speaker of a conversation who says it of themselves; pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from remem.core.answers.clauses import Clause, clauses_of, is_first_person
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Answer, Citation, Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.person import is_assistant, is_external, is_user
from remem.core.search.excerpt import sentence_spans

CONFIDENCE = 0.95
_ASKS = re.compile(r"^\W{0,5}(?:(?:and|so|but)\s)?(?:who|whose)\b", re.IGNORECASE)
_SELF = frozenset("i me we us myself".split())
_FIRST_PERSON_POSSESSIVES = frozenset(("my", "our"))


def by_speaker(answer: Answer, sources: Sequence[Source]) -> Answer:
    """The answer; or, if it asks who and no name was read, the speakers who say it of themselves
    with all words of the question: Ben, who says "My tortoise escaped"."""
    if not _ASKS.match(answer.question):
        return answer
    if answer.text is not None and answer.text.lower() not in _SELF:
        return answer
    question_stems = content_stems(_ASKS.sub(" ", answer.question))
    citations = {
        citation.value: citation
        for source in sources
        for citation in _cite_statements(source, question_stems)
    }
    if not citations:
        return replace(answer, text=None)
    text, cited = " and ".join(citations), tuple(citations.values())
    return replace(answer, kind="one", text=text, confidence=CONFIDENCE, citations=cited)


def _cite_statements(source: Source, question_stems: frozenset[str]) -> Iterator[Citation]:
    speaker = source.speaker or ""
    if not question_stems or is_user(speaker) or is_assistant(speaker) or is_external(speaker):
        return
    for start, end in sentence_spans(source.content, SENTENCE_CHARS):
        text = source.content[start:end]
        if text.startswith(f"{speaker}: "):
            start, text = start + len(speaker) + 2, text[len(speaker) + 2 :]
        if _says(source.content, SentenceSpan(start, end), question_stems):
            yield Citation(source, start, end, text, speaker, CONFIDENCE)


def _says(content: str, span: SentenceSpan, question_stems: frozenset[str]) -> bool:
    text = content[span.start : span.end]
    if text.rstrip().endswith("?") or not question_stems <= content_stems(text):
        return False
    clauses = clauses_of(content, *span)
    relevant = [clause for clause in clauses if clause.stems & question_stems]
    is_own = any(is_first_person(clause.subject) or _is_possessive(clause) for clause in clauses)
    return is_own and not any(clause.mood.denied or clause.is_ahead for clause in relevant)


def _is_possessive(clause: Clause) -> bool:
    return any(word.low in _FIRST_PERSON_POSSESSIVES for word in clause.words[:1])
