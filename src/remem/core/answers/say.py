"""Put what was read into short words, each with the place it stands at; pure."""

import re
from collections.abc import Sequence

from remem.core.answers.fitting import states, telling_stems
from remem.core.answers.model import Answer, Citation
from remem.core.answers.sentences import SENTENCE_CHARS, Best, SentenceSpan, sentence_at
from remem.core.search.excerpt import sentence_spans

_WHAT_IS = re.compile(r"^what (is|are|was|were) ([\w'’ -]{2,80}?)\s*\?*$", re.IGNORECASE | re.ASCII)
_NO_SUBJECT = re.compile(
    r"\b(?:about|there|going|doing|planning|trying|like|for|up|to|wrong|new|next|called|named|titled|spelled|made|located|it|that|this|he|she|they|you)$"
    r"|^(?:he|she|they|we|you|i|there|it|that|this|some|one)\b",
    re.IGNORECASE | re.ASCII,
)
_TURNED = {"my": "your", "our": "your", "i": "you", "me": "you", "mine": "yours", "am": "are"}
_DAY = re.compile(r"^(?:[A-Z][a-z]+day )?\d{1,2} [A-Z]")
_MONTH_OR_YEAR = re.compile(r"^(?:[A-Z][a-z]+ )?\d{4}$")
_YEAR_AT_END = re.compile(r" \d{4}$")
_YEARLY = re.compile(r"\b(?:birthday|anniversary|name day)\b", re.IGNORECASE | re.ASCII)
# From here on the reader is believed whatever words the sentence has.
SURE = 0.9999
_EDGES = " .,;:!?\"'“”"
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
# How much of a question a sentence says that is quoted in place of an answer.
ABOUT_SHARE, YES_NO_SHARE, QUOTE_SHARE = 0.45, 0.6, 0.6
ABOUT_LIMIT = 5
# A sentence that says all of the question is quoted where the reader is not sure enough.
WHOLE_SHARE, DOUBTFUL = 0.99, 0.1


def asks_about(question: str) -> bool:
    """Whether it asks for whatever there is about something."""
    return _ABOUT.match(question.strip()) is not None


def asks_yes_or_no(question: str) -> bool:
    return _YES_NO.match(question.strip()) is not None


def topic_of(question: str) -> str:
    """What it is about, without the words that ask."""
    return _ABOUT.sub("", question.strip()).strip() or question


def claims_of(answer: Answer) -> list[tuple[str, tuple[int, ...]]]:
    """Each claim with the citations it stands on, by their place."""
    citations = answer.citations
    if answer.text is None or not citations or is_far_fetched(answer):
        return []
    every = tuple(range(len(citations)))
    if answer.kind == "count":
        return [(_counted(answer), every)]
    if answer.kind == "list":
        return _listed(citations)
    if answer.kind == "when":
        return [(dated(_each_year(answer)), every)]
    if answer.kind == "ago":
        return [(answer.text, every)]
    return [(_sentence(answer, answer.text.strip(_EDGES) or answer.text), every)]


def value_of(answer: Answer) -> str | None:
    """The bare value, for a question that follows."""
    return answer.text.strip(_EDGES) if answer.text else None


def _each_year(answer: Answer) -> str:
    """A birthday has a day and no year, unless one was given."""
    value, sentence = str(answer.text), answer.citations[0].text
    year = _YEAR_AT_END.search(value)
    if year is None or year[0].strip() in sentence or not _YEARLY.search(answer.question):
        return value
    return value[: year.start()]


def is_far_fetched(answer: Answer) -> bool:
    """Whether the reader is in doubt and the sentence has no word of the question."""
    if not answer.citations or max(one.confidence for one in answer.citations) >= SURE:
        return False
    asked = telling_stems(answer.question)
    for citation in answer.citations:
        span = sentence_at(citation.source.content, citation.start, citation.end)
        said = telling_stems(citation.source.content[span.start : span.end])
        if asked & (said | telling_stems(citation.source.speaker or "")):
            return False
    return True


def dated(value: str) -> str:
    if _DAY.match(value):
        return f"On {value}"
    if _MONTH_OR_YEAR.match(value):
        return f"In {value}"
    if value.startswith("the week "):
        return f"In {value}"
    return f"On {value}" if value.startswith("the weekend") else value


def joined(claims: Sequence[str]) -> str:
    if len(claims) <= 1:
        return "".join(claims)
    return f"{', '.join(claims[:-1])} and {claims[-1]}"


def quotable(question: str, best: Sequence[Best], texts: Sequence[str]) -> list[Best]:
    """The sentences that may be quoted in place of an answer."""
    if asks_about(question):
        near = [one for one in best if one.share >= ABOUT_SHARE][:ABOUT_LIMIT]
        return [more for one in near for more in _with_next(one, texts, len(near))][:ABOUT_LIMIT]
    share = YES_NO_SHARE if asks_yes_or_no(question) else QUOTE_SHARE
    return [one for one in best if one.share >= share][:1]


def _with_next(best: Best, texts: Sequence[str], found: int) -> list[Best]:
    """A text about something goes on about it: the fewer were found, the more of it is quoted."""
    wanted = max(1, ABOUT_LIMIT // found)
    spans = [SentenceSpan(*span) for span in sentence_spans(texts[best.text], SENTENCE_CHARS)]
    following = [span for span in spans if span.start >= best.span.start][:wanted]
    return [Best(best.text, span, best.share) for span in following]


def _counted(answer: Answer) -> str:
    """A number that was read, or the number of things that were found, which are then named."""
    if not answer.is_counted:
        return str(answer.text)
    return f"{answer.text}: {joined(_values(answer.citations))}"


def _listed(citations: Sequence[Citation]) -> list[tuple[str, tuple[int, ...]]]:
    places: dict[str, list[int]] = {}
    for place, citation in enumerate(citations):
        value = citation.value.strip(_EDGES)
        if value:
            places.setdefault(value, []).append(place)
    return [(value, tuple(found)) for value, found in places.items()]


def _values(citations: Sequence[Citation]) -> list[str]:
    return list(dict.fromkeys(one.value.strip(_EDGES) for one in citations))


def _sentence(answer: Answer, value: str) -> str:
    """The answer to "What is my sister's name?" is "Your sister's name is Clara." where the source
    says so in these words; other values stand alone."""
    found = _WHAT_IS.match(answer.question.strip())
    if found is None or _NO_SUBJECT.search(found[2]) or len(value.split()) > 12:
        return value
    cited = answer.citations[0]
    span = sentence_at(cited.source.content, cited.start, cited.end)
    if not states(found[2], cited.source.content[span.start : span.end]):
        return value
    subject = " ".join(_TURNED.get(word.lower(), word) for word in found[2].split())
    end = "." if value[-1:].isalpha() else ""
    return f"{subject[:1].upper()}{subject[1:]} {found[1].lower()} {value}{end}"
