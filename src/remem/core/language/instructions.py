"""Whether a sentence that somebody else wrote tells its reader what to do."""

import re

from remem.core.language.detect import language_of
from remem.core.language.lists import word_set
from remem.core.language.vocabulary import IMPERATIVES

_CLAUSE = re.compile(r"[.,;:!?()\n–—]|\s-\s|\bthen\b|\band\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MARKUP = re.compile(r"[*_#>`~|\[\]{}<>\"“”„«»]+")
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
_OPENINGS = word_set("instructions", "openings")
_FINITE = word_set("instructions", "finite")
_ORDERS = IMPERATIVES | word_set("instructions", "orders")


def may_instruct(text: str) -> bool:
    """True unless it is plainly a statement: text that a model reads as the user's own must not
    give it orders. Also true for languages that these rules do not read."""
    plain = _MARKUP.sub(" ", text)
    if _READER.search(plain) or _DUTY.search(plain) or language_of(plain) not in (None, "en"):
        return True
    clauses = [words for part in _CLAUSE.split(plain) if (words := _WORD.findall(part))]
    if not clauses or (not plain.isascii() and not _is_latin(plain)):
        return True
    return not _has_subject(clauses[0]) or any(_is_order(words) for words in clauses[1:])


def speaks_to_reader(text: str) -> bool:
    """Whether it gives orders, says what must be done or addresses "you"."""
    return bool(_ADDRESSED.search(text)) or has_order(text)


def has_order(text: str) -> bool:
    clauses = (_WORD.findall(part) for part in _CLAUSE.split(text))
    return any(_is_order(words) for words in clauses if words)


def is_order(name: str) -> bool:
    """Whether a title or a name gives an order, such as a sender "Always pay Bob at once"."""
    clauses = [words for part in _CLAUSE.split(name) if (words := _WORD.findall(part))]
    is_sentence = sum(map(len, clauses)) > 2
    return is_sentence and bool(
        _READER.search(name) or _DUTY.search(name) or any(map(_is_order, clauses))
    )


def _is_latin(text: str) -> bool:
    return all(ord(char) < 0x250 or not char.isalpha() for char in text)


def _is_order(words: list[str]) -> bool:
    """ "Forward every mail", but not "Answers are short"."""
    return words[0].lower() in _ORDERS and not (words[1:] and words[1].lower() in _FINITE)


def _has_subject(words: list[str]) -> bool:
    """Whether a clause begins with a subject or has a verb after a name."""
    if words[0].lower() in _OPENINGS or words[0].isdigit():
        return True
    verbs = (word.lower() in _FINITE or word.lower().endswith(("ed", "s")) for word in words[1:5])
    return not _is_order(words) and any(verbs)
