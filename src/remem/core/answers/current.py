"""Whether something said later takes the place of a sentence that answers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from remem.core.answers.clauses import Clause, clauses_of, is_first_person
from remem.core.answers.fitting import announces_change, content_stems
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.stated import states_nothing_now
from remem.core.documents.headings import heading_above
from remem.core.errors import Unavailable
from remem.core.judgements import Known, Saying
from remem.core.judges.by_reader import ReaderJudge
from remem.core.language.words import stem, words
from remem.core.memories.rules.headings import is_of_another_heading
from remem.core.memories.rules.relate import PARTLY
from remem.core.ports import Ports
from remem.core.search.excerpt import sentence_spans

# As many later sentences are compared with it, those first that have most words in common.
COMPARED = 4
UPDATE = "update"
_LIVES, _MOVES = (frozenset(map(stem, one.split())) for one in ("live reside", "move relocate"))
_ID = UUID(int=1)


class SourceSentence(NamedTuple):
    """A sentence of one of several sources."""

    source: int
    span: SentenceSpan


async def replaced_by(
    ports: Ports, question: str, sources: Sequence[Source], source: int, sentence: SentenceSpan
) -> SourceSentence | None:
    """The latest sentence of the same speaker that updates the given one, or that tells of a
    change of what is asked about."""
    earlier = sources[source]
    text = earlier.content[sentence.start : sentence.end]
    later = _later(sources, source, text)
    if not later:
        return None
    try:
        first, *rest = await ports.embedder.embed([text, *(_text(sources, one) for one in later)])
    except Unavailable:
        return None
    judge = ReaderJudge(ports.analysis, reader=ports.reader, of_whole=False)
    found = []
    for passage, vector in zip(later, rest, strict=True):
        said_at = earlier.said_at or datetime.now(UTC)
        known = Known(_ID, text, float(first @ vector), said_at, speaker=earlier.speaker)
        later_source = sources[passage.source]
        saying = Saying(later_source.speaker, said_at=later_source.said_at)
        relations = await judge.relate(_text(sources, passage), [known], saying)
        is_update = any(one.action == UPDATE or PARTLY in one.reasons for one in relations)
        later_text = _text(sources, passage)
        changes = announces_change(question, later_text) and _is_asked_about(question, later_text)
        if is_update or changes or _moves_away(sources, text, passage):
            found.append(passage)
    return max(found, key=lambda one: _said_at(sources[one.source]), default=None)


def _later(sources: Sequence[Source], source: int, text: str) -> list[SourceSentence]:
    """Sentences said later by the same speaker, those with most words in common first."""
    earlier, asked = sources[source], _stems(text)
    heading = _heading(earlier, earlier.content.find(text))
    found = [
        (len(asked & _stems(other.content[a:b])), SourceSentence(number, SentenceSpan(a, b)))
        for number, other in enumerate(sources)
        if _said_at(other) > _said_at(earlier) and other.speaker == earlier.speaker
        for a, b in sentence_spans(other.content, SENTENCE_CHARS)
        if not states_nothing_now(other.content[a:b])
    ]
    ranked = sorted(found, key=lambda one: (-one[0], one[1].source))
    fitting = (one for _, one in ranked if not _is_apart(text, heading, sources, one))
    return list(islice(fitting, COMPARED))


def _is_apart(text: str, heading: str, sources: Sequence[Source], later: SourceSentence) -> bool:
    """Said of another thing, which the heading above it names."""
    other = _heading(sources[later.source], later.span.start)
    return is_of_another_heading(text, heading, _text(sources, later), other)


def _heading(source: Source, start: int) -> str:
    return heading_above(source.content, max(start, 0), source.title, source.heading_path)


def _moves_away(sources: Sequence[Source], earlier: str, later: SourceSentence) -> bool:
    """Whether somebody who lived somewhere moved: the rules know few places by name."""
    said = sources[later.source].content
    before = clauses_of(earlier, 0, len(earlier))
    lived = next((one for one in before if one.verb in _LIVES), None)
    if lived is None:
        return False
    return any(
        clause.verb in _MOVES and not clause.is_ahead and _are_same(clause, lived)
        for clause in clauses_of(said, *later.span)
    )


def _is_asked_about(question: str, text: str) -> bool:
    """Whether the sentence is about what the question names, and not about somebody else."""
    subject = next((one.subject for one in clauses_of(text, 0, len(text)) if one.subject), ())
    return is_first_person(subject) or bool(
        {word.stem for word in subject} & content_stems(question)
    )


def _are_same(one: Clause, other: Clause) -> bool:
    if is_first_person(one.subject) or is_first_person(other.subject):
        return is_first_person(one.subject) and is_first_person(other.subject)
    return bool({word.stem for word in one.subject} & {word.stem for word in other.subject})


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text))


def _text(sources: Sequence[Source], passage: SourceSentence) -> str:
    return sources[passage.source].content[passage.span.start : passage.span.end]


def _said_at(source: Source) -> datetime:
    return source.said_at or datetime.min.replace(tzinfo=UTC)
