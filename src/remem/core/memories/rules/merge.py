"""Several statements as one, in their own words: nothing is lost, and nothing said twice."""

import re
from collections.abc import Sequence

from remem.core.language.sentences import sentences

_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z]\w+")
_ENDS = (".", "!", "?", "。", "！", "？")


def merged(contents: Sequence[str]) -> str:
    """Sentence by sentence, in their order; of those with the same words the first."""
    kept: dict[tuple[str, ...], str] = {}
    for content in contents:
        for sentence in sentences(content):
            kept.setdefault(tuple(_WORD.findall(sentence.casefold())), sentence)
    *before, last = kept.values()
    ended = (one if one.endswith(_ENDS) else f"{one}." for one in before)
    return " ".join([*ended, last])


def names_of(text: str) -> set[str]:
    """Words with a capital that no sentence asks for."""
    return set(_NAME.findall(text))
