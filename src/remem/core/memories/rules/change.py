"""Which known statements a new one may take the place of, if one who reads both says so; pure.

A model that compares statements takes other years, places, people and things for changes. So it is
asked only where rules object to nothing; what it says then decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from uuid import UUID

from remem.core.judgements import UNSPOKEN, Known, Relation, Saying
from remem.core.language.claims.attributes import PREPOSITIONS, canonical
from remem.core.language.claims.durations import lasting
from remem.core.language.claims.parse import content as terms_of
from remem.core.language.claims.parse import read
from remem.core.language.claims.verbs import BE, find_verb, is_past
from remem.core.language.lists import word_set
from remem.core.language.times.calendar import WEEKDAY_NAMES
from remem.core.language.words import Word, statements, stem, stem_set, words
from remem.core.memories.rules.named_apart import are_named_otherwise
from remem.core.memories.rules.relate import is_another, is_earlier

OLD_CHARS = 300
NEW_CHARS = 500
# How near the two must be: with several words in common besides what they are of, one, none; and
# where that is somebody by name.
NEAR_BY_WORDS, NEAR_BY_WORD, NEAR, NEAR_BY_NAME = 0.4, 0.5, 0.6, 0.7


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


_NEWS = word_set("changes", "news")
# How likely the reader must find an update: where the words tell of a change and mean nothing else,
# where they may, where nothing but the reader says so, and where what the rules know of the two
# speaks against it without ruling it out. Chosen on bench/sets/pairs.toml.
TOLD, HINTED, UNTOLD, DOUBTED = 0.6, 0.8, 0.9, 0.95
# Further apart than this they are of two matters, whatever the reader says.
NEAR_AT_ALL = 0.5
_PASSING = stem_set("changes", "passing")
_TURNS = stem_set("changes", "turns")
_TURN_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "took over", "taken over", "gave the", "handed over", "got rid of", "got engaged",
        "came off", "came back", "is back", "are back", "went up", "went down", "went on",
        "put up", "put the", "is over", "are over", "gave up", "paid off", "can not", "used to",
        "broke up", "passed away", "gave away", "rolled back", "ran out", "turns out",
        "rather than", "turned up", "up to", "down to", "called off", "in its place",
    )
)  # fmt: skip
_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "no longer",
        "no more",
        "any more",
        "from now on",
        "these days",
        "this week",
        "as of",
        "by now",
        "for good",
        "after all",
        "from this",
    )
)
_SPEAKERS = frozenset(("<me>", "<us>"))
_HINTS = word_set("changes", "hints")
_RENEWED = frozenset("new another".split())
_PRESENT_BE = frozenset("is are am be".split())
_BARE_PAST = frozenset("was were had did".split())
_UNSURE = word_set("changes", "unsure")
_AHEAD = (
    ("plan", "to"),
    ("plans", "to"),
    ("next", "week"),
    ("next", "month"),
    ("next", "year"),
    ("going", "to"),
    ("about", "to"),
)
_ADDED = frozenset("too also additionally besides both".split())
_ADDED_BY = (("as", "well"), ("in", "addition"), ("a", "second"), ("one", "more"))
_MANY = stem_set("changes", "many")
# Of two such things the one is not the other.
_OPPOSITE = tuple(
    frozenset(pair.split())
    for pair in ("left right", "upper lower", "front rear", "home work", "north south", "east west")
)
_INDEFINITE = frozenset("something someone somebody anything nothing nobody".split())
_WEEKDAYS = frozenset(WEEKDAY_NAMES).union(f"{day}s" for day in WEEKDAY_NAMES)
_TIMES_OF_DAY = _stems("morning noon afternoon evening night day week weekend")
_COMMON = _stems("have get do make go can be")
_WORK, _JOB = stem("work"), frozenset((stem("job"), canonical(stem("job"))))
_OF_CHANGE = _stems(
    "change switch move correction update new now again back code no longer any more"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A text's words, and of whom or what it speaks; `core` is that without where it is."""

    words: tuple[Word, ...]
    terms: frozenset[str]
    subject: frozenset[str]
    core: frozenset[str]
    head: str
    verb: str
    past: bool


def may_change(
    content: str, known: Sequence[Known], relations: Sequence[Relation], said: Saying = UNSPOKEN
) -> list[tuple[UUID, float]]:
    """Of those that stay beside it by the rules, which it may still take the place of."""
    if relations and relations[0].action == "noop":
        return []
    decided = {one.target_id for one in relations if one.action != "similar"}
    return may_update(content, [one for one in known if one.id not in decided], said)


def may_update(
    content: str, known: Sequence[Known], said: Saying = UNSPOKEN
) -> list[tuple[UUID, float]]:
    """Those that it may take the place of, and how likely the reader must find it."""
    if len(content) > NEW_CHARS or content.rstrip().endswith("?"):
        return []
    found = [_said(each) for each in statements(content)]
    if not found or _is_unsure(new := _joined(found)):
        return []
    telling = _tells_news(new.words)
    parsed = read(content, said.speaker)
    return [
        (one.id, likely)
        for one in known
        if not is_another(said.speaker, one.speaker)
        and not is_earlier(parsed, one)
        and (likely := _needed(new, one, telling)) is not None
    ]


