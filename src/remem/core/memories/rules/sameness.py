"""Whether two memories that are close in meaning may be merged: pure, and careful.

Vectors hardly tell a number, a name, a "not" or a tense, and a small model misses some of them too.
So whatever could make two statements different keeps them apart, and only then may a reader say
that different words mean the same."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.mood import OPPOSITES
from remem.core.language.claims.parse import content
from remem.core.language.claims.value_kinds import kinds_of
from remem.core.language.person import is_user
from remem.core.language.quantities import amounts, is_quantity
from remem.core.language.words import Word, statements, words
from remem.core.memories.rules.contrasts import CONTRASTS, OPPOSITE_PAIRS
from remem.core.memories.rules.order import is_same_order
from remem.core.memories.rules.tense import Tense, tense_of
from remem.core.memories.rules.wordings import in_one_wording

# `read` asks a reader; `same` needs nobody; `different` is final.
Sameness: TypeAlias = Literal["same", "read", "different"]
CHARS_LIMIT = 1_500
WORDS_LIMIT = 120
# More words than this on a side, and they do not say the same.
OWN_WORDS_LIMIT = 4

# Words that a statement does not lose or gain without saying something else. Those on a line mean
# the same.
_WEIGHTY = {
    word: group.split()[0]
    for group in (
        "every each all", "almost nearly", "about approximately around roughly circa",
        "maybe perhaps possibly probably likely", "might may", "will shall", "only solely",
        "except excluding", "often frequently", "rarely seldom", "usually normally generally",
        "sometimes occasionally", "without", "not never no none nobody nothing nowhere neither nor"
        " cannot", "hardly barely scarcely", "any", "some", "most", "many", "few", "several",
        "half", "both", "either", "before", "after", "until till", "since", "during", "over",
        "under below beneath", "above", "behind", "against", "from", "instead", "than", "unless",
        "if whether", "could", "would", "should", "must", "can", "still", "yet", "again", "back",
        "already", "too", "first", "last", "next", "previous former", "other", "another", "off",
        "out", "away", "down", "up", "once", "twice", "more", "less", "least", "always",
        "temporarily", "formerly", "supposedly allegedly reportedly", "said says claims thinks"
        " believes", "stopped quit ceased", "no-one", "ago", "today", "tomorrow", "yesterday",
        "tonight", "now",
    )
    for word in group.split()
}  # fmt: skip
# Beside these, the order of what they join counts.
_DIRECTIONS = frozenset("from to over than before after into onto instead for against".split())
_ARTICLES = frozenset("the a an my our his her their old new".split())
_OWNS = frozenset("'s ’s ' ’".split())
_OWNERSHIP = frozenset(("'s", "of"))
_OWNED_WORDS = 3
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_TOKEN = re.compile(r"[\w./:@#-]++")
_MARK_OF_CODE = re.compile(r"[\d_/@#]")


@dataclass(frozen=True, slots=True)
class Compared:
    """As much of a memory as is compared."""

    content: str
    speaker: str | None = None
    dates: Sequence[Mapping[str, Any]] = ()
    # When it is valid, happened and is due.
    moments: tuple[datetime | None, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    words: tuple[Word, ...]
    terms: tuple[str, ...]
    weighty: frozenset[str]
    names: tuple[str, ...]
    numbers: Counter[str]
    tense: Tense
    asks: bool


def compare(one: Compared, other: Compared) -> Sameness:
    """What the two are to each other, whichever came first."""
    if not _may_be_read(one.content) or not _may_be_read(other.content):
        return "different"
    if _speaker(one) != _speaker(other) or _days(one) != _days(other):
        return "different"
    if one.moments != other.moments:
        return "different"
    mine, theirs = (_read(in_one_wording(said.content)) for said in (one, other))
    if _differs_in_detail(mine, theirs):
        return "different"
    own, their_own = _own_words(mine, theirs), _own_words(theirs, mine)
    if not own and not their_own:
        return "same"
    if own[:1] == list(mine.words[:1]) and their_own[:1] == list(theirs.words[:1]):
        # Both begin with another word: as likely as not with another name.
        return "different"
    return "different" if _are_contrary(own, their_own) else "read"


def _may_be_read(text: str) -> bool:
    return 0 < len(text) <= CHARS_LIMIT and len(text.split()) <= WORDS_LIMIT


def _speaker(said: Compared) -> str:
    return "" if is_user(said.speaker) else " ".join((said.speaker or "").casefold().split())


def _days(said: Compared) -> set[tuple[Any, Any]]:
    return {(one.get("start"), one.get("end")) for one in said.dates if one.get("start")}


def _differs_in_detail(mine: _Read, theirs: _Read) -> bool:
    return (
        mine.asks != theirs.asks
        or mine.numbers != theirs.numbers
        or mine.weighty != theirs.weighty
        or mine.tense.differs(theirs.tense)
        or bool(_unnamed(mine, theirs) or _unnamed(theirs, mine))
        or _is_turned_around(mine, theirs)
        or not is_same_order(mine.words, theirs.words)
    )


def _unnamed(mine: _Read, theirs: _Read) -> set[str]:
    """Names of the one that do not stand in the other, where they may begin a sentence."""
    return set(mine.names) - {_bare_name(word) for word in theirs.words}


def _is_turned_around(mine: _Read, theirs: _Read) -> bool:
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


def _roles(read: _Read, names: set[str]) -> tuple[list[list[str]], set[tuple[str, str]]]:
    """The names that stand bare, in their order but for those that "and" joins, and the others
    with what makes them what they are: "in" a place, somebody's own."""
    bare: list[list[str]] = []
    roles: set[tuple[str, str]] = set()
    for at, word in enumerate(read.words):
        name = _bare_name(word)
        if name in names:
            role = _role(read.words, at)
            if role:
                roles.add((name, role))
            elif at > 1 and bare and read.words[at - 1].low == "and" and _is_last(bare, read, at):
                bare[-1] = sorted([*bare[-1], name])
            else:
                bare.append([name])
    return bare, roles


