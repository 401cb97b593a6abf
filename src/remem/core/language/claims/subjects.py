"""Normalize the subject of a statement."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import SYNONYMS
from remem.core.language.lists import word_list, word_set
from remem.core.language.words import Word

ME, US, UNSTATED = ("<me>",), ("<us>",), ()
_ME = frozenset("i me my mine myself".split())
_US = frozenset("we us our ours ourselves".split())
_RELATIVES = word_set("names", "relatives")
_FIRST_NAMES = frozenset(map(str.casefold, word_list("names", "first_names")))
_DROPPED = frozenset("the a an this of for in where that 's".split())
PRONOUNS = frozenset("he she it they his her its their him them this that these those who".split())


def subject_of(words: Sequence[Word]) -> tuple[str, ...]:
    terms = [_normalize_word(word) for word in words if word.low not in _DROPPED]
    if terms in (["user"], ["<me>", "user"]):
        return ME
    if terms in (["team"], ["<us>", "team"]):
        return US
    if len(terms) > 1 and terms[0] == "<us>":
        return tuple(terms[1:])
    return tuple(terms)


def _normalize_word(word: Word) -> str:
    if word.named:
        # "It" and "US" in a name are not pronouns.
        return word.low if word.low not in PRONOUNS | _ME | _US else word.text
    if word.low in _ME:
        return "<me>"
    if word.low in _US:
        return "<us>"
    return SYNONYMS.get(word.stem, word.low)


def same_subject(subject: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether both subjects are the same; an unstated subject is the speaker."""
    if subject == other:
        return not (len(subject) == 1 and subject[0] in PRONOUNS)
    if _name_of_relative(subject) == other or _name_of_relative(other) == subject:
        return True
    return UNSTATED in (subject, other) and (subject or other) in (ME, US)


def _name_of_relative(subject: tuple[str, ...]) -> tuple[str, ...] | None:
    """The name in "my sister Agnes", so that it equals "Agnes" but not "my cousin Agnes"."""
    relative, name = subject[-2:] if len(subject) > 1 else ("", "")
    others = subject[:-2]
    is_person = relative in _RELATIVES and name in _FIRST_NAMES
    return (name,) if is_person and others in (UNSTATED, ME, US) else None
