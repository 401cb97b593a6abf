"""The answer of a language model, limited to what its quotes support."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

import structlog

from remem.core.answers import prompts
from remem.core.answers.cite import Quotes
from remem.core.answers.follow_up import Exchange
from remem.core.answers.model import Source
from remem.core.answers.reply import ReplyClaim
from remem.core.answers.sentences import SentenceSpan, sentence_at
from remem.core.answers.support import QuotedSentence, find_quote, is_supported
from remem.core.ask_model import ask_model
from remem.core.ports import Ports

CLAIMS_LIMIT, CLAIM_CHARS = 20, 1_000

log = structlog.get_logger()


async def claims_by_model(
    ports: Ports,
    question: str,
    asked_at: datetime,
    history: Sequence[Exchange],
    sources: Sequence[Source],
    quotes: Quotes,
) -> list[ReplyClaim] | None:
    """None if there is no model or no reply: the reader answers instead. An empty list if the model
    says that the sources do not answer, or if none of its claims is supported."""
    prompt = prompts.answer(question, asked_at, history, sources)
    check = partial(_supported_claims, question=question, sources=sources, quotes=quotes)
    return (await ask_model(ports, "answer", prompt, prompts.ModelAnswer, check)).value


def _supported_claims(
    answer: prompts.ModelAnswer, question: str, sources: Sequence[Source], quotes: Quotes
) -> list[ReplyClaim]:
    checked = [
        _check_claim(claim, question, sources, quotes) for claim in answer.claims[:CLAIMS_LIMIT]
    ]
    claims = [claim for claim in checked if claim is not None]
    if len(claims) < len(answer.claims):
        log.warning("llm_unused", purpose="answer", error="not_supported")
    return claims


def _check_claim(
    claim: prompts.ModelClaim, question: str, sources: Sequence[Source], quotes: Quotes
) -> ReplyClaim | None:
    text = " ".join(claim.text.replace("\x00", "").split())
    places = [place for quote in claim.quotes if (place := _find_source(quote, sources))]
    if not places or not 0 < len(text) <= CLAIM_CHARS:
        return None
    quoted = []
    for source, span in places:
        sentence = sentence_at(source.content, *span)
        words = source.content[sentence.start : sentence.end]
        stored_days = tuple(day for day in (source.occurred_at, source.due_at) if day)
        quoted.append(QuotedSentence(words, source.speaker, source.said_at, stored_days))
    if not is_supported(text, question, quoted):
        return None
    numbers = (quotes.add(source, *span) for source, span in places)
    return ReplyClaim(text, tuple(dict.fromkeys(numbers)))


def _find_source(
    quoted: prompts.QuotedSource, sources: Sequence[Source]
) -> tuple[Source, SentenceSpan] | None:
    if not 1 <= quoted.source <= len(sources):
        return None
    source = sources[quoted.source - 1]
    span = find_quote(source.content, quoted.quote)
    return (source, span) if span else None
