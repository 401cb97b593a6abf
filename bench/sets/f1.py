"""Token F1 of an answer as in LoCoMo: over stems, without articles and punctuation. Each part of a
list is compared with the most similar part of the answer."""

import string
from collections import Counter

from remem.core.language.words import stem

_IGNORED = frozenset(("a", "an", "the", "and"))
LISTS, OPEN = "1", "3"


def f1_of(name: str, category: str, answer: str, gold: str) -> float:
    if name == "locomo" and category == LISTS:
        return _list_f1(answer, gold)
    if name == "locomo" and category == OPEN:
        return f1(answer, gold.split(";")[0])
    return f1(answer, gold)


def f1(answer: str, gold: str) -> float:
    answer_terms, gold_terms = Counter(terms_of(answer)), Counter(terms_of(gold))
    shared = (answer_terms & gold_terms).total()
    return 2 * shared / (answer_terms.total() + gold_terms.total()) if shared else 0.0


def _list_f1(answer: str, gold: str) -> float:
    answers, parts = answer.split(","), gold.split(",")
    return sum(max(f1(answered, part) for answered in answers) for part in parts) / len(parts)


def terms_of(text: str) -> list[str]:
    plain = "".join(char for char in text.lower() if char not in string.punctuation)
    return [stem(word) for word in plain.split() if word not in _IGNORED]
