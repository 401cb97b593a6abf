"""Whether a text names a document by its title; pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

from remem.core.language.everyday import everyday_share
from remem.core.language.tokens import STOP_WORDS, terms
from remem.core.search.policy import POLICY

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=16_384)
def phrase_of(title: str) -> str:
    """The words of a title as `words_in` gives them; "" where they could be any words."""
    words = _WORD.findall(_without_aside(title))
    if not _is_name(words) or (len(words) == 1 and _is_any_word(words[0])):
        return ""
    return f" {' '.join(words).casefold()} " if words else ""


def _without_aside(title: str) -> str:
    """Without the "(song)" of "Teardrops (song)", which no text writes."""
    whole = title.rstrip()
    before, opening, aside = whole.removesuffix(")").rpartition("(")
    return before if opening and whole.endswith(")") and ")" not in aside else title


def words_in(text: str) -> str:
    return f" {' '.join(_WORD.findall(text[: POLICY.naming_chars])).casefold()} "


def _is_name(words: Sequence[str]) -> bool:
    """Capitals tell a name from a sentence that a note begins with and is called after."""
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    return len(words) <= POLICY.title_words and 2 * sum(map(str.islower, telling)) <= len(telling)


def _is_any_word(word: str) -> bool:
    common = max((everyday_share(term) for term in terms(word)), default=0.0)
    return (
        len(word) < POLICY.title_word_chars or not word[0].isupper() or word.isdigit() or common > 0
    )