def _needed(new: _Said, known: Known, telling: bool) -> float | None:
    """How likely it must be; None where the rules veto it."""
    text = known.content
    parts = statements(text)
    if len(parts) != 1 or len(text) > OLD_CHARS or _goes_on_behind_number(text):
        return None
    old = _said(parts[0])
    vetoed = (
        old.past
        or known.cosine < min(NEAR_AT_ALL, _near_enough(new, old))
        or _is_of_another(new, old, telling)
        or _is_qualified_otherwise(new, old)
        or _stands_beside(new, old)
        or _tells_same_time(new, old)
    )
    announced = telling or _tells_turn(new.words, old)
    apart = are_named_otherwise(new.words, old.words) or _differs_in_one(new, old)
    if vetoed or (not announced and apart):
        return None
    if known.cosine < _near_enough(new, old) or (not telling and _passes(new, old)):
        return DOUBTED
    if not announced and (old.subject - new.terms or new.subject - old.terms) - _SPEAKERS:
        return DOUBTED
    if not announced or not _shares_more(new, old):
        return UNTOLD
    return TOLD if telling else HINTED


def _differs_in_one(new: _Said, old: _Said) -> bool:
    """Said alike but for one value: what that means is plain to the rules without a reader."""
    return len(new.terms - old.terms) <= 1 and len(old.terms - new.terms) <= 1


def _shares_more(new: _Said, old: _Said) -> bool:
    """Whether they have more in common than what they are of."""
    return bool(_more(new, old)) or (old.verb == _WORK and bool(new.terms & _JOB))


def _more(new: _Said, old: _Said) -> frozenset[str]:
    return (old.terms & new.terms) - old.core - _SPEAKERS - _COMMON


def _near_enough(new: _Said, old: _Said) -> float:
    """The cosine from which on two are of the same matter. Of a thing much is said, and of a person
    more: what has only that in common must be nearer."""
    if len(_more(new, old)) > 1:
        return NEAR_BY_WORDS
    if _shares_more(new, old) or len(old.core & new.terms) > 1:
        return NEAR_BY_WORD
    named = any(
        word.named and not word.text.isupper() and word.stem in old.core for word in old.words
    )
    return NEAR_BY_NAME if named else NEAR


def _passes(new: _Said, old: _Said) -> bool:
    """Something happened that leaves all as it is: one who went somewhere lives where they did."""
    past = [
        word
        for at, word in enumerate(new.words)
        if (not word.named or at == 0) and _is_past(word) and not _is_state(new.words, at)
    ]
    passing = all(word.stem in _PASSING or word.low in _BARE_PAST for word in past)
    return bool(past) and passing and not _tells_turn(new.words, old)


def _tells_same_time(new: _Said, old: _Said) -> bool:
    """ "Two weeks" are 14 days."""
    mine, theirs = lasting(new.words), lasting(old.words)
    return bool(mine) and mine == theirs


def _goes_on_behind_number(text: str) -> bool:
    """ "It is in rack 4. Its password is …": what looks like an ordinal may end a sentence."""
    return any(
        one.isdigit() and end == "." and space == " "
        for one, end, space in zip(text, text[1:], text[2:], strict=False)
    )


def _is_of_another(new: _Said, old: _Said, telling: bool) -> bool:
    """Another person or thing: not all whom the old one is of are named, or nothing of it is."""
    names = {word.stem for word in old.words if word.named and word.stem in old.subject}
    if names - new.terms or _are_opposite(new, old) or _is_of_any(new) or _is_of_any(old):
        return True
    shared = (old.terms & new.terms) - _SPEAKERS - _TURNS
    if not old.verb:
        return len(shared) < 2 and not old.core & new.terms
    if not old.core:
        return not shared and not (telling and old.subject & new.subject)
    return not (old.core & new.terms or (new.subject <= _SPEAKERS and shared - old.subject))


def _is_of_any(said: _Said) -> bool:
    """ "Something hums": of what, nobody knows."""
    return any(word.low in _INDEFINITE for word in said.words[:2])


def _first(found: Sequence[Word]) -> list[str]:
    """Of what a statement most likely speaks whose verb is not known."""
    return [term for term in terms_of(found) if term not in _SPEAKERS][:1]


def _are_opposite(new: _Said, old: _Said) -> bool:
    mine, theirs = ({word.low for word in one.words} for one in (new, old))
    return any(
        len(pair & mine) == len(pair & theirs) == 1 != len(pair & mine & theirs)
        for pair in _OPPOSITE
    )


