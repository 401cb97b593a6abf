"""Whether the form of a text rules out that it updates another one; for `change.py`.

Code and configuration, different labels in brackets, and quotations update nothing:
"timeout = 30" may be in many files."""

import re

from remem.core.language.claims.news import has_phrase
from remem.core.language.lists import phrases
from remem.core.language.stopwords import STOP_WORDS
from remem.core.language.words import Word, words

_CODE = re.compile(r"[={}#]|://|->|\w\(|^\d{1,3}(?:\.\d{1,3}){3}\b")
_LABEL = re.compile(r"\(([^()]{1,80})\)")
_QUOTED = re.compile(r"^\s*(?:[\"“„«<>]|(?:spam|fwd?|forwarded(?: message)?)\s*:)", re.IGNORECASE)
_ENGLISH = frozenset(STOP_WORDS["en"])
_QUOTE_PHRASES = phrases("changes", "of_others")


def form_rules_out_update(new: str, old: str) -> bool:
    return (
        _are_code(new, old)
        or _have_different_labels(new, old)
        or _is_quotation(new)
        or _share_only_names(new, old)
    )


def _share_only_names(new: str, old: str) -> bool:
    """Whether a text without an English function word has only names in common with the other: it
    may be a few words of another language, such as "Usar TypeScript mañana"."""
    new_words, old_words = words(new), words(old)
    if all(any(word.low in _ENGLISH for word in line) for line in (new_words, old_words)):
        return False
    old_stems = {word.stem for word in old_words}
    own = [word for word in new_words if word.low not in _ENGLISH]
    shared = [word for word in own if word.stem in old_stems]
    has_others = any(word.text[0].islower() for word in own)
    return has_others and bool(shared) and all(map(_is_name, shared))


def _is_name(word: Word) -> bool:
    return word.named and word.text[0].isupper()


def _are_code(new: str, old: str) -> bool:
    """ "timeout = 30" may be in any number of files."""
    return _CODE.search(new) is not None and _CODE.search(old) is not None


def _have_different_labels(new: str, old: str) -> bool:
    """ "John Smith (legal)" is not "John Smith (sales)"."""
    new_labels, old_labels = (set(map(str.casefold, _LABEL.findall(text))) for text in (new, old))
    return bool(new_labels and old_labels) and not new_labels & old_labels


def _is_quotation(new: str) -> bool:
    """Whether a mail, a film or another person says it."""
    return _QUOTED.match(new) is not None or has_phrase(words(new), _QUOTE_PHRASES)
