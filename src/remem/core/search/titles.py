"""Recognize the title of a document in a text; pure."""

import re
from collections.abc import Sequence
from functools import lru_cache

from remem.core.language.everyday import everyday_share
from remem.core.language.tokens import STOP_WORDS, terms
from remem.core.search.policy import POLICY

_WORD = re.compile(r"\w+")


@lru_cache(maxsize=16_384)
def phrase_of(title: str) -> str:
    """The words of a title in the format of `words_in`; "" if they are no distinctive name."""
    words = _WORD.findall(_without_parenthesis(title))
    if not _is_name(words) or (len(words) == 1 and _is_common_word(words[0])):
        return ""
    return f" {' '.join(words).casefold()} " if words else ""


def _without_parenthesis(title: str) -> str:
    """Without the "(song)" of "Teardrops (song)", which no text repeats."""
    stripped = title.rstrip()
    before, opening, inner = stripped.removesuffix(")").rpartition("(")
    return before if opening and stripped.endswith(")") and ")" not in inner else title


def words_in(text: str) -> str:
    return f" {' '.join(_WORD.findall(text[: POLICY.naming_chars])).casefold()} "


def _is_name(words: Sequence[str]) -> bool:
    """Capitals distinguish a name from the first sentence of a note that became its title."""
    significant = [word for word in words if word.lower() not in STOP_WORDS]
    return len(words) <= POLICY.title_words and 2 * sum(map(str.islower, significant)) <= len(
        significant
    )


def _is_common_word(word: str) -> bool:
    frequency = max((everyday_share(term) for term in terms(word)), default=0.0)
    return (
        len(word) < POLICY.title_word_chars
        or not word[0].isupper()
        or word.isdigit()
        or frequency > 0
    )
