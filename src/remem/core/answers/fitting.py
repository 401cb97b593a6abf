"""Whether a place can be the kind of thing that is asked for, and all of it; pure."""

import re

from remem.core.answers.in_other_languages import is_no_time_or_place
from remem.core.answers.sentences import SENTENCE_CHARS, SentenceSpan
from remem.core.language.lists import phrases
from remem.core.language.numbers import CARDINALS
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
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_CARDINAL = re.compile(rf"\b(?:{'|'.join(CARDINALS)}|none|free|hundred|thousand)\b", _FLAGS)
_MEASURE = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|yearly|once|twice|half|dozens?|hundreds?|minutes?|hours?"
    r"|days?|weeks?|months?|years?|decades?|always|never|often|rarely|lots?|forever)\b",
    _FLAGS,
)
# They ask for a sum or a rest, which a single figure is not.
_RECKONED = re.compile(
    r"\b(?:remaining|in total|total|altogether|overall|combined|on average)\b", _FLAGS
)
_HOW_MUCH = re.compile(r"\bhow (?:much|many|long|far)\b", _FLAGS)
_LEFT = re.compile(r"\bleft\b", _FLAGS)
# Who left, and what is on the left, ask for no rest.
_IS_LEFT = re.compile(r"\b(?:is|are|was|were|what['’]s) left\b(?![ -]hand)|\bleft of\b", _FLAGS)
_INSIDE_TOKEN = re.compile(r"[\w@.,:/~+#%€$£-]")
_CLOSES = frozenset(".,:-/")
_SIGNS = frozenset("+#~€$£")
# A blood type or a grade; an article has a capital only where a sentence begins.
_TYPE_BEFORE = re.compile(r"(?<=[a-z:] )(?P<type>[A-Z0]{1,2}) $")
_OF_TYPE = re.compile(r"(?:positive|negative|plus|minus)\b", _FLAGS)
_FROM_TO = re.compile(
    r"\bfrom (?P<old>[^.;,]{1,40}(?:,\d{3})?[^.;,]{0,10}?) to (?P<new>[^.;]{1,40})"
)


_OPPOSITE_VERBS = tuple(tuple(map(stem, pair)) for pair in phrases("changes", "opposite_verbs"))
_UNTIL = frozenset(map(stem, ("until", "till")))


def fits(question: str, text: str, sentence: str) -> bool:
    """A figure where one is asked for; and a question that asks for something."""
    if not content_stems(question):
        return False
    reckoned = _reckoned(question)
    if reckoned and reckoned not in sentence.lower():
        return False
    if _is_another_figure(question, text, sentence):
        return False
    if is_no_time_or_place(question, text, sentence):
        return False
    if not _ASKS_FIGURE.search(question) or _DIGIT.search(text) or _CARDINAL.search(text):
        return True
    return bool(_ASKS_LENGTH.search(question) and _MEASURE.search(text))


def _is_another_figure(question: str, text: str, sentence: str) -> bool:
    """A weight is no price, a price no code, and a small number no telephone's."""
    digits = len(_DIGIT.findall(text))
    if _ASKS_PHONE.search(question) and 0 < digits < PHONE_DIGITS:
        return True
    if _ASKS_SECRET.search(question) and not _ASKS_SECRET.search(sentence):
        return len(text) < SECRET_CHARS or HAS_MONEY.search(text) is not None
    is_measure = _MEASURED.search(text) is not None and _PER_MEASURE.search(text) is None
    return is_measure and digits > 0 and _ASKS_PRICE.search(question) is not None


def is_of_opposite(question: str, sentence: str) -> bool:
    """When it closes says nothing of when it opens, unless it is closed until then."""
    asked, said = (frozenset(word.stem for word in words(text)) for text in (question, sentence))
    if said & _UNTIL:
        return False
    return any(
        one in asked and other in said and one not in said
        for pair in _OPPOSITE_VERBS
        for one, other in (pair, pair[::-1])
    )


def is_reckoned(question: str) -> bool:
    """Whether it asks for a sum or a rest."""
    return bool(_reckoned(question))


def _reckoned(question: str) -> str:
    """The word that asks for a sum or a rest."""
    if found := _RECKONED.search(question):
        return found[0].lower()
    is_rest = _IS_LEFT.search(question) or (_HOW_MUCH.search(question) and _LEFT.search(question))
    return "left" if is_rest else ""


def content_stems(text: str) -> frozenset[str]:
    """The stems that say what a text is about; sums of bare numbers have none."""
    return frozenset(one for one in telling_stems(text) if any(map(str.isalpha, one)))


def telling_stems(text: str) -> frozenset[str]:
    """The stems of all but the words that every text has; whose something is says no more."""
    dull = STOP_WORDS | {"'s"}
    return frozenset(word.stem for word in words(text) if word.low not in dull)


def whole_place(text: str, start: int, end: int) -> SentenceSpan:
    """A place without half of a word, a number or an address, within one sentence."""
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


def _joins(text: str, at: int, beside: int) -> bool:
    """Whether a character belongs to the token of the one beside it."""
    char, other = text[at], text[beside]
    if not _INSIDE_TOKEN.match(char) or other.isspace():
        return False
    beyond = at + (at - beside)
    following = text[beyond] if 0 <= beyond < len(text) else " "
    if char in _SIGNS and at < beside:
        return other.isdigit()
    return char.isalnum() or char == "@" or (char in _CLOSES and following.isalnum())


def _balanced(text: str, span: SentenceSpan) -> SentenceSpan:
    """Without a bracket that is opened and not closed."""
    part = text[span.start : span.end]
    opened = part.rfind("(")
    if opened > 0 and ")" not in part[opened:]:
        return SentenceSpan(span.start, span.start + len(part[:opened].rstrip()))
    return span


def after_change(text: str, span: SentenceSpan, *, now: bool) -> SentenceSpan:
    """Of "from Ghent to Leuven" what is true now, or what was before."""
    for found in _FROM_TO.finditer(text):
        covers = span.start <= found.end("old") and found.start("new") <= span.end
        if covers and span.end > found.start("new"):
            if not now:
                return SentenceSpan(max(span.start, found.start("old")), found.end("old"))
            return SentenceSpan(found.start("new"), max(span.end, found.start("new") + 1))
    return span


def states(question_noun: str, sentence: str) -> bool:
    """Whether a sentence has every word and number of what is asked for."""
    asked = content_stems(question_noun)
    numbers = set(_NUMBER.findall(question_noun))
    said = frozenset(word.stem for word in words(sentence))
    return bool(asked) and asked <= said and numbers <= set(_NUMBER.findall(sentence))


SAME_MATTER = 0.6
_CHANGES = re.compile(
    r"\b(?:postponed|moved|rescheduled|delayed|changed|switched|brought forward|cancelled|now"
    r"|instead|no longer|new|went up|went down|raised|lowered)\b",
    _FLAGS,
)


def announces_change(question: str, sentence: str) -> bool:
    """Whether a sentence tells of a change of just what is asked about."""
    asked = content_stems(_CHANGES.sub(" ", question))
    said = frozenset(word.stem for word in words(sentence))
    shared = len(asked & said) / len(asked) if asked else 0.0
    return shared >= SAME_MATTER and tells_of_change(sentence)


def tells_of_change(sentence: str) -> bool:
    return _CHANGES.search(sentence) is not None
