"""Find later statements that replace a sentence that answers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from remem.core.answers.clauses import Clause, clauses_of, is_first_person
from remem.core.answers.fitting import announces_change, content_stems
from remem.core.answers.key_noun import is_of_other_label
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.stated import states_nothing_now
from remem.core.documents.headings import heading_above
from remem.core.errors import Unavailable
from remem.core.judgements import KnownMemory, StatementContext
from remem.core.judges.by_reader import ReaderJudge
from remem.core.language.words import stem, words
from remem.core.memories.rules.another_subject import is_about_another
from remem.core.memories.rules.headings import is_under_different_heading
from remem.core.memories.rules.relate import PARTLY
from remem.core.ports import Ports
from remem.core.search.excerpt import sentence_spans

# The number of later sentences to compare, those with the most words in common.
MAX_COMPARED = 4
UPDATE = "update"
_LIVES, _MOVES = (frozenset(map(stem, verbs.split())) for verbs in ("live reside", "move relocate"))
_ID = UUID(int=1)


class SourceSentence(NamedTuple):
    """A sentence of one of several sources."""

    source: int
    span: SentenceSpan


async def find_replacement(
    ports: Ports, question: str, sources: Sequence[Source], source: int, sentence: SentenceSpan
) -> SourceSentence | None:
    """The latest sentence of the same speaker that updates the given one, or describes a change of
    what is asked about."""
    earlier = sources[source]
    text = earlier.content[sentence.start : sentence.end]
    later = [
        candidate
        for candidate in _later_sentences(sources, source, text)
        if not is_of_other_label(question, _text(sources, candidate))
    ]
    if not later:
        return None
    try:
        first, *rest = await ports.embedder.embed(
            [text, *(_text(sources, candidate) for candidate in later)]
        )
    except Unavailable:
        return None
    judge = ReaderJudge(ports.analysis, reader=ports.reader, replaces_whole=False)
    replacements = []
    for passage, vector in zip(later, rest, strict=True):
        said_at = earlier.said_at or datetime.now(UTC)
        known = KnownMemory(_ID, text, float(first @ vector), said_at, speaker=earlier.speaker)
        later_source = sources[passage.source]
        context = StatementContext(later_source.speaker, said_at=later_source.said_at)
        relations = await judge.relate(_text(sources, passage), [known], context)
        is_update = any(
            relation.action == UPDATE or PARTLY in relation.reasons for relation in relations
        )
        later_text = _text(sources, passage)
        changes = announces_change(question, later_text) and _is_asked_about(question, later_text)
        if is_update or changes or _moves_away(sources, text, passage):
            replacements.append(passage)
    return max(replacements, key=lambda sentence: _said_at(sources[sentence.source]), default=None)


def _later_sentences(sources: Sequence[Source], source: int, text: str) -> list[SourceSentence]:
    """Later sentences of the same speaker, those with the most words in common first."""
    earlier, stems = sources[source], _stems(text)
    heading = _heading(earlier, earlier.content.find(text))
    candidates = [
        (len(stems & _stems(other.content[a:b])), SourceSentence(number, SentenceSpan(a, b)))
        for number, other in enumerate(sources)
        if _said_at(other) > _said_at(earlier) and other.speaker == earlier.speaker
        for a, b in sentence_spans(other.content, SENTENCE_CHARS)
        if not states_nothing_now(other.content[a:b])
        and not is_about_another(other.content[a:b], text)
    ]
    ranked = sorted(candidates, key=lambda item: (-item[0], item[1].source))
    same_heading = (
        sentence
        for _, sentence in ranked
        if not _has_different_heading(text, heading, sources, sentence)
    )
    return list(islice(same_heading, MAX_COMPARED))


def _has_different_heading(
    text: str, heading: str, sources: Sequence[Source], later: SourceSentence
) -> bool:
    """Whether it is about another subject, which the heading above it names."""
    other = _heading(sources[later.source], later.span.start)
    return is_under_different_heading(text, heading, _text(sources, later), other)


def _heading(source: Source, start: int) -> str:
    return heading_above(source.content, max(start, 0), source.title, source.heading_path)


def _moves_away(sources: Sequence[Source], earlier: str, later: SourceSentence) -> bool:
    """Whether a person who lived somewhere moved: the rules know few place names."""
    content = sources[later.source].content
    clauses = clauses_of(earlier, 0, len(earlier))
    residence = next((clause for clause in clauses if clause.verb in _LIVES), None)
    if residence is None:
        return False
    return any(
        clause.verb in _MOVES and not clause.is_ahead and _have_same_subject(clause, residence)
        for clause in clauses_of(content, *later.span)
    )


def _is_asked_about(question: str, text: str) -> bool:
    """Whether the subject of the sentence is named in the question, not somebody else."""
    subject = next(
        (clause.subject for clause in clauses_of(text, 0, len(text)) if clause.subject), ()
    )
    return is_first_person(subject) or bool(
        {word.stem for word in subject} & content_stems(question)
    )


def _have_same_subject(first: Clause, second: Clause) -> bool:
    if is_first_person(first.subject) or is_first_person(second.subject):
        return is_first_person(first.subject) and is_first_person(second.subject)
    return bool({word.stem for word in first.subject} & {word.stem for word in second.subject})


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text))


def _text(sources: Sequence[Source], passage: SourceSentence) -> str:
    return sources[passage.source].content[passage.span.start : passage.span.end]


def _said_at(source: Source) -> datetime:
    return source.said_at or datetime.min.replace(tzinfo=UTC)
