"""The words of a question and of a place, and the complete place; pure."""

import re

from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.letters import UNSPACED_CHAR
from remem.core.language.lists import phrases
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import stem, words
from remem.core.search.excerpt import sentence_spans

_FLAGS = re.IGNORECASE | re.ASCII
_ASKS_SECRET = re.compile(r"\b(?:code|pin|password|passcode|combination)\b", _FLAGS)
_IN_SECRET, _AROUND_SECRET = re.compile(r"[A-Za-z0-9!?&^*|\\<>%$#@+_/~.-]"), ".!?*_~"
_NUMBER = re.compile(r"\d+")
# These ask for a sum or a remainder, which a single figure is not.
_TOTAL = re.compile(
    r"\b(?:remaining|in total|total|altogether|overall|combined|on average)\b", _FLAGS
)
_HOW_MUCH = re.compile(r"\bhow (?:much|many|long|far)\b", _FLAGS)
_REMAINING = re.compile(r"\bleft\b", _FLAGS)
# "Who left" and "on the left" do not ask for a remainder.
_ASKS_REMAINING = re.compile(
    r"\b(?:is|are|was|were|what['’]s) left\b(?![ -]hand)|\bleft of\b", _FLAGS
)
_INSIDE_TOKEN = re.compile(r"[\w@.,:/~+#%€$£-]")
_INNER_PUNCTUATION = frozenset(".,:-/")
_SIGNS = frozenset("+#~€$£")
# A blood type or a grade; an article is only capitalized at the beginning of a sentence.
_TYPE_BEFORE = re.compile(r"(?<=[a-z:] )(?P<type>[A-Z0]{1,2}) $")
_OF_TYPE = re.compile(r"(?:positive|negative|plus|minus)\b", _FLAGS)
_FROM_TO = re.compile(
    r"\bfrom (?P<old>[^.;,]{1,40}(?:,\d{3})?[^.;,]{0,10}?) to (?P<new>[^.;]{1,40})"
)

_OPPOSITE_VERBS = tuple(tuple(map(stem, pair)) for pair in phrases("changes", "opposite_verbs"))
_UNTIL = frozenset(map(stem, ("until", "till")))


def is_about_opposite(question: str, sentence: str) -> bool:
    """The closing time does not answer when it opens, unless the sentence has "until"."""
    question_stems, sentence_stems = (
        frozenset(word.stem for word in words(text)) for text in (question, sentence)
    )
    if sentence_stems & _UNTIL:
        return False
    return any(
        verb in question_stems and opposite in sentence_stems and verb not in sentence_stems
        for pair in _OPPOSITE_VERBS
        for verb, opposite in (pair, pair[::-1])
    )


def asks_for_total(question: str) -> bool:
    """Whether the question asks for a sum or a remainder."""
    return bool(total_word(question))


def total_word(question: str) -> str:
    """The word of the question that asks for a sum or a remainder."""
    if match := _TOTAL.search(question):
        return match[0].lower()
    asks_remaining = _ASKS_REMAINING.search(question) or (
        _HOW_MUCH.search(question) and _REMAINING.search(question)
    )
    return "left" if asks_remaining else ""


def content_stems(text: str) -> frozenset[str]:
    """The stems of the content words; a sum of bare numbers has none."""
    return frozenset(item for item in significant_stems(text) if any(map(str.isalpha, item)))


def significant_stems(text: str) -> frozenset[str]:
    """The stems of all words that are not stop words or possessive endings."""
    ignored = STOP_WORDS | {"'s"}
    return frozenset(word.stem for word in words(text) if word.low not in ignored)


