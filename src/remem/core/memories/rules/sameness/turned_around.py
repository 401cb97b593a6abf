"""Whether two statements of the same words say who does what to whom in the same way."""

from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import content
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.read import ReadStatement, bare_name

# Beside these, the order of what they join counts.
_DIRECTIONS = frozenset("from to over than before after into onto instead for against".split())
_ARTICLES = frozenset("the a an my our his her their old new".split())
_OWNS = frozenset("'s ’s ' ’".split())
_OWNERSHIP = frozenset(("'s", "of"))
_OWNED_WORDS = 3
_BETWEEN = frozenset("over than instead before after".split())


def is_turned_around(mine: ReadStatement, theirs: ReadStatement) -> bool:
    """Who does what to whom: names in another order, or other things before and after "than"."""
    lows = {word.low for word in mine.words}
    are_same_words = Counter(mine.terms) == Counter(theirs.terms) and mine.terms != theirs.terms
    if lows & _DIRECTIONS and are_same_words and not _follow_alike(mine, theirs):
        return True
    names = set(mine.names) | set(theirs.names)
    if len(names) <= 1 or _roles(mine, names) == _roles(theirs, names):
        return False
    owners = _owner(mine, names), _owner(theirs, names)
    if owners[0] is None or owners[0] != owners[1] or not _own_alike(mine, theirs):
        return True
    others = names - {owners[0]}
    return _roles(mine, others) != _roles(theirs, others)


def _roles(read: ReadStatement, names: set[str]) -> tuple[list[list[str]], set[tuple[str, str]]]:
    """The names that stand bare, in their order but for those that "and" joins, and the others
    with what makes them what they are: "in" a place, somebody's own."""
    bare: list[list[str]] = []
    roles: set[tuple[str, str]] = set()
    for at, word in enumerate(read.words):
        name = bare_name(word)
        if name in names:
            role = _role(read.words, at)
            if role:
                roles.add((name, role))
            elif at > 1 and bare and read.words[at - 1].low == "and" and _is_last(bare, read, at):
                bare[-1] = sorted([*bare[-1], name])
            else:
                bare.append([name])
    return bare, roles


def _is_last(bare: list[list[str]], read: ReadStatement, at: int) -> bool:
    return bare_name(read.words[at - 2]) in bare[-1]


def _owner(read: ReadStatement, names: set[str]) -> str | None:
    """Who owns something, where one of the names does and no other word is an owner."""
    places = [at for at in range(len(read.words)) if _role(read.words, at) in _OWNERSHIP]
    name = bare_name(read.words[places[0]]) if len(places) == 1 else None
    return name if name in names else None


def _own_alike(mine: ReadStatement, theirs: ReadStatement) -> bool:
    """ "The garden shed of Anna" is "Anna's garden shed"."""
    one, other = _owned(mine), _owned(theirs)
    if one[0] == other[0]:
        return True
    before, after = (one[1], other[1]) if one[0] == "of" else (other[1], one[1])
    return any(before[-size:] == after[:size] for size in range(1, len(before) + 1))


def _owned(read: ReadStatement) -> tuple[str, list[str]]:
    """How it is said, and the words that what is owned may be made of."""
    at = next(at for at in range(len(read.words)) if _role(read.words, at) in _OWNERSHIP)
    if (role := _role(read.words, at)) == "of":
        found = [word.stem for word in read.words[:at] if word.low not in _ARTICLES | {"of"}]
        return role, found[-_OWNED_WORDS:]
    found = [word.stem for word in read.words[at + 1 :] if word.low not in _OWNS | _ARTICLES]
    return role, found[:_OWNED_WORDS]


def _role(found: Sequence[Word], at: int) -> str:
    if at + 1 < len(found) and found[at + 1].low in _OWNS:
        return "'s"
    before = next((word.low for word in reversed(found[:at]) if word.low not in _ARTICLES), "")
    return before if before in PREPOSITIONS else ""


def _follow_alike(mine: ReadStatement, theirs: ReadStatement) -> bool:
    """What comes first in a sentence has nothing before it: "Before lunch we walk"."""
    one, other = _followed(mine), _followed(theirs)
    fronted = {found[1:] for found in one | other if not found[0]}
    return _unless_fronted(one, fronted) == _unless_fronted(other, fronted)


def _unless_fronted(
    found: set[tuple[str, str, str]], fronted: set[tuple[str, str]]
) -> set[tuple[str, ...]]:
    return {one[1:] if one[1:] in fronted else one for one in found}


def _followed(read: ReadStatement) -> set[tuple[str, str, str]]:
    """What follows each word of direction: "for the database we use X" is "we use X for the
    database"."""
    found: set[tuple[str, str, str]] = set()
    for at, word in enumerate(read.words):
        if word.low in _DIRECTIONS:
            before = content(read.words[:at])[-1:] if word.low in _BETWEEN else ()
            after = content(read.words[at + 1 :])[:1]
            found.add(("".join(before), word.low, "".join(after)))
    return found
