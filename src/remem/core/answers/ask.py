"""Ask a question and get an answer whose every claim is cited, in a conversation that is kept."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from remem.core.answers.answer_question import answer_question
from remem.core.answers.answer_yes_no import answer_yes_no
from remem.core.answers.by_model import claims_by_model
from remem.core.answers.cite import Quotes, origins_of
from remem.core.answers.follow_up import Exchange
from remem.core.answers.history import exchanges_of, understood
from remem.core.answers.model import Answer, Source
from remem.core.answers.reply import (
    QUESTION_LIMIT,
    UNKNOWN,
    AskReply,
    AskRequest,
    Method,
    Quote,
    ReplyClaim,
    ReplyKind,
)
from remem.core.answers.say import (
    DOUBTFUL,
    WHOLE_SHARE,
    asks_about,
    asks_yes_or_no,
    claims_of,
    joined,
    quotable,
    topic_of,
    value_of,
)
from remem.core.answers.sentences import best_sentences, sentence_at
from remem.core.answers.turns import reading_in_turn
from remem.core.ask_model import model_name
from remem.core.db import Tx
from remem.core.errors import Conflict
from remem.core.language.detect import language_of
from remem.core.language.times.wording import on_day
from remem.core.language.tokens import query_terms
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Right, Scope
from remem.core.search.model import Query
from remem.core.sessions.manage import open_in, require_session
from remem.core.sessions.model import NewSession, NewTurn, Session
from remem.core.sessions.turns import add_in, last_turns
from remem.core.time import now
from remem.core.validate import check_asked_at, check_text

HISTORY_TURNS = 12
NEAREST = 3
# A sentence is quoted in place of an answer where the question has as many words to match.
QUOTE_TERMS = 2
UNKNOWN_MOST = 0.5
AGENT = "ask"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that can be answered: its session is there, and the follow-up is resolved."""

    request: AskRequest
    question: str
    asked_at: datetime
    before: tuple[Exchange, ...] = ()
    session: Session | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done before the answer is there: how many texts are read."""

    question: str
    sources: int


async def ask(ports: Ports, scope: Scope, request: AskRequest) -> AskReply:
    prepared = await prepare(ports, scope, request)
    reply: AskReply | None = None
    async for step in answering(ports, scope, prepared):
        reply = step if isinstance(step, AskReply) else reply
    assert reply is not None
    return reply


async def prepare(ports: Ports, scope: Scope, request: AskRequest) -> Prepared:
    """Raise what is wrong with the request before any of the answer is given."""
    check_text("question", request.text, QUESTION_LIMIT)
    check_text("question", request.text.strip(), QUESTION_LIMIT, least=1)
    check_asked_at("asked_at", request.asked_at)
    asked_at = request.asked_at or now()
    async with ports.db.transaction(scope) as tx:
        await resolve_all(tx, scope, request.project)
        if request.session_id is None:
            return Prepared(request, request.text.strip(), asked_at)
        session = await require_session(tx, scope, request.session_id)
        turns = await last_turns(tx, scope, session.id, HISTORY_TURNS)
    if session.closed_at and request.record:
        raise Conflict("The session is closed; start another one.", code="session_closed")
    before = exchanges_of(turns)
    question = understood(request.text.strip(), before)
    return Prepared(request, question, asked_at, tuple(before), session)


async def answering(
    ports: Ports, scope: Scope, prepared: Prepared
) -> AsyncIterator[Progress | ReplyClaim | Quote | AskReply]:
    """What is done, each claim behind the quotes it stands on, and at last the whole reply, once
    it is kept."""
    started = time.perf_counter()
    request = prepared.request
    query = Query(
        topic_of(prepared.question) if asks_about(prepared.question) else prepared.question,
        request.project,
        asked_at=prepared.asked_at,
        as_of=request.as_of,
    )
    async with reading_in_turn(ports) as reading:
        answer = await answer_question(reading, scope, query)
    yield Progress(prepared.question, len(answer.sources))
    reply = await _reply(ports, scope, prepared, answer)
    for claim in reply.claims:
        for number in claim.quotes:
            yield reply.quotes[number - 1]
        yield claim
    session = await _record(ports, scope, prepared, reply, answer.sources)
    took_ms = (time.perf_counter() - started) * 1_000
    yield replace(reply, session_id=session.id if session else None, took_ms=took_ms)


async def _reply(ports: Ports, scope: Scope, prepared: Prepared, answer: Answer) -> AskReply:
    sources = answer.sources
    quotes = Quotes(await origins_of(ports, scope, sources))
    claims, method = await _claims(ports, prepared, answer, quotes)
    kind: ReplyKind = answer.kind
    if asks_about(prepared.question):
        kind = "about"
    elif asks_yes_or_no(prepared.question):
        kind = "yes_no"
    known = bool(claims)
    return AskReply(
        asked=prepared.request.text,
        question=prepared.question,
        kind=kind,
        text=_text(kind, method, claims, prepared.request.as_of),
        claims=tuple(claims),
        quotes=quotes.all if known else (),
        nearest=() if known else _nearest(quotes, answer),
        value=_value(answer, claims, method),
        confidence=_confidence(answer, method, known=known),
        method=method,
        model=model_name(ports) if method == "model" else None,
    )


async def _claims(
    ports: Ports, prepared: Prepared, answer: Answer, quotes: Quotes
) -> tuple[list[ReplyClaim], Method]:
    if prepared.request.use_model and answer.sources:
        found = await claims_by_model(
            ports,
            prepared.question,
            prepared.asked_at,
            prepared.before,
            answer.sources,
            quotes,
        )
        if found is not None:
            return found, "model"
    question = prepared.question
    if asks_yes_or_no(question):
        return await _yes_or_no(ports, prepared, answer, quotes), "quote"
    if ports.reader is None or asks_about(question):
        return _quoted(question, answer.sources, quotes), "quote"
    claims = [
        ReplyClaim(text, tuple(dict.fromkeys(_number(answer, place, quotes) for place in places)))
        for text, places in claims_of(answer)
    ]
    if claims and is_foreign(question):
        return _whole_sentences(answer, quotes), "quote"
    is_plain = len(query_terms(question)) >= QUOTE_TERMS
    if not claims and answer.kind == "one" and is_plain and answer.confidence >= DOUBTFUL:
        quoted = _quoted(question, answer.sources, quotes, WHOLE_SHARE)
        return quoted, "quote" if quoted else "reader"
    return claims, "reader"


async def _yes_or_no(
    ports: Ports, prepared: Prepared, answer: Answer, quotes: Quotes
) -> list[ReplyClaim]:
    """The word, and behind it the sentence that says so."""
    async with reading_in_turn(ports) as reading:
        question, asked_at = prepared.question, prepared.asked_at
        decision = await answer_yes_no(reading, question, asked_at, answer.sources)
    if decision is None:
        return []
    source = answer.sources[decision.source]
    sentence = source.content[decision.span.start : decision.span.end].strip()
    number = quotes.add(source, *decision.span)
    return [ReplyClaim(f"{decision.verdict.capitalize()} — {sentence}", (number,))]


def is_foreign(question: str) -> bool:
    """Whether it is in another language than the reader learned to read."""
    return language_of(question) not in (None, "en")


def _whole_sentences(answer: Answer, quotes: Quotes) -> list[ReplyClaim]:
    """The sentences that were read, as they stand: a part of them may be the wrong one."""
    claims = {}
    for cited in answer.citations:
        span = sentence_at(cited.source.content, cited.start, cited.end)
        text = cited.source.content[span.start : span.end].strip()
        claims[text] = ReplyClaim(text, (quotes.add(cited.source, *span),))
    return list(claims.values())


def _number(answer: Answer, place: int, quotes: Quotes) -> int:
    citation = answer.citations[place]
    return quotes.add(citation.source, citation.start, citation.end)


def _quoted(
    question: str, sources: Sequence[Source], quotes: Quotes, share: float = 0.0
) -> list[ReplyClaim]:
    """Sentences as they stand: nobody has read them."""
    asked = topic_of(question)
    claims = []
    texts = [one.content for one in sources]
    found = [one for one in best_sentences(asked, texts) if one.share >= share]
    for best in quotable(question, found, texts):
        source = sources[best.text]
        number = quotes.add(source, *best.span)
        claims.append(
            ReplyClaim(source.content[best.span.start : best.span.end].strip(), (number,))
        )
    return list({claim.text: claim for claim in claims}.values())


def _nearest(quotes: Quotes, answer: Answer) -> tuple[Quote, ...]:
    best = best_sentences(answer.question, [one.content for one in answer.sources])
    for one in best[:NEAREST]:
        if one.share > 0:
            quotes.add(answer.sources[one.text], *one.span)
    return quotes.all[:NEAREST]


def _confidence(answer: Answer, method: Method, *, known: bool) -> float:
    """What is not known is never above a half: a place was read that does not answer."""
    if not known:
        return min(answer.confidence, UNKNOWN_MOST)
    return answer.confidence if method == "reader" else 1.0


def _value(answer: Answer, claims: Sequence[ReplyClaim], method: Method) -> str | None:
    if claims and asks_yes_or_no(answer.question) and method == "quote":
        return claims[0].text.split(" ", 1)[0]
    if not claims or method == "quote":
        return None
    return value_of(answer) if method == "reader" else joined([one.text for one in claims])


def _text(
    kind: ReplyKind, method: Method, claims: Sequence[ReplyClaim], as_of: datetime | None
) -> str:
    if not claims:
        return f"As of {on_day(as_of)}, {UNKNOWN}" if as_of else UNKNOWN
    texts = [claim.text for claim in claims]
    return joined(texts) if kind == "list" and method == "reader" else " ".join(texts)


async def _record(
    ports: Ports, scope: Scope, prepared: Prepared, reply: AskReply, sources: Sequence[Source]
) -> Session | None:
    """The question and its answer, in one transaction. A reader may not write, so nothing of
    theirs is kept."""
    request, session = prepared.request, prepared.session
    wanted = request.record and (session is not None or ports.records_sessions)
    if not wanted or Right.WRITE not in scope.rights:
        return session
    async with ports.db.transaction(scope) as tx:
        session = session or await _open(tx, scope, request)
        await add_in(tx, scope, session.id, _turns(reply, sources))
    return session


async def _open(tx: Tx, scope: Scope, request: AskRequest) -> Session:
    """In the project that is asked about, where it is one."""
    projects = await resolve_all(tx, scope, request.project)
    project = projects[0] if projects and len(projects) == 1 else None
    new = NewSession(project, request.agent or AGENT, is_recorded=True)
    return (await open_in(tx, scope, new))[0]


def _turns(reply: AskReply, sources: Sequence[Source]) -> list[NewTurn]:
    recalled = tuple(dict.fromkeys(source.id for source in sources))
    used = [
        id
        for quote in reply.quotes
        for id in (quote.source_id, quote.document_id)
        if id is not None
    ]
    details: dict[str, Any] = {"answer": summary_of(reply)}
    return [
        NewTurn("user", reply.asked, recalled),
        NewTurn("assistant", reply.text, (), tuple(dict.fromkeys(used)), details=details),
    ]


def summary_of(reply: AskReply) -> dict[str, Any]:
    """What a page needs to show the answer again; the quotes are read anew by their ids."""
    return {
        "kind": reply.kind,
        "known": reply.is_known,
        "value": reply.value,
        "claims": [{"text": one.text, "quotes": list(one.quotes)} for one in reply.claims],
        "quotes": [
            {
                "number": quote.number,
                "kind": quote.kind,
                "id": str(quote.source_id),
                "documentId": str(quote.document_id) if quote.document_id else None,
                "memoryId": str(quote.memory_id) if quote.memory_id else None,
                "title": quote.title,
                "sentence": quote.sentence,
                "start": quote.start,
                "end": quote.end,
            }
            for quote in reply.quotes
        ],
    }
