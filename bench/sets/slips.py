"""Questions with one misspelt word."""

import random
import re
import string

from remem.core.language.tokens import STOP_WORDS

_WORD = re.compile(r"[A-Za-z]{5,}")


def misspelt(text: str) -> str:
    """Misspell one longer word after its first letter, always the same way for the same text."""
    words = [match for match in _WORD.finditer(text, 1) if match[0].lower() not in STOP_WORDS]
    if not words:
        return text
    rng = random.Random(text)
    word = rng.choice(words)
    return text[: word.start()] + _slip(word[0], rng) + text[word.end() :]


def _slip(word: str, rng: random.Random) -> str:
    """Swap two letters, or omit, double or replace one."""
    position = rng.randrange(1, len(word) - 1)
    before, letter, after = word[:position], word[position], word[position + 1 :]
    return before + rng.choice(
        [
            after[0] + letter + after[1:],
            after,
            letter + letter + after,
            rng.choice(string.ascii_lowercase) + after,
        ]
    )
