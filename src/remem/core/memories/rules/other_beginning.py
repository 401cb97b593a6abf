"""Whether two texts of any language differ at their beginning, where the subject is."""

import re
import unicodedata

from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.tokens import has_unspaced

_WORD = re.compile(r"[^\W_]+")
_CHARACTER = re.compile(r"\d+|[A-Za-z]+|[^\W\d_]")


def begin_differently(new: str, old: str) -> bool:
    """Whether two texts of any language differ where the subject is, and not only in the value at
    their end: "小明住在北京" and "小红住在上海", "Tor 1: 4711" and "Tor 2: 6620"."""
    new_tokens, old_tokens = _tokens(new), _tokens(old)
    if not new_tokens or not old_tokens:
        return False
    old_rest, new_rest = _without_same_beginning(old_tokens, new_tokens)
    at = len(old_tokens) - len(old_rest)
    has_same_end = old_tokens[-1].casefold() == new_tokens[-1].casefold()
    if not old_rest or not new_rest:
        return False
    old_folded, new_folded = ([token.casefold() for token in rest] for rest in (old_rest, new_rest))
    # What comes again later was only moved, by a word such as "now".
    if old_folded[0] in new_folded or new_folded[0] in old_folded:
        return False
    if {old_folded[0], new_folded[0]} & ALL_STOP_WORDS:
        return False
    differ_twice = bool(set(old_folded[1:]) & set(new_folded[1:]))
    first = (old_rest[0], new_rest[0])
    are_named = all(map(_is_named, first))
    are_things = all(_is_named(token) or _has_digit(token) for token in first)
    if differ_twice and not has_same_end and are_things:
        return True
    return (differ_twice or has_same_end) and (at == 0 or (at == 1 and are_named))


def _without_same_beginning(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    at = 0
    while at < min(len(first), len(second)) and first[at].casefold() == second[at].casefold():
        at += 1
    return first[at:], second[at:]


def _tokens(text: str) -> list[str]:
    """The words; in a script without spaces, the characters."""
    return (_CHARACTER if has_unspaced(text) else _WORD).findall(
        unicodedata.normalize("NFKC", text)
    )


def _has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


def _is_named(token: str) -> bool:
    """Whether it begins with a capital, or has a script without capitals."""
    return token[0].isalpha() and (token[0].isupper() or token[0].upper() == token[0].lower())
