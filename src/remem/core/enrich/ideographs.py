"""Key phrases of scripts without spaces: runs of characters that occur repeatedly."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import log2

from remem.core.enrich.tag_words import calendar_words, not_tags

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}|[\u30a1-\u30fa\u30fc]{3,}")
# Function characters, which are not part of key phrases.
_FUNCTION_CHARS = frozenset(
    "的了是在和与及或也就都而等这那有我你他她它们不没一二三个中上下为以于对从到把被让向跟比很更最"
    "将已还又并但因所如果其之此该每各某何吗呢吧啊着过得说做去来"
)
# Characters that a noun seldom begins with: verbs and measures.
_VERB_CHARS = frozenset("吃喝看听說买賣卖给拿想要请請找问問叫半几幾两兩多少改")
_LANGUAGES = ("zh", "ja")
_LONGEST_WORD = 6
_SHORT_WORD, _MIN_SHORT = 2, 3
_SAMPLE_CHARS = 4_000
_RANKED = 100


def ideograph_scores(text: str, title: str) -> dict[str, float]:
    counts = Counter(_words(_calendar().sub(" ", text[:_SAMPLE_CHARS])))
    title_words = set(_words(title))
    repeated = {word: count for word, count in counts.most_common(_RANKED) if count > 1}
    excluded = not_tags(_LANGUAGES)
    return {
        word: log2(1 + count) * (1 + 0.2 * len(word)) * (1.6 if word in title_words else 1.0)
        for word, count in repeated.items()
        if not _part_of_longer(word, repeated)
        and (count >= _MIN_SHORT or len(word) > _SHORT_WORD or word in title_words)
        and word not in excluded
        and word[0] not in _VERB_CHARS
    }


@cache
def _calendar() -> re.Pattern[str]:
    words = {word for language in _LANGUAGES for word in calendar_words(language) if len(word) > 1}
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)) + "|.曜日?")


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