def _is_qualified_otherwise(new: _Said, old: _Said) -> bool:
    """ "The hallway light" is not "the bathroom light", and locker 19 not locker 18."""
    if new.subject & old.subject and new.subject - old.terms and old.subject - new.terms:
        return True
    more = bool(old.subject) and old.subject <= new.subject
    return more and bool(new.head) and new.head not in old.terms


def _stands_beside(new: _Said, old: _Said) -> bool:
    """One more of what there may be several of, unless it speaks of the same one."""
    if _has_phrase(new.words, _ADDED_BY) or any(word.low in _ADDED for word in new.words):
        return True
    if new.words[0].low == old.words[0].low == "there" or _is_on_other_day(new, old):
        return True
    value = old.terms - old.subject - {old.verb} - _TIMES_OF_DAY
    same_way = new.verb == old.verb or old.subject <= _SPEAKERS
    return old.verb in _MANY and same_way and not value & new.terms


def _is_on_other_day(new: _Said, old: _Said) -> bool:
    """ "Yoga is on Tuesday" and on Thursday, unless it was moved there."""
    mine, theirs = ({word.low for word in one.words} & _WEEKDAYS for one in (new, old))
    announced = _tells_news(new.words) or _tells_turn(new.words, old)
    return bool(mine and theirs) and not mine & theirs and not announced


def _said(text: str) -> _Said:
    found = words(text)
    at = find_verb(found)
    subject = _subject(found, at)
    verb = found[at] if at is not None else None
    return _Said(
        words=tuple(found),
        terms=frozenset(terms_of(found)),
        subject=frozenset(terms_of(subject)) - _OF_CHANGE,
        core=frozenset(_first(found) if verb is None else terms_of(_core(subject)))
        - _OF_CHANGE
        - _SPEAKERS,
        head=_head(subject),
        verb=verb.stem if verb else "",
        past=_tells_event_at_all(found) if verb is None else _is_past(verb),
    )


def _joined(found: Sequence[_Said]) -> _Said:
    first = found[0]
    every = tuple(word for one in found for word in one.words)
    terms = frozenset(term for one in found for term in one.terms)
    return replace(first, words=every, terms=terms)


def _subject(found: Sequence[Word], at: int | None) -> list[Word]:
    """What stands before the verb in the first clause; nothing where that begins with a verb."""
    if not at or is_past(found[0]):
        return []
    end = next((n + 1 for n, word in enumerate(found[:at]) if word.breaks), at)
    return [word for word in found[:end] if word.named or not is_past(word)]


def _core(subject: Sequence[Word]) -> list[Word]:
    found: list[Word] = []
    for word in subject:
        if word.low in PREPOSITIONS and word.low != "of" and found:
            break
        found.append(word)
    return found


def _head(subject: Sequence[Word]) -> str:
    lows = [word.low for word in subject]
    end = next((n for n, low in enumerate(lows) if n and low in PREPOSITIONS), len(lows))
    terms = [term for term in terms_of(subject[:end]) if term not in _OF_CHANGE]
    return terms[-1] if terms else ""


def _tells_event_at_all(found: Sequence[Word]) -> bool:
    """What happened once stays so, whatever happened after it."""
    return any(
        is_past(word) and word.low not in BE and not word.named and not _is_state(found, at)
        for at, word in enumerate(found)
    )


def _is_past(verb: Word) -> bool:
    return verb.low in _BARE_PAST or (is_past(verb) and verb.low not in BE)


def _is_unsure(said: _Said) -> bool:
    return any(word.low in _UNSURE for word in said.words) or _has_phrase(said.words, _AHEAD)


def _tells_news(found: Sequence[Word]) -> bool:
    """In words that mean nothing else; "again" in the present, for one may eat somewhere again."""
    lows = {word.low for word in found if not word.named}
    present = not any(_is_past(word) for word in found if not word.named)
    return bool(lows & _NEWS) or ("again" in lows and present) or _has_phrase(found, _PHRASES)


def _tells_turn(found: Sequence[Word], old: _Said) -> bool:
    """That something ended or altered, or that there is a new one of what was known."""
    if _has_phrase(found, _TURN_PHRASES) or any(word.low in _HINTS for word in found):
        return True
    if any(word.low in _RENEWED and after.stem in old.terms for word, after in pairwise(found)):
        return True
    return any(
        word.stem in _TURNS and _is_past(word) and not _is_state(found, at)
        for at, word in enumerate(found)
        if not word.named or at == 0
    )


def _is_state(found: Sequence[Word], at: int) -> bool:
    """ "Is painted white" tells how it is; "is postponed" is among the words above."""
    return at > 0 and found[at - 1].low in _PRESENT_BE


def _has_phrase(found: Sequence[Word], phrases: Sequence[tuple[str, ...]]) -> bool:
    lows = [word.low for word in found]
    return any(
        tuple(lows[at : at + len(phrase)]) == phrase
        for phrase in phrases
        for at in range(len(lows) - len(phrase) + 1)
    )
