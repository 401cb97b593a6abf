"""Token F1 of an answer, as LoCoMo counts it: stems, without articles and punctuation; of a list
each part by the nearest that was answered."""

import string
from collections import Counter

from remem.core.language.words import stem

_EMPTY = frozenset(("a", "an", "the", "and"))
LISTS, OPEN = "1", "3"


def f1_of(name: str, category: str, answer: str, gold: str) -> float:
    if name == "locomo" and category == LISTS:
        return _several(answer, gold)
    if name == "locomo" and category == OPEN:
        return f1(answer, gold.split(";")[0])
    return f1(answer, gold)


def f1(answer: str, gold: str) -> float:
    ours, theirs = Counter(terms_of(answer)), Counter(terms_of(gold))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0


def _several(answer: str, gold: str) -> float:
    answers, parts = answer.split(","), gold.split(",")
    return sum(max(f1(one, part) for one in answers) for part in parts) / len(parts)


def terms_of(text: str) -> list[str]:
    plain = "".join(char for char in text.lower() if char not in string.punctuation)
    return [stem(word) for word in plain.split() if word not in _EMPTY]
