"""Split a text into statements, and a statement into words.

Contractions are expanded, case and endings are folded."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from remem.core.language.lists import phrases, table, word_list, word_set
from remem.core.language.sentences import sentences
from remem.core.language.stems import stem_of

_MAX_CACHED_CHARS = 40
_EDGE_CHARS = ' \t"“”„«»()[]{}<>*_`,;:!?.…–—'
_BREAKS = (",", ";", ":", "–", "—", "…")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_CONTRACTIONS: dict[str, str] = table("forms")["contractions"]
_ENDINGS: dict[str, str] = table("forms")["endings"]
# Spelling that differs only between British and American English.
_SPELLING = (
    (re.compile(r"our(?=s|$|it|ing|ed|hood)"), "or"),
    (re.compile(r"is(?=e$|ed$|es$|ing$|ation$)"), "iz"),
    (re.compile(r"(?<=[bt])re(?=s?$)"), "er"),
)
_SPELLED_ALIKE = word_set("forms", "spelled_alike")
_IRREGULAR_VERBS = {form: base for base, *forms in phrases("forms", "irregular") for form in forms}
_IRREGULAR = _IRREGULAR_VERBS | {
    form: base for base, *forms in phrases("forms", "irregular_nouns") for form in forms
}
# Verbs only: "children" says nothing about the past.
IRREGULAR_FORMS = frozenset(_IRREGULAR_VERBS)


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    low: str
    stem: str
    named: bool
    """Written like a name: with a capital that is not only the first letter of the sentence."""
    breaks: bool = False
    """A comma or the like follows."""


def statements(text: str) -> list[str]:
    """The sentences of a text; each line of a list is a statement of its own."""
    lines = (" ".join(_BULLET.sub("", line).split()) for line in text.splitlines())
    return [sentence for line in lines for sentence in sentences(line)]


def starts_with_title(statement_words: Sequence[Word], verbs: frozenset[str]) -> bool:
    """Whether the words before the verb form a title: "No Country for Old Men was …"."""
    verb_index = next(
        (
            index
            for index, word in enumerate(statement_words)
            if word.low in verbs and not word.named
        ),
        0,
    )
    before_verb = statement_words[1:verb_index]
    is_title = all(word.named or word.low in _TITLE_WORDS for word in before_verb)
    return is_title and any(word.named for word in before_verb)


_TITLE_WORDS = frozenset("the a an and or of in on at to for from by with as".split())


def words(statement: str) -> tuple[Word, ...]:
    text = unicodedata.normalize("NFKC", statement).replace("’", "'").replace("‘", "'")
    result: list[Word] = []
    for piece in text.split():
        stripped = piece.strip(_EDGE_CHARS)
        if not stripped:
            continue
        parts = _expand_contraction(stripped)
        last = len(parts) - 1
        for index, part in enumerate(parts):
            breaks = index == last and piece.endswith(_BREAKS)
            result.append(_read_word(part, len(result) == 0, breaks))
    return tuple(result)


def _expand_contraction(piece: str) -> list[str]:
    """Expand contractions, and split off the possessive as a word of its own."""
    lower = piece.casefold()
    if lower in _CONTRACTIONS:
        return _CONTRACTIONS[lower].split()
    for ending, full in _ENDINGS.items():
        if lower.endswith(ending) and len(piece) > len(ending):
            return [piece[: -len(ending)], full]
    if lower.endswith("'s") and len(piece) > 2:
        return [piece[:-2], "'s"]
    if lower.endswith("s'") and len(piece) > 2:
        return [piece[:-1], "'s"]
    return [piece]


def _read_word(text: str, first: bool, breaks: bool) -> Word:
    if len(text) <= _MAX_CACHED_CHARS:
        return _word(text, first, breaks)
    # An address or the like: not stemmed and not cached.
    return Word(text, text.casefold(), text.casefold(), named=False, breaks=breaks)


@lru_cache(maxsize=16_384)
def _word(text: str, first: bool, breaks: bool) -> Word:
    low = text.casefold()
    capital = any(char.isupper() for char in text)
    named = capital and text != "I" and not (first and (text == "A" or _is_plain(text)))
    return Word(text, low, stem(low), named, breaks)


def _is_plain(text: str) -> bool:
    """Whether a first word may be capitalised only because it begins the sentence."""
    return text[0].isupper() and text[1:].islower()


@lru_cache(maxsize=65_536)
def stem(low: str) -> str:
    """One form for all endings, tenses and spellings of a word."""
    base = _IRREGULAR.get(low, low)
    if not base.isascii() or not base.isalpha():
        return base
    if base.removesuffix("s") not in _SPELLED_ALIKE:
        for pattern, spelled in _SPELLING:
            base = pattern.sub(spelled, base)
    return stem_of(base)


def stem_set(file: str, name: str) -> frozenset[str]:
    """The stems of a word list."""
    return frozenset(stem(word) for word in word_list(file, name))
