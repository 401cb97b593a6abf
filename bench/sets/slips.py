"""Questions as hurried people type them: one word of each misspelt."""

import random
import re
import string

from remem.core.language.tokens import STOP_WORDS

_WORD = re.compile(r"[A-Za-z]{5,}")


def misspelt(text: str) -> str:
    """One longer word gets a slip behind its first letter; the same text always the same one."""
    words = [found for found in _WORD.finditer(text, 1) if found[0].lower() not in STOP_WORDS]
    if not words:
        return text
    dice = random.Random(text)
    word = dice.choice(words)
    return text[: word.start()] + _slip(word[0], dice) + text[word.end() :]


def _slip(word: str, dice: random.Random) -> str:
    """Two letters the wrong way round, one left out, one twice, or another in its place."""
    at = dice.randrange(1, len(word) - 1)
    before, letter, behind = word[:at], word[at], word[at + 1 :]
    return before + dice.choice(
        [
            behind[0] + letter + behind[1:],
            behind,
            letter + letter + behind,
            dice.choice(string.ascii_lowercase) + behind,
        ]
    )
