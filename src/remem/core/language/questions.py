"""How much of a text asks."""

import re

from remem.core.language.sentences import sentences

_ASKS = re.compile(r"[?？؟][\"'”’»)\]*_]{0,3}$")


def question_share(text: str) -> float:
    """How many of its sentences are questions, from 0 to 1."""
    found = sentences(text)
    asked = sum(_asks(sentence) for sentence in found)
    return asked / max(1, len(found))


def _asks(sentence: str) -> bool:
    return _ASKS.search(sentence) is not None and any(map(str.isalnum, sentence))
