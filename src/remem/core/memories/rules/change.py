"""Which known statements a new one may take the place of, if one who reads both says so; pure.

A model that compares statements takes other years, places, people and things for changes. So it is
asked only where rules object to nothing; what it says then decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from uuid import UUID

from remem.core.judgements import UNSPOKEN, Known, Relation, Saying
from remem.core.language.claims.durations import lasting
from remem.core.language.claims.news import (
    has_phrase,
    is_unsure,
    tells_news,
    tells_turn,
)
from remem.core.language.claims.outline import Outline, join_outlines, outline_of
from remem.core.language.claims.parse import parse
from remem.core.language.claims.verbs import is_past
from remem.core.language.lists import phrases
from remem.core.language.words import statements, stem, stem_set
from remem.core.memories.rules.named_apart import are_named_otherwise
from remem.core.memories.rules.other_matter import is_of_other_matter, may_be_of_other_matter
from remem.core.memories.rules.passing import is_passing
from remem.core.memories.rules.relate import is_another, is_earlier
from remem.core.memories.rules.says_more import says_more
from remem.core.memories.rules.written_apart import is_written_apart


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Chosen on bench/sets/pairs.toml."""

    old_chars: int = 300
    new_chars: int = 500
    # The cosine below which two statements are of two matters: the reader is not asked.
    near: float = 0.25
    # How likely the reader must find an update, and where what the rules know of the two speaks
    # against it without ruling it out.
    likely: float = 0.88
    doubted: float = 0.95


THRESHOLDS = Thresholds()
_VISITS = stem_set("changes", "visits")
_RESIDES = stem_set("changes", "resides")
_MANY = stem_set("changes", "many")
_MANY_STATES = stem_set("changes", "many_states")
_ADDED_PHRASES = phrases("changes", "added_phrases")
_LONG_AGO = phrases("changes", "long_ago")
_HELPING = frozenset(map(stem, ("have", "can", "need")))
# What is denied, or so alone, is not one more.
_ALONE = frozenset("instead only rather not never stopped quit".split())
_FOR_GOOD = phrases("changes", "for_good")
_TIMES_OF_DAY = frozenset(
    map(stem, "morning noon afternoon evening night day week weekend".split())
)


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
    parsed = parse(content, said.speaker)
    return [
        (one.id, likely)
        for one in known
        if not is_another(said.speaker, one.speaker)
        and not is_earlier(parsed, one)
        and (likely := _needed(content, new, one, said.day, of_whole=of_whole)) is not None
    ]


def _needed(
    content: str, new: Outline, known: Known, today: date | None, *, of_whole: bool
) -> float | None:
    """How likely it must be; None where the rules veto it."""
    if known.cosine < THRESHOLDS.near:
        return None
    text = known.content
    parts = statements(text)
    if len(parts) != 1 or len(text) > THRESHOLDS.old_chars or _goes_on_behind_number(text):
        return None
    old = outline_of(parts[0])
    announced = tells_news(new.words) or tells_turn(new.words, old.terms)
    apart = are_named_otherwise(new.words, old.words) or _differs_in_one(new, old)
    vetoed = (
        (old.past and not tells_turn(old.words, old.terms))
        or has_phrase(old.words, _LONG_AGO)
        or (not announced and apart)
        or (of_whole and says_more(old, new, text))
        or _stands_beside(new, old)
        or is_of_other_matter(new, old, announced)
        or is_written_apart(content, text)
        or _tells_same_time(new, old)
        or _was_elsewhere(new, old)
    )
    passes = not vetoed and is_passing(content, text, today)
    if vetoed or (passes and _says_again(old, new)):
        return None
    may_be_apart = may_be_of_other_matter(new, old, tells_news(new.words))
    is_doubted = old.past or is_unsure(new.words) or may_be_apart or passes
    return THRESHOLDS.doubted if is_doubted else THRESHOLDS.likely


def _differs_in_one(new: Outline, old: Outline) -> bool:
    """Said alike but for one value: what that means is plain to the rules without a reader."""
    return len(new.terms - old.terms) <= 1 and len(old.terms - new.terms) <= 1


def _says_again(old: Outline, new: Outline) -> bool:
    """Whether the same is said of it with another value: "In winter the kiosk opens at 9"."""
    return not old.verb or any(word.stem == old.verb for word in new.words)


def _was_elsewhere(new: Outline, old: Outline) -> bool:
    """One who went somewhere lives where they did, unless it is for good."""
    if old.verb not in _RESIDES or old.verb in new.terms:
        return False
    done = {new.verb} if new.verb else new.terms
    return bool(_VISITS & done) and not has_phrase(new.words, _FOR_GOOD)


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
    if has_phrase(new.words, _ADDED_PHRASES):
        return True
    if new.words[0].low == old.words[0].low == "there":
        return True
    said = {word.stem for word in new.words}
    several = old.verb in _MANY and _has_verb(new, old.verb)
    several = several or any(word.stem in _MANY_STATES & said for word in old.words)
    value = old.terms - old.subject - {old.verb} - _TIMES_OF_DAY - _MANY_STATES - {"to"}
    is_alone = any(word.low in _ALONE for word in new.words)
    return several and not is_alone and not value & new.terms


def _has_verb(said: Outline, verb: str) -> bool:
    """ "Has shaved it off": there it only helps another verb."""
    return any(
        word.stem == verb and not (verb in _HELPING and is_past(after))
        for word, after in pairwise(said.words)
    )
