"""Put what was read into short claims, each with its citations; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.fitting import contains_all_words, significant_stems
from remem.core.answers.model import Answer, Citation
from remem.core.answers.sentences import SENTENCE_CHARS, BestSentence, SentenceSpan, sentence_at
from remem.core.language.query_words import may_ask_in_english
from remem.core.search.excerpt import sentence_spans

_WHAT_IS = re.compile(r"^what (is|are|was|were) ([\w'’ -]{2,80}?)\s*\?*$", re.IGNORECASE | re.ASCII)
_NO_SUBJECT = re.compile(
    r"\b(?:about|there|going|doing|planning|trying|like|for|up|to|wrong|new|next|called|named|titled|spelled|made|located|it|that|this|he|she|they|you)$"
    r"|^(?:he|she|they|we|you|i|there|it|that|this|some|one)\b",
    re.IGNORECASE | re.ASCII,
)
_SECOND_PERSON = {
    "my": "your",
    "our": "your",
    "i": "you",
    "me": "you",
    "mine": "yours",
    "am": "are",
}
_DAY = re.compile(r"^(?:[A-Z][a-z]+day )?\d{1,2} [A-Z]")
_MONTH_OR_YEAR = re.compile(r"^(?:[A-Z][a-z]+ )?\d{4}$")
_YEAR_AT_END = re.compile(r" \d{4}$")
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name day)\b", re.IGNORECASE | re.ASCII)
# From this confidence on, the reader is trusted whatever words the sentence has.
SURE = 0.9999
_PUNCTUATION = " .,;:!?\"'“”"
_ABOUT = re.compile(
    r"^(?:please )?(?:(?:tell|remind) me (?:(?:all|everything|more|something) )?(?:you know )?about"
    r"|what (?:do (?:you|i|we) know|can you tell me|is known|have i (?:saved|written|noted))"
    r" (?:about|of|on)|(?:summari[sz]e|describe)|what(?:'s| is) new (?:about|with))\b",
    re.IGNORECASE | re.ASCII,
)
_YES_NO = re.compile(
    r"^(?:and |so |but )?"
    r"(?:(?:did|do|does|is|are|was|were|has|have|had|can|could|will|would|should|am)(?:n['’]?t)?"
    r"|won['’]?t)\b",
    re.IGNORECASE | re.ASCII,
)
# The share of the question's words that a quoted sentence must have.
ABOUT_SHARE, YES_NO_SHARE, QUOTE_SHARE = 0.45, 0.6, 0.6
ABOUT_LIMIT = 5
# A sentence with all words of the question is quoted if the confidence of the reader is too low.
WHOLE_SHARE, DOUBTFUL = 0.99, 0.35


def asks_about(question: str) -> bool:
    """Whether it asks for everything about a topic."""
    return _ABOUT.match(question.strip()) is not None


def asks_yes_or_no(question: str) -> bool:
    """Whether an English question asks for yes or no: "Was kostet das?" does not."""
    return _YES_NO.match(question.strip()) is not None and may_ask_in_english(question)


def topic_of(question: str) -> str:
    """The topic of the question, without the words that ask."""
    return _ABOUT.sub("", question.strip()).strip() or question


def claims_of(answer: Answer) -> list[tuple[str, tuple[int, ...]]]:
    """Each claim with the indexes of the citations that support it."""
    citations = answer.citations
    if answer.text is None or not citations or is_unrelated(answer):
        return []
    all_citations = tuple(range(len(citations)))
    if answer.kind == "count":
        return [(_count_text(answer), all_citations)]
    if answer.kind == "list":
        return _list_claims(citations)
    if answer.kind == "when":
        return [(with_preposition(_without_added_year(answer)), all_citations)]
    if answer.kind == "ago":
        return [(answer.text, all_citations)]
    return [(_as_sentence(answer, answer.text.strip(_PUNCTUATION) or answer.text), all_citations)]


def value_of(answer: Answer) -> str | None:
    """The bare value, for a follow-up question."""
    return answer.text.strip(_PUNCTUATION) if answer.text else None


def _without_added_year(answer: Answer) -> str:
    """The day of a birthday, without a year that the source does not give."""
    value, sentence = str(answer.text), answer.citations[0].text
    year = _YEAR_AT_END.search(value)
    if year is None or year[0].strip() in sentence or not _YEARLY.search(answer.question):
        return value
    return value[: year.start()]


def is_unrelated(answer: Answer) -> bool:
    """Whether the confidence is low and the sentence has no word of the question."""
    if answer.is_on_day or not answer.citations:
        return False
    if max(citation.confidence for citation in answer.citations) >= SURE:
        return False
    question_stems = significant_stems(answer.question)
    for citation in answer.citations:
        span = sentence_at(citation.source.content, citation.start, citation.end)
        sentence_stems = significant_stems(citation.source.content[span.start : span.end])
        if question_stems & (sentence_stems | significant_stems(citation.source.speaker or "")):
            return False
    return True


def with_preposition(value: str) -> str:
    if _DAY.match(value):
        return f"On {value}"
    if _MONTH_OR_YEAR.match(value):
        return f"In {value}"
    if value.startswith("the week "):
        return f"In {value}"
    return f"On {value}" if value.startswith("the weekend") else value


def join_with_and(claims: Sequence[str]) -> str:
    if len(claims) <= 1:
        return "".join(claims)
    return f"{', '.join(claims[:-1])} and {claims[-1]}"


def quotable_sentences(
    question: str, best: Sequence[BestSentence], texts: Sequence[str]
) -> list[BestSentence]:
    """The sentences that may be quoted in place of an answer."""
    if asks_about(question):
        related = [sentence for sentence in best if sentence.share >= ABOUT_SHARE][:ABOUT_LIMIT]
        return [
            following
            for sentence in related
            for following in _with_next(sentence, texts, len(related))
        ][:ABOUT_LIMIT]
    share = YES_NO_SHARE if asks_yes_or_no(question) else QUOTE_SHARE
    return [sentence for sentence in best if sentence.share >= share][:1]


def _with_next(best: BestSentence, texts: Sequence[str], sentences: int) -> list[BestSentence]:
    """The sentence and those after it, which continue the topic: the fewer were found, the more are
    quoted."""
    limit = max(1, ABOUT_LIMIT // sentences)
    spans = [SentenceSpan(*span) for span in sentence_spans(texts[best.text], SENTENCE_CHARS)]
    following = [span for span in spans if span.start >= best.span.start][:limit]
    return [BestSentence(best.text, span, best.share) for span in following]


def _count_text(answer: Answer) -> str:
    """The number that was read, or the number of things that were found, followed by their
    names."""
    if not answer.is_counted:
        return str(answer.text)
    return f"{answer.text}: {join_with_and(_values(answer.citations))}"


def _list_claims(citations: Sequence[Citation]) -> list[tuple[str, tuple[int, ...]]]:
    places: dict[str, list[int]] = {}
    for index, citation in enumerate(citations):
        value = citation.value.strip(_PUNCTUATION)
        if value:
            places.setdefault(value, []).append(index)
    return [(value, tuple(indexes)) for value, indexes in places.items()]


def _values(citations: Sequence[Citation]) -> list[str]:
    return list(dict.fromkeys(citation.value.strip(_PUNCTUATION) for citation in citations))


def _as_sentence(answer: Answer, value: str) -> str:
    """The answer to "What is my sister's name?" is "Your sister's name is Clara." if the source has
    these words; otherwise it is the value alone."""
    match = _WHAT_IS.match(answer.question.strip())
    if match is None or _NO_SUBJECT.search(match[2]) or len(value.split()) > 12:
        return value
    citation = answer.citations[0]
    span = sentence_at(citation.source.content, citation.start, citation.end)
    if not contains_all_words(match[2], citation.source.content[span.start : span.end]):
        return value
    subject = _to_user(match[2])
    end = "." if value[-1:].isalpha() else ""
    return f"{subject[:1].upper()}{subject[1:]} {match[1].lower()} {value}{end}"


def _to_user(subject: str) -> str:
    """ "My code" becomes "your code"; at the end "I" is a number, as in "the code of hall I"."""
    words = subject.split()
    last = words.pop() if words[-1] == "I" else ""
    said = [_SECOND_PERSON.get(word.lower(), word) for word in words]
    return " ".join([*said, last] if last else said)
