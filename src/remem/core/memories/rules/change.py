"""Which known statements a new one may take the place of, if one who reads both says so; pure.

A model that compares statements takes other years, places, people and things for changes. So it is
asked only where rules object to nothing; what it says then decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from remem.core.judgements import UNSPOKEN, Known, Relation, Saying
from remem.core.language.claims.attributes import canonical
from remem.core.language.claims.durations import lasting
from remem.core.language.claims.news import (
    BARE_PAST,
    has_phrase,
    is_past_event,
    is_state,
    is_unsure,
    tells_news,
    tells_turn,
)
from remem.core.language.claims.outline import SPEAKERS, Outline, join_outlines, outline_of
from remem.core.language.claims.parse import parse
from remem.core.language.lists import phrases, word_set
from remem.core.language.times.calendar import WEEKDAY_NAMES
from remem.core.language.words import statements, stem, stem_set
from remem.core.memories.rules.named_apart import are_named_otherwise
from remem.core.memories.rules.other_matter import is_of_other_matter, may_be_of_other_matter
from remem.core.memories.rules.passing import is_passing
from remem.core.memories.rules.relate import is_another, is_earlier
from remem.core.memories.rules.says_more import says_more


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen on bench/sets/pairs.toml."""

    old_chars: int = 300
    new_chars: int = 500
    # The cosine from which on two statements are of the same matter: with several words in common
    # besides what they are of, with one, with none; and where they are of somebody by name.
    near_by_words: float = 0.4
    near_by_word: float = 0.5
    near: float = 0.6
    near_by_name: float = 0.7
    # Further apart than this they are of two matters, and than that whatever the reader says.
    near_at_all: float = 0.5
    near_enough_to_ask: float = 0.33
    # How likely the reader must find an update: where the words tell of a change and mean nothing
    # else, where they may or only the reader says so, and where what the rules know of the two
    # speaks against it without ruling it out.
    announced: float = 0.8
    unannounced: float = 0.85
    doubted: float = 0.94
    # And where they rather rule it out.
    certain: float = 0.955


THRESHOLDS = Thresholds()
_PASSING = stem_set("changes", "passing")
_VISITS = stem_set("changes", "visits")
_RESIDES = stem_set("changes", "resides")
_MANY = stem_set("changes", "many")
_ADDED = word_set("changes", "added")
_ADDED_PHRASES = phrases("changes", "added_phrases")
_WEEKDAYS = frozenset(WEEKDAY_NAMES).union(f"{day}s" for day in WEEKDAY_NAMES)
_TIMES_OF_DAY = frozenset(
    map(stem, "morning noon afternoon evening night day week weekend".split())
)
_COMMON = frozenset(map(stem, "have get do make go can be".split()))
_WORK, _JOB = stem("work"), frozenset((stem("job"), canonical(stem("job"))))


def may_change(
    content: str,
    known: Sequence[Known],
    relations: Sequence[Relation],
    said: Saying = UNSPOKEN,
    of_whole: bool = True,
) -> list[tuple[UUID, float]]:
    """Of those that stay beside it by the rules, which it may still take the place of; where it is
    not `of_whole`, of a part of them."""
    if relations and relations[0].action == "noop":
        return []
    decided = {one.target_id for one in relations if one.action == "update"}
    left = [one for one in known if one.id not in decided]
    return may_update(content, left, said, of_whole=of_whole)


def may_update(
    content: str, known: Sequence[Known], said: Saying = UNSPOKEN, *, of_whole: bool = True
) -> list[tuple[UUID, float]]:
    """Those that it may take the place of, and how likely the reader must find it."""
    if len(content) > THRESHOLDS.new_chars or content.rstrip().endswith("?"):
        return []
    found = [outline_of(each) for each in statements(content)]
    if not found:
        return []
    new = join_outlines(found)
    telling = tells_news(new.words)
    parsed = parse(content, said.speaker)
    return [
        (one.id, likely)
        for one in known
        if not is_another(said.speaker, one.speaker)
        and not is_earlier(parsed, one)
        and (likely := _needed(new, one, telling, of_whole=of_whole)) is not None
        and not is_passing(content, one.content, said.day)
    ]


