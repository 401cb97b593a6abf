"""Whether two statements are plainly about different things, whatever a language model says.

A model that takes everything for replaced must not hide "The red bike belongs to Tom" when it reads
"The blue bike belongs to Ana". What it says of statements that may concern each other is kept."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from remem.core.language.claims.news import announces_change, announces_news
from remem.core.language.claims.outline import outline_of
from remem.core.language.detect import is_in_other_language
from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.words import Word, words
from remem.core.memories.rules.different_subject import has_different_subject

# Above these, a model may know that different words mean the same, also in another language.
MIN_COSINE = MIN_REPEAT_COSINE = 0.8
# The share of words that two statements of one form have in common, and of the shorter one's terms
# that two statements about one thing have.
MIN_SAME, MIN_SHARED = 0.5, 0.34
_CHARS, _MAX_WORDS = 1_000, 40
_NUMBER = re.compile(r"\d+")


def are_unrelated(new: str, old: str, cosine: float) -> bool:
    new, old = new[:_CHARS], old[:_CHARS]
    new_words, old_words = words(new)[:_MAX_WORDS], words(old)[:_MAX_WORDS]
    is_foreign = is_in_other_language(new) or is_in_other_language(old)
    if is_foreign and cosine < MIN_COSINE and _shared(new_words, old_words) < MIN_SHARED:
        return True
    if _name_two_things(new_words, old_words, is_foreign=is_foreign):
        return True
    return not is_foreign and _have_different_subjects(new, old)


def name_two_things(new: str, old: str) -> bool:
    """Whether two statements of one form differ in their value and in what it is the value of."""
    new, old = new[:_CHARS], old[:_CHARS]
    is_foreign = is_in_other_language(new) or is_in_other_language(old)
    new_words, old_words = words(new)[:_MAX_WORDS], words(old)[:_MAX_WORDS]
    return _name_two_things(new_words, old_words, is_foreign=is_foreign)


def may_repeat(new: str, old: str, cosine: float) -> bool:
    """Whether the old statement may say all of the new one: it has its numbers, and most of its
    words unless it means nearly the same."""
    if not set(_NUMBER.findall(new)) <= set(_NUMBER.findall(old)):
        return False
    new_terms, old_terms = _terms(words(new[:_CHARS])), _terms(words(old[:_CHARS]))
    return cosine >= MIN_REPEAT_COSINE or 2 * len(new_terms & old_terms) >= len(new_terms)


def _have_different_subjects(new: str, old: str) -> bool:
    new_outline, old_outline = outline_of(new), outline_of(old)
    announced = announces_news(new_outline.words) or announces_change(
        new_outline.words, old_outline.terms
    )
    return has_different_subject(new_outline, old_outline, announced)


def _shared(new: Sequence[Word], old: Sequence[Word]) -> float:
    new_terms, old_terms = _terms(new), _terms(old)
    return len(new_terms & old_terms) / max(min(len(new_terms), len(old_terms)), 1)


def _terms(statement: Sequence[Word]) -> set[str]:
    return {word.stem for word in statement if _carries_meaning(word)}


def _carries_meaning(word: Word) -> bool:
    return word.named or word.low not in ALL_STOP_WORDS


def _name_two_things(new: Sequence[Word], old: Sequence[Word], *, is_foreign: bool) -> bool:
    """Whether two statements of one form differ in their value and also before a word that both
    have: "the *billing* service with *GitLab*". In many languages the noun comes first."""
    matcher = SequenceMatcher(
        None, [word.low for word in new], [word.low for word in old], autojunk=False
    )
    changes = [
        (start, end)
        for kind, start, end, old_start, old_end in matcher.get_opcodes()
        if kind == "replace" and _terms(new[start:end]) and _terms(old[old_start:old_end])
    ]
    if len(changes) < 2 or matcher.ratio() < MIN_SAME:
        return False
    start, end = changes[0]
    beside = [*new[end : end + 1], *(new[max(start - 1, 0) : start] if is_foreign else [])]
    return any(map(_carries_meaning, beside))
