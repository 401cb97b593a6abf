"""A text as statements, a statement as words: contractions opened, cases and endings folded."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from remem.core.language.lists import phrases, table, word_list, word_set
from remem.core.language.sentences import sentences
from remem.core.language.stems import stem_of

_KNOWN_LENGTH = 40
_EDGE = ' \t"“”„«»()[]{}<>*_`,;:!?.…–—'
_BREAKS = (",", ";", ":", "–", "—", "…")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_OPENED: dict[str, str] = table("forms")["contractions"]
_ENDINGS: dict[str, str] = table("forms")["endings"]
# Spelling that differs by country only.
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
# Of verbs: "children" tells of no past.
IRREGULAR_FORMS = frozenset(_IRREGULAR_VERBS)


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    low: str
    stem: str
    named: bool
    """Written as a name is: with a capital that is not just the sentence's first."""
    breaks: bool = False
    """A comma or the like follows."""


def statements(text: str) -> list[str]:
    """The sentences and the lines of a list, each by itself."""
    lines = (" ".join(_BULLET.sub("", line).split()) for line in text.splitlines())
    return [sentence for line in lines for sentence in sentences(line)]


def opens_title(found: Sequence[Word], verbs: frozenset[str]) -> bool:
    """ "No Country for Old Men was …": what stands before the verb is written as a name."""
    upto = next((at for at, word in enumerate(found) if word.low in verbs and not word.named), 0)
    between = found[1:upto]
    written = all(word.named or word.low in _TITLE_WORDS for word in between)
    return written and any(word.named for word in between)


_TITLE_WORDS = frozenset("the a an and or of in on at to for from by with as".split())


def words(statement: str) -> tuple[Word, ...]:
    text = unicodedata.normalize("NFKC", statement).replace("’", "'").replace("‘", "'")
    found: list[Word] = []
    for piece in text.split():
        bare = piece.strip(_EDGE)
        if not bare:
            continue
        parts = _open(bare)
        last = len(parts) - 1
        for at, part in enumerate(parts):
            breaks = at == last and piece.endswith(_BREAKS)
            found.append(_read_word(part, len(found) == 0, breaks))
    return tuple(found)


def _open(piece: str) -> list[str]:
    """Contractions in full, and the possessive as a word of its own."""
    low = piece.casefold()
    if low in _OPENED:
        return _OPENED[low].split()
    for ending, full in _ENDINGS.items():
        if low.endswith(ending) and len(piece) > len(ending):
            return [piece[: -len(ending)], full]
    if low.endswith("'s") and len(piece) > 2:
        return [piece[:-2], "'s"]
    if low.endswith("s'") and len(piece) > 2:
        return [piece[:-1], "'s"]
    return [piece]


def _read_word(text: str, first: bool, breaks: bool) -> Word:
    if len(text) <= _KNOWN_LENGTH:
        return _word(text, first, breaks)
    # An address or the like: as it stands, and not worth remembering.
    return Word(text, text.casefold(), text.casefold(), named=False, breaks=breaks)


@lru_cache(maxsize=16_384)
def _word(text: str, first: bool, breaks: bool) -> Word:
    low = text.casefold()
    capital = any(char.isupper() for char in text)
    named = capital and text != "I" and not (first and (text == "A" or _is_plain(text)))
    return Word(text, low, stem(low), named, breaks)


def _is_plain(text: str) -> bool:
    """A first word whose capital may be the sentence's own."""
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