def _needed(new: Outline, known: Known, telling: bool, *, of_whole: bool) -> float | None:
    """How likely it must be; None where the rules veto it."""
    text = known.content
    parts = statements(text)
    if len(parts) != 1 or len(text) > THRESHOLDS.old_chars or _goes_on_behind_number(text):
        return None
    old = outline_of(parts[0])
    announced = telling or tells_turn(new.words, old.terms)
    apart = are_named_otherwise(new.words, old.words) or _differs_in_one(new, old)
    vetoed = (
        old.past
        or (not announced and apart)
        or known.cosine < min(THRESHOLDS.near_enough_to_ask, _near_enough(new, old))
        or (of_whole and says_more(old, new, text))
        or _stands_beside(new, old)
        or is_of_other_matter(new, old, announced)
        or _was_elsewhere(new, old)
        or _tells_same_time(new, old)
    )
    if vetoed:
        return None
    ruled_out = (
        is_unsure(new.words)
        or known.cosine < min(THRESHOLDS.near_at_all, _near_enough(new, old))
        or may_be_of_other_matter(new, old, telling)
        or _is_on_other_day(new, old)
    )
    if ruled_out:
        return THRESHOLDS.certain
    if known.cosine < _near_enough(new, old) or (not telling and _passes(new, old)):
        return THRESHOLDS.doubted
    if not announced and (old.subject - new.terms or new.subject - old.terms) - SPEAKERS:
        return THRESHOLDS.doubted
    is_plain = telling and _shares_more(new, old)
    return THRESHOLDS.announced if is_plain else THRESHOLDS.unannounced


def _differs_in_one(new: Outline, old: Outline) -> bool:
    """Said alike but for one value: what that means is plain to the rules without a reader."""
    return len(new.terms - old.terms) <= 1 and len(old.terms - new.terms) <= 1


def _shares_more(new: Outline, old: Outline) -> bool:
    """Whether they have more in common than what they are of."""
    return bool(_more(new, old)) or (old.verb == _WORK and bool(new.terms & _JOB))


def _more(new: Outline, old: Outline) -> frozenset[str]:
    return (old.terms & new.terms) - old.core - SPEAKERS - _COMMON


def _near_enough(new: Outline, old: Outline) -> float:
    """The cosine from which on two are of the same matter. Of a thing much is said, and of a person
    more: what has only that in common must be nearer."""
    if len(_more(new, old)) > 1:
        return THRESHOLDS.near_by_words
    if _shares_more(new, old) or len(old.core & new.terms) > 1:
        return THRESHOLDS.near_by_word
    named = any(
        word.named and not word.text.isupper() and word.stem in old.core for word in old.words
    )
    return THRESHOLDS.near_by_name if named else THRESHOLDS.near


def _passes(new: Outline, old: Outline) -> bool:
    """Something happened that leaves all as it is."""
    past = [
        word
        for at, word in enumerate(new.words)
        if (not word.named or at == 0) and is_past_event(word) and not is_state(new.words, at)
    ]
    passing = all(word.stem in _PASSING or word.low in BARE_PAST for word in past)
    return bool(past) and passing and not tells_turn(new.words, old.terms)


def _was_elsewhere(new: Outline, old: Outline) -> bool:
    """One who went somewhere lives where they did."""
    return old.verb in _RESIDES and old.verb not in new.terms and bool(_VISITS & new.terms)


def _tells_same_time(new: Outline, old: Outline) -> bool:
    """ "Two weeks" are 14 days."""
    mine, theirs = lasting(new.words), lasting(old.words)
    return bool(mine) and mine == theirs


def _goes_on_behind_number(text: str) -> bool:
    """ "It is in rack 4. Its password is …": what looks like an ordinal may end a sentence."""
    return any(
        one.isdigit() and end == "." and space == " "
        for one, end, space in zip(text, text[1:], text[2:], strict=False)
    )


def _stands_beside(new: Outline, old: Outline) -> bool:
    """One more of what there may be several of, unless it speaks of the same one."""
    if has_phrase(new.words, _ADDED_PHRASES) or any(word.low in _ADDED for word in new.words):
        return True
    if new.words[0].low == old.words[0].low == "there":
        return True
    value = old.terms - old.subject - {old.verb} - _TIMES_OF_DAY
    same_way = new.verb == old.verb or old.subject <= SPEAKERS
    return old.verb in _MANY and same_way and not value & new.terms


def _is_on_other_day(new: Outline, old: Outline) -> bool:
    """ "Yoga is on Tuesday" and on Thursday, unless it was moved there."""
    mine, theirs = ({word.low for word in one.words} & _WEEKDAYS for one in (new, old))
    announced = tells_news(new.words) or tells_turn(new.words, old.terms)
    return bool(mine and theirs) and not mine & theirs and not announced
