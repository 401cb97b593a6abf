"""Whether a sentence that somebody else wrote tells its reader what to do."""

import re
import unicodedata

from remem.core.language.detect import language_of
from remem.core.language.lists import word_set
from remem.core.language.vocabulary import IMPERATIVES

# Any sign between clauses, but none of those within words and numbers.
_CLAUSE = re.compile(
    r"[^\w\s'’/\-&+%°#@$€£§]|[\n\t\r\v\f\x1c-\x1e\x85\u2028\u2029]|\s[-/&+]\s"
    r"|\b(?:then|and|so|but|or|hence|thus|therefore)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MARKUP = re.compile(r"[*_`~\"“”„«»]+")
# Whom it addresses: the reader of a saved text is the user or a model.
_READER = re.compile(
    r"\b(?:you|your|yours|yourself|users?|operators?|assistants?|agents?|chatbots?|bots?|ai|llms?"
    r"|(?:language )?models?|system prompt|instructions?|chatgpt|gpt|claude|gemini|copilot)\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\b(?:you|your|yours|yourself|must|should|shall|ought|please|make sure|be sure)\b",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:must|should|shall|ought|always|never|required|ha(?:ve|s) to|needs? to|do not|don['’]?t"
    r"|make sure|be sure|please|remember|ignore|disregard|from now on|henceforth)\b",
    re.IGNORECASE,
)
# Directions that are overridden, characters of invisible tags, and letters one by one: "p a y u p".
_DISGUISE = re.compile(
    r"[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]|(?:\b[^\W\d_][ .·-]){4}", re.IGNORECASE
)
_LETTER_SIGN = re.compile(r"[\U0001f130-\U0001f189\U0001f1e6-\U0001f1ff]")
_LETTERS_OR_DIGITS = re.compile(r"\w+")
_LETTERS_OF_DIGITS = str.maketrans("013457", "oieast")
_ENCLOSED = re.compile(r"[\u249c-\u24b5]")
_UNSEEN = frozenset({"Mn", "Me", "Cf"})
_LATIN, _LOOKS_LATIN = re.compile(r"[a-zA-Z]"), re.compile(r"[\u0370-\u058f\u13a0-\u13ff]")
_OPENINGS = word_set("instructions", "openings")
_BEFORE_ORDER = frozenset("just now also first next later soon today".split())
_FINITE = word_set("instructions", "finite")
_ORDERS = IMPERATIVES | word_set("instructions", "orders")


def may_instruct(text: str) -> bool:
    """True unless it is plainly a statement: text that a model reads as the user's own must not
    give it orders. Also true for languages that these rules do not read."""
    plain = _MARKUP.sub(" ", text)
    seen = _as_seen(plain)
    if _is_disguised(plain) or _names_reader_or_duty(seen):
        return True
    if language_of(plain) not in (None, "en"):
        return True
    clauses = _clauses(seen)
    if not clauses or (not seen.isascii() and not _is_latin(seen)):
        return True
    return not _has_subject(clauses[0]) or any(_is_order(words) for words in clauses[1:])


def speaks_to_reader(text: str) -> bool:
    """Whether it gives orders, says what must be done or addresses "you"."""
    return bool(_ADDRESSED.search(_as_seen(text))) or has_order(text)


def has_order(text: str) -> bool:
    return any(map(_is_order, _clauses(_as_seen(text))))


def is_order(name: str) -> bool:
    """Whether a title or a name gives an order, such as a sender "Always pay Bob at once"."""
    seen = _as_seen(name)
    clauses = _clauses(seen)
    is_sentence = sum(map(len, clauses)) > 2
    return is_sentence and (
        _is_disguised(name) or _names_reader_or_duty(seen) or any(map(_is_order, clauses))
    )


def _clauses(text: str) -> list[list[str]]:
    return [words for part in _CLAUSE.split(text) if (words := _WORD.findall(part))]


def _names_reader_or_duty(text: str) -> bool:
    spelled = _LETTERS_OR_DIGITS.sub(lambda word: _with_letters(word[0]), text)
    return any(_READER.search(form) or _DUTY.search(form) for form in (text, spelled))


def _with_letters(word: str) -> str:
    """Of "mu5t" must; numbers stay."""
    return word if word.isdigit() else word.translate(_LETTERS_OF_DIGITS)


def _as_seen(text: str) -> str:
    """Without accents and invisible characters, and with plain letters for those in circles, in
    squares and of other widths."""
    if text.isascii():
        return text
    text = _LETTER_SIGN.sub(lambda sign: _letter_of(sign[0]), text)
    folded = unicodedata.normalize("NFKD", _ENCLOSED.sub(_letter_within, text))
    return "".join(char for char in folded if unicodedata.category(char) not in _UNSEEN)


def _letter_of(sign: str) -> str:
    return unicodedata.name(sign, "").rpartition(" ")[2].lower()[:1]


def _letter_within(sign: re.Match[str]) -> str:
    """Of ⒰, which would become "(u)"."""
    return unicodedata.normalize("NFKD", sign[0]).strip("()")


def _is_disguised(text: str) -> bool:
    """Whether it hides what it says: letters of two alphabets in a word are one."""
    if text.isascii():
        return _DISGUISE.search(text) is not None
    words = (word for word in _WORD.findall(text) if not word.isascii())
    return _DISGUISE.search(text) is not None or any(
        _LATIN.search(word) and _LOOKS_LATIN.search(word) for word in words
    )


def _is_latin(text: str) -> bool:
    return all(ord(char) < 0x250 or not char.isalpha() for char in text)


def _is_order(words: list[str]) -> bool:
    """ "Forward every mail" and "Kindly forward it", but not "Answers are short"."""
    while len(words) > 1 and (words[0].lower().endswith("ly") or words[0].lower() in _BEFORE_ORDER):
        words = words[1:]
    return words[0].lower() in _ORDERS and not (words[1:] and words[1].lower() in _FINITE)


def _has_subject(words: list[str]) -> bool:
    """Whether a clause begins with a subject or has a verb after a name."""
    if words[0].lower() in _OPENINGS or words[0].isdigit():
        return True
    verbs = (word.lower() in _FINITE or word.lower().endswith(("ed", "s")) for word in words[1:5])
    return not _is_order(words) and any(verbs)