def _is_last(bare: list[list[str]], read: _Read, at: int) -> bool:
    return _bare_name(read.words[at - 2]) in bare[-1]


def _owner(read: _Read, names: set[str]) -> str | None:
    """Who owns something, where one of the names does and no other word is an owner."""
    places = [at for at in range(len(read.words)) if _role(read.words, at) in _OWNERSHIP]
    name = _bare_name(read.words[places[0]]) if len(places) == 1 else None
    return name if name in names else None


def _own_alike(mine: _Read, theirs: _Read) -> bool:
    """ "The garden shed of Anna" is "Anna's garden shed"."""
    one, other = _owned(mine), _owned(theirs)
    if one[0] == other[0]:
        return True
    before, after = (one[1], other[1]) if one[0] == "of" else (other[1], one[1])
    return any(before[-size:] == after[:size] for size in range(1, len(before) + 1))


def _owned(read: _Read) -> tuple[str, list[str]]:
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


def _follow_alike(mine: _Read, theirs: _Read) -> bool:
    """What comes first in a sentence has nothing before it: "Before lunch we walk"."""
    one, other = _followed(mine), _followed(theirs)
    fronted = {found[1:] for found in one | other if not found[0]}
    return _unless_fronted(one, fronted) == _unless_fronted(other, fronted)


def _unless_fronted(
    found: set[tuple[str, str, str]], fronted: set[tuple[str, str]]
) -> set[tuple[str, ...]]:
    return {one[1:] if one[1:] in fronted else one for one in found}


def _followed(read: _Read) -> set[tuple[str, str, str]]:
    """What follows each word of direction: "for the database we use X" is "we use X for the
    database"."""
    found: set[tuple[str, str, str]] = set()
    for at, word in enumerate(read.words):
        if word.low in _DIRECTIONS:
            before = content(read.words[:at])[-1:] if word.low in _BETWEEN else ()
            after = content(read.words[at + 1 :])[:1]
            found.add(("".join(before), word.low, "".join(after)))
    return found


_BETWEEN = frozenset("over than instead before after".split())


def _own_words(mine: _Read, theirs: _Read) -> list[Word]:
    """The words of the one that the other does not have in any form."""
    if _run_together(mine.words) == _run_together(theirs.words):
        return []
    known = {*theirs.terms, *(word.low for word in theirs.words)}
    return [
        word
        for word in mine.words
        if word.low not in known
        and word.low not in _WEIGHTY
        and any(term not in known for term in content([word]))
    ]


def _run_together(found: Sequence[Word]) -> str:
    """ "Window sill" is "windowsill"."""
    return "".join(word.low.replace("-", "") for word in found)


def _are_contrary(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    if max(len(mine), len(theirs)) > OWN_WORDS_LIMIT:
        return True
    if any(is_quantity(word) or word.named for word in (*mine, *theirs)):
        return True
    return any(_is_contrary(one, other) for one in mine for other in theirs)


def _is_contrary(one: Word, other: Word) -> bool:
    if OPPOSITES.get(one.stem) == other.stem or frozenset((one.stem, other.stem)) in OPPOSITE_PAIRS:
        return True
    if kinds_of([one]) & kinds_of([other]) or _negates(one.low, other.low):
        return True
    return bool(CONTRASTS.get(one.stem, frozenset()) & CONTRASTS.get(other.stem, frozenset()))


def _negates(one: str, other: str) -> bool:
    """ "Paid" and "unpaid"."""
    return any(
        one == prefix + other or other == prefix + one
        for prefix in ("un", "in", "im", "dis", "non", "non-", "ir", "il", "mis", "de", "re", "ex-")
    )


def _read(text: str) -> _Read:
    found = tuple(word for line in statements(text) for word in words(line))
    return _Read(
        words=found,
        terms=content(found),
        weighty=frozenset(_WEIGHTY[word.low] for word in found if word.low in _WEIGHTY),
        names=tuple(dict.fromkeys(_names(found))),
        numbers=_numbers(text, found),
        tense=tense_of(text, found),
        asks=text.rstrip().endswith("?"),
    )


def _names(found: Sequence[Word]) -> list[str]:
    return [
        _bare_name(word)
        for word in found
        if word.named and word.low not in ("i", "user") and not is_quantity(word)
    ]


def _bare_name(word: Word) -> str:
    return word.low.removesuffix("'s").removesuffix("’s").rstrip("'’")


def _numbers(text: str, found: Sequence[Word]) -> Counter[str]:
    """Figures and number words in one form, and whatever looks like a code."""
    written = Counter(_plain_number(one) for one in _DIGITS.findall(text))
    spelled = Counter(value for kind, value in amounts(found) if kind in _KINDS_OF_NUMBER)
    codes = Counter(one.casefold().strip(".:") for one in _codes(text))
    return written + spelled + codes


_KINDS_OF_NUMBER = frozenset("number time date weekday month year ordinal version money".split())


def _plain_number(text: str) -> str:
    bare = text.replace(",", "")
    return bare.removesuffix(":00").removesuffix(".00")


def _codes(text: str) -> list[str]:
    """Words with a number or a sign in them: versions, paths, handles."""
    return [token for token in _TOKEN.findall(text) if _MARK_OF_CODE.search(token)]
