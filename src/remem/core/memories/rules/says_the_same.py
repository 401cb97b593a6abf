"""Whether a statement that repeats another really says the same; pure.

What is taken for a repetition is not kept, so that its own words would be lost."""

import re
from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.parse import content as terms_of
from remem.core.language.lists import word_set
from remem.core.language.words import Word, words

_SIGNS = re.compile(r"[<>=*+€$£¥%#&|~^\\/]|!(?=\w)|-(?=\d)|\d[.,]\d")
_WEAKENS = word_set("changes", "weakens")


def says_the_same(new: str, old: str) -> bool:
    mine, theirs = words(new), words(old)
    return (
        Counter(_SIGNS.findall(new)) == Counter(_SIGNS.findall(old))
        and not _is_written_otherwise(mine, theirs)
        and _weakened(mine) == _weakened(theirs)
        and not _is_turned_round(mine, theirs)
    )


def _is_written_otherwise(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "Tulip92" is not "tulip92", nor "US" "us"; how a sentence begins says nothing."""
    mine, theirs = ({word.text for word in found} for found in (new, old))
    lows = {one.casefold() for one in mine} & {one.casefold() for one in theirs}
    coded = ({one for one in found if _is_coded(one)} for found in (mine, theirs))
    return any(one.casefold() in lows for one in set.symmetric_difference(*coded))


def _is_coded(word: str) -> bool:
    has_digit = any(map(str.isdigit, word))
    return any(map(str.isupper, word[1:])) or (has_digit and any(map(str.isalpha, word)))


def _weakened(found: Sequence[Word]) -> frozenset[str]:
    """ "The deputy mayor" is not the mayor, and who failed to buy has not bought."""
    return frozenset(word.low for word in found if word.low in _WEAKENS)


def _is_turned_round(new: Sequence[Word], old: Sequence[Word]) -> bool:
    """ "The dog bit the man": the same words in another order."""
    mine, theirs = terms_of(list(new)), terms_of(list(old))
    return list(mine) != list(theirs) and Counter(mine) == Counter(theirs)
