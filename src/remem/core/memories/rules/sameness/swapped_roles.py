"""Whether two statements with the same words swap who does what to whom; for `compare.py`.

"Ana pays Ben" and "Ben pays Ana" do; "Ana and Ben pay" and "Ben and Ana pay" do not."""

from collections import Counter
from collections.abc import Sequence

from remem.core.language.claims.attributes import PREPOSITIONS
from remem.core.language.claims.parse import content_terms
from remem.core.language.words import Word
from remem.core.memories.rules.sameness.read import ReadStatement, bare_name

# Words that make the order of their neighbours matter: "from Oslo to Rome".
_DIRECTIONS = frozenset("from to over than before after into onto instead for against".split())
_ARTICLES = frozenset("the a an my our his her their old new".split())
_POSSESSIVES = frozenset("'s ’s ' ’".split())
_OWNER_ROLES = frozenset(("'s", "of"))
_OWNED_WORDS = 3
_COMPARATIVES = frozenset("over than instead before after".split())


def has_swapped_roles(first: ReadStatement, second: ReadStatement) -> bool:
    """Whether names are in another order, or other things are before and after "than"."""
    lows = {word.low for word in first.words}
    is_reordered = Counter(first.terms) == Counter(second.terms) and first.terms != second.terms
    if lows & _DIRECTIONS and is_reordered and not _have_same_directions(first, second):
        return True
    names = set(first.names) | set(second.names)
    if len(names) <= 1 or _roles(first, names) == _roles(second, names):
        return False
    owners = _owner(first, names), _owner(second, names)
    if owners[0] is None or owners[0] != owners[1] or not _own_the_same(first, second):
        return True
    others = names - {owners[0]}
    return _roles(first, others) != _roles(second, others)


def _roles(read: ReadStatement, names: set[str]) -> tuple[list[list[str]], set[tuple[str, str]]]:
    """The names without a role in their order, those joined by "and" grouped; and the others
    with their role: a preposition, or "'s" for an owner."""
    bare: list[list[str]] = []
    roles: set[tuple[str, str]] = set()
    for at, word in enumerate(read.words):
        name = bare_name(word)
        if name in names:
            role = _role(read.words, at)
            if role:
                roles.add((name, role))
            elif (
                at > 1
                and bare
                and read.words[at - 1].low == "and"
                and _is_joined_to_last(bare, read, at)
            ):
                bare[-1] = sorted([*bare[-1], name])
            else:
                bare.append([name])
    return bare, roles


def _is_joined_to_last(bare: list[list[str]], read: ReadStatement, at: int) -> bool:
    return bare_name(read.words[at - 2]) in bare[-1]


def _owner(read: ReadStatement, names: set[str]) -> str | None:
    """The name that owns something, if it is the only owner."""
    places = [at for at in range(len(read.words)) if _role(read.words, at) in _OWNER_ROLES]
    name = bare_name(read.words[places[0]]) if len(places) == 1 else None
    return name if name in names else None


def _own_the_same(first: ReadStatement, second: ReadStatement) -> bool:
    """ "The garden shed of Anna" is "Anna's garden shed"."""
    first_owned, second_owned = _owned_terms(first), _owned_terms(second)
    if first_owned[0] == second_owned[0]:
        return True
    before, after = (
        (first_owned[1], second_owned[1])
        if first_owned[0] == "of"
        else (second_owned[1], first_owned[1])
    )
    return any(before[-size:] == after[:size] for size in range(1, len(before) + 1))


def _owned_terms(read: ReadStatement) -> tuple[str, list[str]]:
    """The role of the owner ("of" or "'s"), and the terms nearest to it, which name what is
    owned."""
    at = next(at for at in range(len(read.words)) if _role(read.words, at) in _OWNER_ROLES)
    if (role := _role(read.words, at)) == "of":
        terms = [word.stem for word in read.words[:at] if word.low not in _ARTICLES | {"of"}]
        return role, terms[-_OWNED_WORDS:]
    terms = [word.stem for word in read.words[at + 1 :] if word.low not in _POSSESSIVES | _ARTICLES]
    return role, terms[:_OWNED_WORDS]


def _role(words: Sequence[Word], at: int) -> str:
    """ "'s" for an owner, else the preposition before the word, else an empty string."""
    if at + 1 < len(words) and words[at + 1].low in _POSSESSIVES:
        return "'s"
    before = next((word.low for word in reversed(words[:at]) if word.low not in _ARTICLES), "")
    return before if before in PREPOSITIONS else ""


def _have_same_directions(first: ReadStatement, second: ReadStatement) -> bool:
    """Whether every direction word has the same neighbours.

    The word before is ignored for a phrase that begins a sentence: "Before lunch we walk"."""
    first_triples, second_triples = _direction_terms(first), _direction_terms(second)
    fronted = {triple[1:] for triple in first_triples | second_triples if not triple[0]}
    return _without_previous(first_triples, fronted) == _without_previous(second_triples, fronted)


def _without_previous(
    triples: set[tuple[str, str, str]], fronted: set[tuple[str, str]]
) -> set[tuple[str, ...]]:
    return {triple[1:] if triple[1:] in fronted else triple for triple in triples}


def _direction_terms(read: ReadStatement) -> set[tuple[str, str, str]]:
    """Each direction word with the term after it, and for a comparison also the term before it.

    "For the database we use X" is "we use X for the database"."""
    triples: set[tuple[str, str, str]] = set()
    for at, word in enumerate(read.words):
        if word.low in _DIRECTIONS:
            before = content_terms(read.words[:at])[-1:] if word.low in _COMPARATIVES else ()
            after = content_terms(read.words[at + 1 :])[:1]
            triples.add(("".join(before), word.low, "".join(after)))
    return triples
