"""Check whether a place is the requested kind of thing, and complete it; pure."""

import re

from remem.core.answers.in_other_languages import is_no_time_or_place
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.claims.verbs import ADVERBS
from remem.core.language.lists import phrases
from remem.core.language.numbers import CARDINALS
from remem.core.language.times.calendar import MONTHS, WEEKDAYS
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import stem, words
from remem.core.search.excerpt import sentence_spans

_FLAGS = re.IGNORECASE | re.ASCII
_ASKS_FIGURE = re.compile(
    r"^\W*(?:and |so )?(?:how (?:much|many|old|tall|far|fast|long|heavy|big|high|deep|wide|often)\b"
    r"|what(?:['’]s| is| was| are| were)? .*\b(?:number|phone|pin|pin code|price|cost|amount"
    r"|salary|weight|height|age|distance|temperature|budget"
    r"|(?:race|marathon|km|mile|lap|finish|best) time)\W*$)",
    _FLAGS,
)
_ASKS_LENGTH = re.compile(r"^\W*(?:and |so )?how (?:long|often|far|big|much)\b", _FLAGS)
_ASKS_PRICE = re.compile(r"\b(?:costs?|price|priced|pay|paid|fee|rent|salary|wages?)\b", _FLAGS)
_MEASURED = re.compile(
    r"\d\s?(?:[kmµ]?g|[mcd]?l|[mck]?m|lit(?:er|re)s?|grams?|kilos?|met(?:er|re)s?|miles?|inch(?:es)?"
    r"|feet|ft|[kmgt]b|°[cf]?|pages?|bags?|pieces?|people|persons?)(?!\w)",
    _FLAGS,
)
_PER_MEASURE = re.compile(r"\d\D*\b(?:a|per)\b|/", _FLAGS)
_ASKS_PHONE = re.compile(r"\b(?:(?:tele)?phone|mobile) number\b", _FLAGS)
_ASKS_SECRET = re.compile(r"\b(?:code|pin|password|passcode|combination)\b", _FLAGS)
MONEY = r"(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|crowns?|kr|cents?|€|\$|£)"
HAS_MONEY = re.compile(rf"[€$£]|\d\s?{MONEY}(?!\w)", re.IGNORECASE)
PHONE_DIGITS, SECRET_CHARS = 5, 3
_IN_SECRET, _AROUND_SECRET = re.compile(r"[A-Za-z0-9!?&^*|\\<>%$#@+_/~.-]"), ".!?*_~"
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_CARDINAL = re.compile(rf"\b(?:{'|'.join(CARDINALS)}|none|free|hundred|thousand)\b", _FLAGS)
_MEASURE = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|yearly|once|twice|half|dozens?|hundreds?|minutes?|hours?"
    r"|days?|weeks?|months?|years?|decades?|always|never|often|rarely|lots?|forever)\b",
    _FLAGS,
)
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
_OPENING = frozenset(map(stem, ("open", "close", "shut")))
# These may be beside the times when something is open.
_OF_HOURS = (
    frozenset(map(stem, "hour time day business am pm noon midnight daily weekday weekend".split()))
    | frozenset(map(stem, (*MONTHS, *WEEKDAYS)))
    | frozenset(map(stem, ADVERBS))
)


def fits(question: str, text: str, sentence: str) -> bool:
    """Whether the text has the kind of value that the question asks for; false if it asks about
    nothing."""
    if not content_stems(question):
        return False
    total_word = _total_word(question)
    if total_word and total_word not in sentence.lower():
        return False
    if _is_another_figure(question, text, sentence):
        return False
    if is_no_time_or_place(question, text, sentence):
        return False
    if not _ASKS_FIGURE.search(question) or _DIGIT.search(text) or _CARDINAL.search(text):
        return True
    return bool(_ASKS_LENGTH.search(question) and _MEASURE.search(text))


def _is_another_figure(question: str, text: str, sentence: str) -> bool:
    """A weight is not a price, a price is not a code, and a short number is not a phone number."""
    digits = len(_DIGIT.findall(text))
    if _ASKS_PHONE.search(question) and 0 < digits < PHONE_DIGITS:
        return True
    if _ASKS_SECRET.search(question) and not _ASKS_SECRET.search(sentence):
        return len(text) < SECRET_CHARS or HAS_MONEY.search(text) is not None
    is_measure = _MEASURED.search(text) is not None and _PER_MEASURE.search(text) is None
    return is_measure and digits > 0 and _ASKS_PRICE.search(question) is not None


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


def is_of_other_use(question: str, sentence: str) -> bool:
    """The time of a lesson in a room is not when the room closes. A sentence that does not say
    "open" or "closed" answers only if it names nothing but the thing and its hours."""
    question_stems, sentence_stems = map(content_stems, (question, sentence))
    if not question_stems & _OPENING or sentence_stems & (_OPENING | _UNTIL):
        return False
    others = sentence_stems - question_stems - _OF_HOURS
    return any(word.isalpha() for word in others)


def asks_for_total(question: str) -> bool:
    """Whether the question asks for a sum or a remainder."""
    return bool(_total_word(question))


def _total_word(question: str) -> str:
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
    if not _INSIDE_TOKEN.match(char) or other.isspace():
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
