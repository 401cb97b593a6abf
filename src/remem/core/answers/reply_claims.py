"""The claims of an answer: by the model, by the reader, or quoted sentences."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from remem.core.answers.answer_yes_no import answer_yes_no
from remem.core.answers.by_model import claims_by_model
from remem.core.answers.cite import Quotes
from remem.core.answers.listed_things import listed_part
from remem.core.answers.model import Answer, Source
from remem.core.answers.people import is_about_user, is_of_user_by_others
from remem.core.answers.reply import Method, Prepared, ReplyClaim
from remem.core.answers.say import (
    DOUBTFUL,
    WHOLE_SHARE,
    asks_about,
    asks_yes_or_no,
    claims_of,
    quotable_sentences,
    topic_of,
)
from remem.core.answers.sentences import SentenceSpan, best_sentences
from remem.core.answers.turns import with_reader_turn
from remem.core.language.claims.cancelled import (
    asks_for_cancelled,
    is_marked_cancelled,
    says_cancelled,
)
from remem.core.language.person import shown_name
from remem.core.language.prose.markup import plain_value
from remem.core.language.tokens import query_terms
from remem.core.ports import Ports

# A sentence is quoted in place of an answer only if the question has this many words to match.
QUOTE_TERMS = 2


async def claims_for(
    ports: Ports, prepared: Prepared, answer: Answer, quotes: Quotes
) -> tuple[list[ReplyClaim], Method]:
    claims, method = await _claims_for(ports, prepared, answer, quotes)
    claims = [_without_markup(claim, quotes) for claim in claims]
    if method == "reader" and not asks_for_cancelled(prepared.question):
        claims, method = _with_cancellations(claims, quotes, is_time=answer.kind == "when")
    if not is_about_user(prepared.question):
        return claims, method
    named = [_name_speaker(claim, quotes, method) for claim in claims]
    return named, "quote" if named != claims and method == "reader" else method


def _with_cancellations(
    claims: Sequence[ReplyClaim], quotes: Quotes, *, is_time: bool
) -> tuple[list[ReplyClaim], Method]:
    """Quote the sentence if it says that the plan was cancelled and the claim does not."""
    is_cancelled = says_cancelled if is_time else is_marked_cancelled
    quoted = [_with_cancellation(claim, quotes, is_cancelled) for claim in claims]
    return quoted, "reader" if quoted == list(claims) else "quote"


def _with_cancellation(
    claim: ReplyClaim, quotes: Quotes, is_cancelled: Callable[[str], bool]
) -> ReplyClaim:
    sentences = [quotes.all[number - 1].sentence for number in claim.quotes]
    if is_cancelled(claim.text) or not any(map(is_cancelled, sentences)):
        return claim
    return replace(claim, text=" ".join(sentence.strip() for sentence in sentences))


def _without_markup(claim: ReplyClaim, quotes: Quotes) -> ReplyClaim:
    sentences = (quotes.all[number - 1].sentence for number in claim.quotes)
    return replace(claim, text=plain_value(claim.text, " ".join(sentences)))


def _name_speaker(claim: ReplyClaim, quotes: Quotes, method: Method) -> ReplyClaim:
    """Say whose the words are if only files or others say it of the user."""
    cited = [quotes.all[number - 1] for number in claim.quotes]
    if not cited or not all(is_of_user_by_others(quote.speaker, quote.sentence) for quote in cited):
        return claim
    text = claim.text if method == "model" else " ".join(quote.sentence.strip() for quote in cited)
    return replace(claim, text=f"{shown_name(cited[0].speaker or '')} says: “{text}”")


async def _claims_for(
    ports: Ports, prepared: Prepared, answer: Answer, quotes: Quotes
) -> tuple[list[ReplyClaim], Method]:
    if prepared.request.use_model and answer.sources:
        model_claims = await claims_by_model(
            ports,
            prepared.question,
            prepared.asked_at,
            prepared.history,
            answer.sources,
            quotes,
        )
        if model_claims is not None:
            return model_claims, "model"
    question = prepared.question
    if asks_yes_or_no(question):
        return await _yes_no_claims(ports, prepared, answer, quotes), "quote"
    if ports.reader is None or answer.is_unread or asks_about(question):
        return _quote_sentences(question, answer.sources, quotes), "quote"
    claims = [
        ReplyClaim(
            text, tuple(dict.fromkeys(_quote_number(answer, place, quotes) for place in places))
        )
        for text, places in claims_of(answer)
    ]
    is_plain = len(query_terms(question)) >= QUOTE_TERMS
    if not claims and answer.kind == "one" and is_plain and answer.confidence >= DOUBTFUL:
        quoted = _quote_sentences(question, answer.sources, quotes, WHOLE_SHARE)
        return quoted, "quote" if quoted else "reader"
    return claims, "reader"


async def _yes_no_claims(
    ports: Ports, prepared: Prepared, answer: Answer, quotes: Quotes
) -> list[ReplyClaim]:
    """Yes or no, followed by the sentence that says so."""
    async with with_reader_turn(ports) as ports_with_reader:
        question, asked_at = prepared.question, prepared.asked_at
        decision = await answer_yes_no(ports_with_reader, question, asked_at, answer.sources)
    if decision is None:
        return []
    source = answer.sources[decision.source]
    sentence = source.content[decision.span.start : decision.span.end].strip()
    number = quotes.add(source, *decision.span)
    return [ReplyClaim(f"{decision.verdict.capitalize()} — {sentence}", (number,))]


def _quote_sentence(
    question: str, source: Source, span: SentenceSpan, quotes: Quotes
) -> ReplyClaim:
    """A sentence, without those of the things it lists that were not asked about."""
    listed = listed_part(question, source.content, span)
    text = listed.alone(source.content) if listed else source.content[span.start : span.end]
    return ReplyClaim(text.strip(), (quotes.add(source, *(listed.part if listed else span)),))


def _quote_number(answer: Answer, place: int, quotes: Quotes) -> int:
    citation = answer.citations[place]
    return quotes.add(citation.source, citation.start, citation.end)


def _quote_sentences(
    question: str, sources: Sequence[Source], quotes: Quotes, share: float = 0.0
) -> list[ReplyClaim]:
    """Quote the best sentences without reading them."""
    topic = topic_of(question)
    claims = []
    texts = [source.content for source in sources]
    matching = [best for best in best_sentences(topic, texts) if best.share >= share]
    for sentence in quotable_sentences(question, matching, texts):
        claims.append(_quote_sentence(question, sources[sentence.text], sentence.span, quotes))
    return list({claim.text: claim for claim in claims}.values())
