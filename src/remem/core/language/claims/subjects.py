"""Of whom or what a statement speaks, in one form however it is put."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import SYNONYMS
from remem.core.language.lists import word_list, word_set
from remem.core.language.words import Word

ME, US, UNTOLD = ("<me>",), ("<us>",), ()
_ME = frozenset("i me my mine myself".split())
_US = frozenset("we us our ours ourselves".split())
_RELATIVES = word_set("names", "relatives")
_FIRST_NAMES = frozenset(map(str.casefold, word_list("names", "first_names")))
_DROPPED = frozenset("the a an this of for in where that 's".split())
PRONOUNS = frozenset("he she it they his her its their him them this that these those who".split())


def subject_of(words: Sequence[Word]) -> tuple[str, ...]:
    found = [_part(word) for word in words if word.low not in _DROPPED]
    if found in (["user"], ["<me>", "user"]):
        return ME
    if found in (["team"], ["<us>", "team"]):
        return US
    if len(found) > 1 and found[0] == "<us>":
        return tuple(found[1:])
    return tuple(found)


def _part(word: Word) -> str:
    if word.named:
        # "It" and "US" within a name are neither a thing just spoken of nor the speakers.
        return word.low if word.low not in PRONOUNS | _ME | _US else word.text
    if word.low in _ME:
        return "<me>"
    if word.low in _US:
        return "<us>"
    return SYNONYMS.get(word.stem, word.low)


def same_subject(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether both speak of the same; a subject that is not named is the speaker."""
    if one == other:
        return not (len(one) == 1 and one[0] in PRONOUNS)
    if _by_name(one) == other or _by_name(other) == one:
        return True
    return UNTOLD in (one, other) and (one or other) in (ME, US)


def _by_name(subject: tuple[str, ...]) -> tuple[str, ...] | None:
    """ "My sister Agnes" is Agnes, but not my cousin Agnes."""
    relative, name = subject[-2:] if len(subject) > 1 else ("", "")
    others = subject[:-2]
    is_person = relative in _RELATIVES and name in _FIRST_NAMES
    return (name,) if is_person and others in (UNTOLD, ME, US) else None
