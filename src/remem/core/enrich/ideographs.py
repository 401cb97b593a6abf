"""Key phrases of scripts without spaces: runs of characters that occur repeatedly."""

import re
from collections import Counter
from collections.abc import Iterator
from math import log2

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}|[\u30a1-\u30fa\u30fc]{3,}")
# Function characters, which are not part of key phrases.
_FUNCTION_CHARS = frozenset(
    "的了是在和与及或也就都而等这那有我你他她它们不没一二三个中上下为以于对从到把被让向跟比很更最"
    "将已还又并但因所如果其之此该每各某何吗呢吧啊着过得说做去来"
)
_LONGEST_WORD = 6
_SAMPLE_CHARS = 4_000
_RANKED = 100


def ideograph_scores(text: str, title: str) -> dict[str, float]:
    counts = Counter(_words(text[:_SAMPLE_CHARS]))
    title_words = set(_words(title))
    repeated = {word: count for word, count in counts.most_common(_RANKED) if count > 1}
    return {
        word: log2(1 + count) * (1 + 0.2 * len(word)) * (1.6 if word in title_words else 1.0)
        for word, count in repeated.items()
        if not _part_of_longer(word, repeated)
    }


def _words(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        run = match[0]
        if len(run) <= _LONGEST_WORD or not _is_ideograph(run[0]):
            yield run
        if len(run) > 2 and _is_ideograph(run[0]):
            yield from _parts(run)


def _parts(run: str) -> Iterator[str]:
    for size in range(2, min(_LONGEST_WORD, len(run) - 1) + 1):
        for start in range(len(run) - size + 1):
            word = run[start : start + size]
            if not _FUNCTION_CHARS & {word[0], word[-1]}:
                yield word


def _part_of_longer(word: str, counts: dict[str, int]) -> bool:
    """Whether a word nearly always occurs inside the same longer word."""
    return any(
        len(other) > len(word) and word in other and count >= 0.7 * counts[word]
        for other, count in counts.items()
    )


def _is_ideograph(char: str) -> bool:
    return char >= "\u3400"
