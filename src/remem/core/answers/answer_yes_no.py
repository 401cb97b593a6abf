"""Answer a yes/no question with a sentence that says so."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid5

from remem.core.answers.current import UPDATE, SourceSentence, find_replacement
from remem.core.answers.fitting import content_stems
from remem.core.answers.model import Source
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.answers.yes_no import YesNoDecision, decide, has_ended, is_unsettled, says_value
from remem.core.answers.yes_no_question import YesNoQuestion, as_statement, read_question
from remem.core.errors import ReaderBusy, Unavailable
from remem.core.judgements import KnownMemory, StatementContext
from remem.core.judges.by_rules import RulesJudge
from remem.core.language.person import is_user
from remem.core.memories.rules.change import update_candidates
from remem.core.ports import Ports
from remem.core.search.excerpt import sentence_spans

MAX_SENTENCES = 24
# How many of them the reader compares with the question, in the order of search.
# How certain the reader must be that a statement is no longer true.
MIN_ENDED = 0.9
MAX_READ = 4
_IDS = UUID(int=17)


async def answer_yes_no(
    ports: Ports, question: str, asked_at: datetime, sources: Sequence[Source]
) -> YesNoDecision | None:
    """None if no sentence says either. What was true and has changed since is a no."""
    parsed = read_question(question, asked_at)
    if parsed is None:
        return None
    decision = decide(parsed, sources)
    if not parsed.is_present or (decision and decision.verdict == "no"):
        return decision
    decision = decision or await _by_statement(ports, question, parsed, sources)
    if decision is None:
        return await _by_change(ports, question, parsed, sources)
    if ending := _find_ending(parsed, sources, decision):
        return YesNoDecision("no", *ending)
    later = await find_replacement(ports, question, sources, decision.source, decision.span)
    if later is None:
        return decision
    is_confirmed = says_value(parsed, _text(later, sources))
    return YesNoDecision("yes" if is_confirmed else "no", *later)


def _find_ending(
    parsed: YesNoQuestion, sources: Sequence[Source], decision: YesNoDecision
) -> SourceSentence | None:
    """A later sentence that ends what is asked about."""
    after = _said_at(sources[decision.source])
    return next(
        (
            place
            for place in _sentences(sources)
            if _said_at(sources[place.source]) > after and has_ended(parsed, _text(place, sources))
        ),
        None,
    )


async def _by_statement(
    ports: Ports, question: str, parsed: YesNoQuestion, sources: Sequence[Source]
) -> YesNoDecision | None:
    """Decide by the sentences that say the same as the question in other words, or exclude it."""
    statement = as_statement(question)
    if statement is None:
        return None
    places = [
        place for place in _sentences(sources) if not is_unsettled(parsed, _text(place, sources))
    ]
    known = [_as_known_memory(place, sources) for place in places]
    by_id = dict(zip((memory.id for memory in known), places, strict=True))
    relations = await RulesJudge(ports.analysis).relate(statement, known, StatementContext())
    decided = [
        YesNoDecision("no" if relation.action == UPDATE else "yes", *by_id[relation.target_id])
        for relation in relations
        if relation.action in (UPDATE, "noop")
    ]
    return max(decided, key=lambda sentence: _said_at(sources[sentence.source]), default=None)


async def _by_change(
    ports: Ports, question: str, parsed: YesNoQuestion, sources: Sequence[Source]
) -> YesNoDecision | None:
    """No, if the reader is certain that the statement was true and is no longer: "Jonas got
    engaged" for "Is Jonas single?"."""
    statement = as_statement(question)
    if statement is None or ports.reader is None:
        return None
    places = [
        place
        for place in _sentences(sources)
        if content_stems(question) & content_stems(_text(place, sources))
        and not _says_again(question, _text(place, sources))
        and not is_unsettled(parsed, _text(place, sources))
    ][:MAX_READ]
    try:
        first, *rest = await ports.embedder.embed(
            [statement, *(_text(place, sources) for place in places)]
        )
        ended = [
            place
            for place, vector in zip(places, rest, strict=True)
            if await _reader_says_ended(
                ports, statement, _text(place, sources), float(first @ vector)
            )
        ]
    except ReaderBusy:
        raise
    except Unavailable:
        return None
    last = max(ended, key=lambda sentence: _said_at(sources[sentence.source]), default=None)
    return YesNoDecision("no", *last) if last else None


def _says_again(question: str, text: str) -> bool:
    """ "The pool reopened": it is open."""
    return any(f"re{stem}" in content_stems(text) for stem in content_stems(question))


async def _reader_says_ended(ports: Ports, statement: str, text: str, cosine: float) -> bool:
    assert ports.reader is not None
    known = KnownMemory(_IDS, statement, cosine, datetime.min.replace(tzinfo=UTC))
    if not update_candidates(text, [known]):
        return False
    [verdict] = await ports.reader.judge([statement], text)
    return verdict.updates >= MIN_ENDED


def _sentences(sources: Sequence[Source]) -> list[SourceSentence]:
    """Sentences of the writer of the notes: "I" in a conversation is not the user who asks."""
    sentences = [
        SourceSentence(number, SentenceSpan(a, b))
        for number, source in enumerate(sources)
        if is_user(source.speaker)
        for a, b in sentence_spans(source.content, SENTENCE_CHARS)
    ]
    return sentences[:MAX_SENTENCES]


def _text(place: SourceSentence, sources: Sequence[Source]) -> str:
    return sources[place.source].content[place.span.start : place.span.end]


def _as_known_memory(place: SourceSentence, sources: Sequence[Source]) -> KnownMemory:
    source = sources[place.source]
    id = uuid5(_IDS, f"{place.source} {place.span.start}")
    return KnownMemory(
        id, _text(place, sources).strip(), 0.0, _said_at(source), speaker=source.speaker
    )


def _said_at(source: Source) -> datetime:
    return source.said_at or datetime.min.replace(tzinfo=UTC)
