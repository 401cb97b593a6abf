"""What is claimed in an answer: by the model, by the reader, or in sentences as they are."""

from collections.abc import Sequence

from remem.core.answers.answer_yes_no import answer_yes_no
from remem.core.answers.by_model import claims_by_model
from remem.core.answers.cite import Quotes
from remem.core.answers.model import Answer, Source
from remem.core.answers.reply import Method, Prepared, ReplyClaim
from remem.core.answers.say import (
    DOUBTFUL,
    WHOLE_SHARE,
    asks_about,
    asks_yes_or_no,
    claims_of,
    quotable,
    topic_of,
)
from remem.core.answers.sentences import best_sentences, sentence_at
from remem.core.answers.turns import reading_in_turn
from remem.core.language.detect import language_of
from remem.core.language.tokens import query_terms
from remem.core.ports import Ports

# A sentence is quoted in place of an answer where the question has as many words to match.
QUOTE_TERMS = 2


async def claims_for(
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
    if ports.reader is None or answer.is_unread or asks_about(question):
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
