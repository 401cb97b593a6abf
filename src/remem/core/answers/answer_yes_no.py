"""Answer a question that asks for yes or no, by a sentence that says so."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid5

from remem.core.answers.current import UPDATE, SourceSentence, replaced_by
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.yes_no import YesNoDecision, decide, has_ended, is_unsettled, says_value
from remem.core.answers.yes_no_question import YesNoQuestion, as_statement, read_question
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.judgements import Known, Saying
from remem.core.judges.by_rules import RulesJudge
from remem.core.language.person import is_user
from remem.core.memories.rules.change import THRESHOLDS, may_update
from remem.core.ports import Ports
from remem.core.search.excerpt import sentence_spans

COMPARED = 24
# As many of them the reader compares with what is asked, those first that were found first.
READ_MOST = 4
_IDS = UUID(int=17)


async def answer_yes_no(
    ports: Ports, question: str, asked_at: datetime, sources: Sequence[Source]
) -> YesNoDecision | None:
    """None where no sentence says either. What was true once and was changed since is a no."""
    asked = read_question(question, asked_at)
    if asked is None:
        return None
    found = decide(asked, sources)
    if not asked.is_present or (found and found.verdict == "no"):
        return found
    found = found or await _by_statement(ports, question, asked, sources)
    if found is None:
        return await _by_change(ports, question, asked, sources)
    if ending := _ending(asked, sources, found):
        return YesNoDecision("no", *ending)
    later = await replaced_by(ports, question, sources, found.source, found.span)
    if later is None:
        return found
    says_so = says_value(asked, _text(later, sources))
    return YesNoDecision("yes" if says_so else "no", *later)


def _ending(
    asked: YesNoQuestion, sources: Sequence[Source], found: YesNoDecision
) -> SourceSentence | None:
    """A later sentence that puts an end to it."""
    after = _said_at(sources[found.source])
    return next(
        (
            place
            for place in _sentences(sources)
            if _said_at(sources[place.source]) > after and has_ended(asked, _text(place, sources))
        ),
        None,
    )


async def _by_statement(
    ports: Ports, question: str, asked: YesNoQuestion, sources: Sequence[Source]
) -> YesNoDecision | None:
    """By what is known to say the same as the question in other words, or to exclude it."""
    statement = as_statement(question)
    if statement is None:
        return None
    places = [one for one in _sentences(sources) if not is_unsettled(asked, _text(one, sources))]
    known = [_known(place, sources) for place in places]
    by_id = dict(zip((one.id for one in known), places, strict=True))
    relations = await RulesJudge(ports.analysis).relate(statement, known, Saying())
    decided = [
        YesNoDecision("no" if relation.action == UPDATE else "yes", *by_id[relation.target_id])
        for relation in relations
        if relation.action in (UPDATE, "noop")
    ]
    return max(decided, key=lambda one: _said_at(sources[one.source]), default=None)


async def _by_change(
    ports: Ports, question: str, asked: YesNoQuestion, sources: Sequence[Source]
) -> YesNoDecision | None:
    """No where the reader is certain that what is asked was so and is no longer: "Jonas got
    engaged" for "Is Jonas single?"."""
    statement = as_statement(question)
    if statement is None or ports.reader is None:
        return None
    places = [
        one
        for one in _sentences(sources)
        if content_stems(question) & content_stems(_text(one, sources))
        and not _is_again(question, _text(one, sources))
        and not is_unsettled(asked, _text(one, sources))
    ][:READ_MOST]
    try:
        first, *rest = await ports.embedder.embed(
            [statement, *(_text(one, sources) for one in places)]
        )
        ended = [
            place
            for place, vector in zip(places, rest, strict=True)
            if await _ends(ports, statement, _text(place, sources), float(first @ vector))
        ]
    except ReaderBusy:
        raise
    except Unavailable:
        return None
    last = max(ended, key=lambda one: _said_at(sources[one.source]), default=None)
    return YesNoDecision("no", *last) if last else None


def _is_again(question: str, text: str) -> bool:
    """ "The pool reopened": it is open."""
    return any(f"re{one}" in content_stems(text) for one in content_stems(question))


async def _ends(ports: Ports, statement: str, text: str, cosine: float) -> bool:
    assert ports.reader is not None
    known = Known(_IDS, statement, cosine, datetime.min.replace(tzinfo=UTC))
    if not may_update(text, [known]):
        return False
    [verdict] = await ports.reader.judge([statement], text)
    return verdict.updates >= THRESHOLDS.doubted


def _sentences(sources: Sequence[Source]) -> list[SourceSentence]:
    """Of the writer of the notes: who "I" is in a talk is not the one who asks."""
    found = [
        SourceSentence(number, SentenceSpan(a, b))
        for number, source in enumerate(sources)
        if is_user(source.speaker)
        for a, b in sentence_spans(source.content, SENTENCE_CHARS)
    ]
    return found[:COMPARED]


def _text(place: SourceSentence, sources: Sequence[Source]) -> str:
    return sources[place.source].content[place.span.start : place.span.end]


def _known(place: SourceSentence, sources: Sequence[Source]) -> Known:
    source = sources[place.source]
    id = uuid5(_IDS, f"{place.source} {place.span.start}")
    return Known(id, _text(place, sources).strip(), 0.0, _said_at(source), speaker=source.speaker)


def _said_at(source: Source) -> datetime:
    return source.said_at or datetime.min.replace(tzinfo=UTC)
