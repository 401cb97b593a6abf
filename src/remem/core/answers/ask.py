"""Ask a question and get an answer with every claim cited, in a recorded conversation."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from remem.core.answers.answer_question import answer_question
from remem.core.answers.cite import Quotes, origins_of
from remem.core.answers.history import exchanges_of, resolve_question
from remem.core.answers.model import Answer
from remem.core.answers.reply import (
    QUESTION_LIMIT,
    UNKNOWN,
    AskReply,
    AskRequest,
    Method,
    Prepared,
    Quote,
    ReplyClaim,
    ReplyKind,
)
from remem.core.answers.reply_claims import claims_for
from remem.core.answers.reply_record import record_reply
from remem.core.answers.say import (
    asks_about,
    asks_yes_or_no,
    join_with_and,
    topic_of,
    value_of,
)
from remem.core.answers.sentences import best_sentences
from remem.core.answers.turns import with_reader_turn
from remem.core.ask_model import model_name
from remem.core.errors import Conflict
from remem.core.language.prose.markup import plain_value
from remem.core.language.times.wording import on_day
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve_all
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.sessions.manage import require_session
from remem.core.sessions.turns import last_turns
from remem.core.time import now
from remem.core.validate import check_asked_at, check_text

HISTORY_TURNS = 12
NEAREST = 3
MAX_UNKNOWN_CONFIDENCE = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress before the answer: the number of texts to read."""

    question: str
    sources: int


async def ask(ports: Ports, scope: Scope, request: AskRequest) -> AskReply:
    prepared = await prepare(ports, scope, request)
    reply: AskReply | None = None
    async for step in stream_answer(ports, scope, prepared):
        reply = step if isinstance(step, AskReply) else reply
    assert reply is not None
    return reply


async def prepare(ports: Ports, scope: Scope, request: AskRequest) -> Prepared:
    """Validate the request before any part of the answer is sent."""
    check_text("question", request.text, QUESTION_LIMIT)
    check_text("question", request.text.strip(), QUESTION_LIMIT, least=1)
    check_asked_at("asked_at", request.asked_at)
    asked_at = request.asked_at or now()
    async with ports.db.transaction(scope) as tx:
        await resolve_all(tx, request.project)
        if request.session_id is None:
            return Prepared(request, request.text.strip(), asked_at)
        session = await require_session(tx, request.session_id)
        turns = await last_turns(tx, session.id, HISTORY_TURNS)
    if session.closed_at and request.record:
        raise Conflict("The session is closed; start another one.", code="session_closed")
    history = exchanges_of(turns)
    question = resolve_question(request.text.strip(), history)
    return Prepared(request, question, asked_at, tuple(history), session)


async def stream_answer(
    ports: Ports, scope: Scope, prepared: Prepared
) -> AsyncIterator[Progress | ReplyClaim | Quote | AskReply]:
    """Yield the progress, each claim after the quotes that support it, and finally the complete
    reply, once it is recorded."""
    started = time.perf_counter()
    request = prepared.request
    query = Query(
        topic_of(prepared.question) if asks_about(prepared.question) else prepared.question,
        request.project,
        asked_at=prepared.asked_at,
        as_of=request.as_of,
    )
    async with with_reader_turn(ports) as ports_with_reader:
        answer = await answer_question(ports_with_reader, scope, query)
    yield Progress(prepared.question, len(answer.sources))
    reply = await _reply(ports, scope, prepared, answer)
    for claim in reply.claims:
        for number in claim.quotes:
            yield reply.quotes[number - 1]
        yield claim
    session = await record_reply(ports, scope, prepared, reply, answer.sources)
    took_ms = (time.perf_counter() - started) * 1_000
    yield replace(reply, session_id=session.id if session else None, took_ms=took_ms)


async def _reply(ports: Ports, scope: Scope, prepared: Prepared, answer: Answer) -> AskReply:
    sources = answer.sources
    quotes = Quotes(await origins_of(ports, scope, sources))
    claims, method = await claims_for(ports, prepared, answer, quotes)
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
        value=_value(answer, claims, method, quotes),
        confidence=_confidence(answer, method, known=known),
        method=method,
        model=model_name(ports) if method == "model" else None,
    )


def _nearest(quotes: Quotes, answer: Answer) -> tuple[Quote, ...]:
    best = best_sentences(answer.question, [source.content for source in answer.sources])
    for sentence in best[:NEAREST]:
        if sentence.share > 0:
            quotes.add(answer.sources[sentence.text], *sentence.span)
    return quotes.all[:NEAREST]


def _confidence(answer: Answer, method: Method, *, known: bool) -> float:
    """At most a half for an unknown answer: its confidence is that of a text that does not
    answer."""
    if not known:
        return min(answer.confidence, MAX_UNKNOWN_CONFIDENCE)
    return answer.confidence if method == "reader" else 1.0


def _value(
    answer: Answer, claims: Sequence[ReplyClaim], method: Method, quotes: Quotes
) -> str | None:
    if claims and asks_yes_or_no(answer.question) and method == "quote":
        return claims[0].text.split(" ", 1)[0]
    if not claims or method == "quote":
        return None
    if method == "reader" and (value := value_of(answer)):
        return plain_value(value, " ".join(quote.sentence for quote in quotes.all))
    return join_with_and([claim.text for claim in claims])


def _text(
    kind: ReplyKind, method: Method, claims: Sequence[ReplyClaim], as_of: datetime | None
) -> str:
    if not claims:
        return f"As of {on_day(as_of)}, {UNKNOWN}" if as_of else UNKNOWN
    texts = [claim.text for claim in claims]
    return join_with_and(texts) if kind == "list" and method == "reader" else " ".join(texts)
