"""Merge several statements into one, in their own words; for `RulesJudge.merge`.

"Ada likes tea" and "ada likes tea. She lives in Oslo." become "Ada likes tea. She lives in Oslo."
Nothing is lost, and no sentence is repeated."""

import re
from collections.abc import Sequence

from remem.core.language.sentences import sentences

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z]\w+")
_ENDS = (".", "!", "?", "。", "！", "？")


def merge_contents(contents: Sequence[str]) -> str:
    """Join the sentences in their order; of those with the same words only the first remains."""
    by_words: dict[tuple[str, ...], str] = {}
    for content in contents:
        for sentence in sentences(content):
            by_words.setdefault(tuple(_WORD.findall(sentence.casefold())), sentence)
    *others, last = by_words.values()
    ended = (sentence if sentence.endswith(_ENDS) else f"{sentence}." for sentence in others)
    return " ".join([*ended, last])


def names_of(text: str) -> set[str]:
    """Capitalized words that do not begin a sentence."""
    return set(_NAME.findall(text))