def whole_secret(question: str, text: str, span: SentenceSpan) -> SentenceSpan:
    """The place with the signs that a password may have, if the question asks for one:
    "Blue!Kettle9"."""
    if not _ASKS_SECRET.search(question):
        return span
    start, end = span
    while start > 0 and _IN_SECRET.match(text, start - 1):
        start -= 1
    while end < len(text) and _IN_SECRET.match(text, end):
        end += 1
    token = text[start:end]
    start += len(token) - len(token.lstrip(_AROUND_SECRET))
    end -= len(token) - len(token.rstrip(_AROUND_SECRET))
    return SentenceSpan(min(start, span.start), max(end, span.end))


def complete_place(text: str, start: int, end: int) -> SentenceSpan:
    """The place extended to complete words, numbers and addresses, within one sentence."""
    while start > 0 and _joins(text, start - 1, start):
        start -= 1
    if _OF_TYPE.match(text, start) and (before := _TYPE_BEFORE.search(text, 0, start)):
        start = before.start("type")
    while end < len(text) and _joins(text, end, end - 1):
        end += 1
    inside = [
        SentenceSpan(a, b) for a, b in sentence_spans(text, SENTENCE_CHARS) if a < end and start < b
    ]
    if len(inside) > 1 and inside[0].end > start:
        end = min(end, inside[0].end)
    while end > start and text[end - 1] in " .,;:":
        end -= 1
    return _balanced(text, SentenceSpan(start, end))


def _joins(text: str, position: int, neighbour: int) -> bool:
    """Whether a character belongs to the same token as its neighbour."""
    char, other = text[position], text[neighbour]
    # Scripts without spaces between words have no tokens to complete.
    if not _INSIDE_TOKEN.match(char) or UNSPACED_CHAR.match(char) or other.isspace():
        return False
    beyond = position + (position - neighbour)
    following = text[beyond] if 0 <= beyond < len(text) else " "
    if char in _SIGNS and position < neighbour:
        return other.isdigit()
    return char.isalnum() or char == "@" or (char in _INNER_PUNCTUATION and following.isalnum())


def _balanced(text: str, span: SentenceSpan) -> SentenceSpan:
    """The span without an opening bracket that is not closed."""
    part = text[span.start : span.end]
    opened = part.rfind("(")
    if opened > 0 and ")" not in part[opened:]:
        return SentenceSpan(span.start, span.start + len(part[:opened].rstrip()))
    return span


def changed_value(text: str, span: SentenceSpan, *, now: bool) -> SentenceSpan:
    """The new value of "from Ghent to Leuven" with `now`, otherwise the old one."""
    for match in _FROM_TO.finditer(text):
        covers = span.start <= match.end("old") and match.start("new") <= span.end
        if covers and span.end > match.start("new"):
            if not now:
                return SentenceSpan(max(span.start, match.start("old")), match.end("old"))
            return SentenceSpan(match.start("new"), max(span.end, match.start("new") + 1))
    return span


def contains_all_words(question_noun: str, sentence: str) -> bool:
    """Whether a sentence has every content word and number of the noun phrase."""
    noun_stems = content_stems(question_noun)
    numbers = set(_NUMBER.findall(question_noun))
    sentence_stems = frozenset(word.stem for word in words(sentence))
    return (
        bool(noun_stems)
        and noun_stems <= sentence_stems
        and numbers <= set(_NUMBER.findall(sentence))
    )


MIN_SHARED_STEMS = 0.6
_CHANGES = re.compile(
    r"\b(?:postponed|moved|rescheduled|delayed|changed|switched|brought forward|cancelled|now"
    r"|instead|no longer|new|went up|went down|raised|lowered)\b",
    _FLAGS,
)


def announces_change(question: str, sentence: str) -> bool:
    """Whether a sentence describes a change of what is asked about."""
    question_stems = content_stems(_CHANGES.sub(" ", question))
    sentence_stems = frozenset(word.stem for word in words(sentence))
    shared = len(question_stems & sentence_stems) / len(question_stems) if question_stems else 0.0
    return shared >= MIN_SHARED_STEMS and describes_change(sentence)


def describes_change(sentence: str) -> bool:
    return _CHANGES.search(sentence) is not None
