"""The tense of a statement, and which of its verbs are in the past; for `compare.py`.

"Ana moved to Oslo" is past, "Ana will move to Oslo" is ahead: they are not merged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.verbs import is_past
from remem.core.language.lists import phrases
from remem.core.language.words import Word

BE = frozenset("is are am 's 're be being been get gets".split())
_HAVE = frozenset("has have 've".split())
_PAST_AUXILIARIES = frozenset("was were had did used".split())
_FUTURE = re.compile(r"\b(?:will|shall|going to|gonna|about to|plan(?:s|ning)? to)\b|'ll\b", re.I)
_ING_NOUNS = frozenset(
    "wedding building meeting painting training ceiling evening morning thing spring string swing"
    " wing ring king clothing housing parking earring hearing reading recording booking".split()
)
_BASE_FORMS = {form: base for base, *forms in phrases("forms", "past_forms") for form in forms}


@dataclass(frozen=True, slots=True)
class Tense:
    """Whether any verb is past, perfect, future or progressive; the base forms of the verbs in the
    past, and those of all words."""

    is_past: bool
    is_perfect: bool
    is_future: bool
    is_progressive: bool
    past_verbs: frozenset[str]
    base_forms: frozenset[str]

    def differs(self, other: "Tense") -> bool:
        return (
            self._flags() != other._flags()
            or self._changes_tense_of(other)
            or other._changes_tense_of(self)
        )

    def _flags(self) -> tuple[bool, bool, bool, bool]:
        return self.is_past, self.is_perfect, self.is_future, self.is_progressive

    def _changes_tense_of(self, other: "Tense") -> bool:
        """Whether a verb that is past here occurs in the other in another tense."""
        return bool((self.past_verbs & other.base_forms) - other.past_verbs)


def tense_of(text: str, words: Sequence[Word]) -> Tense:
    perfect = progressive = False
    past: set[str] = set()
    for at, word in enumerate(words):
        before = words[at - 1].low if at else ""
        progressive = progressive or (_is_progressive(word) and before in BE | _PAST_AUXILIARIES)
        if word.low in _PAST_AUXILIARIES:
            past.add(word.low)
        elif _is_past(word) and not word.named and word.low not in BE:
            perfect = perfect or before in _HAVE
            if before not in BE | _HAVE | _PAST_AUXILIARIES:
                past.add(_base_form(word))
    is_future = bool(_FUTURE.search(text))
    base_forms = frozenset(map(_base_form, words))
    return Tense(bool(past), perfect, is_future, progressive, frozenset(past), base_forms)


def _is_progressive(word: Word) -> bool:
    return word.low.endswith("ing") and word.low not in _ING_NOUNS


def _is_past(word: Word) -> bool:
    return is_past(word) or word.low in _BASE_FORMS


def _base_form(word: Word) -> str:
    return _BASE_FORMS.get(word.low, word.stem)
