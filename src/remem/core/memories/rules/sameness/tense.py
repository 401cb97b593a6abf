"""When what is said takes place, and which of its verbs tell of the past: pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.claims.verbs import is_past
from remem.core.language.lists import phrases
from remem.core.language.words import Word

BE = frozenset("is are am 's 're be being been get gets".split())
_HAVE = frozenset("has have 've".split())
_PAST_AUXILIARIES = frozenset("was were had did used".split())
_AHEAD = re.compile(r"\b(?:will|shall|going to|gonna|about to|plan(?:s|ning)? to)\b|'ll\b", re.I)
_NOUNS = frozenset(
    "wedding building meeting painting training ceiling evening morning thing spring string swing"
    " wing ring king clothing housing parking earring hearing reading recording booking".split()
)
_BASES = {form: base for base, *forms in phrases("forms", "past_forms") for form in forms}


@dataclass(frozen=True, slots=True)
class Tense:
    """Whether anything is past, perfect, ahead or under way; then the verbs, by their bare form,
    that stand in the past, and all words by theirs."""

    is_past: bool
    is_perfect: bool
    is_ahead: bool
    is_under_way: bool
    past_verbs: frozenset[str]
    bare_forms: frozenset[str]

    def differs(self, other: "Tense") -> bool:
        return self._kinds() != other._kinds() or self._moved(other) or other._moved(self)

    def _kinds(self) -> tuple[bool, bool, bool, bool]:
        return self.is_past, self.is_perfect, self.is_ahead, self.is_under_way

    def _moved(self, other: "Tense") -> bool:
        """Whether a verb of the other is past here and is not there."""
        return bool((self.past_verbs & other.bare_forms) - other.past_verbs)


def tense_of(text: str, found: Sequence[Word]) -> Tense:
    perfect = under_way = False
    past: set[str] = set()
    for at, word in enumerate(found):
        before = found[at - 1].low if at else ""
        under_way = under_way or (_is_under_way(word) and before in BE | _PAST_AUXILIARIES)
        if word.low in _PAST_AUXILIARIES:
            past.add(word.low)
        elif _is_past(word) and not word.named and word.low not in BE:
            perfect = perfect or before in _HAVE
            if before not in BE | _HAVE | _PAST_AUXILIARIES:
                past.add(_bare(word))
    is_ahead = bool(_AHEAD.search(text))
    bare = frozenset(map(_bare, found))
    return Tense(bool(past), perfect, is_ahead, under_way, frozenset(past), bare)


def _is_under_way(word: Word) -> bool:
    return word.low.endswith("ing") and word.low not in _NOUNS


def _is_past(word: Word) -> bool:
    return is_past(word) or word.low in _BASES


def _bare(word: Word) -> str:
    return _BASES.get(word.low, word.stem)
