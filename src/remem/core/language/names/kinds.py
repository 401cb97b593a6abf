"""What a run of capitalised words is the name of, by its words and those around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.names import lexicon as known
from remem.core.language.names.model import EntityType

NAME_WORDS_LIMIT = 6
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class NameRun:
    """A run of words with what stands around it; `owns` when it ends in a possessive."""

    words: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]
    starts: bool
    owns: bool

    @property
    def name(self) -> list[str]:
        """Without the titles before it."""
        kept = list(self.words)
        while len(kept) > 1 and kept[0] in known.TITLES:
            kept = kept[1:]
        return kept

    @property
    def first(self) -> str:
        return self.words[0]

    @property
    def last(self) -> str:
        return self.words[-1]

    @property
    def next(self) -> str:
        return self.after[0] if self.after else ""

    @property
    def previous(self) -> str:
        return self.before[-1].lower() if self.before else ""


def kind_of(seen: NameRun, *, sure: bool) -> EntityType | None:
    """None when it is most likely no name. `sure` takes only what its own words give away."""
    if len(seen.words) > NAME_WORDS_LIMIT or seen.words == ["I"]:
        return None
    own = _by_own_words(seen)
    if sure:
        # Of a heading, where every word is written large, an end such as "Pipeline" says nothing.
        return own if own in ("person", "organization") else None
    return own or _by_company(seen) or _unknown(seen)


def _by_own_words(seen: NameRun) -> EntityType | None:
    first, last, several = seen.first, seen.last, len(seen.words) > 1
    if first in known.TITLES:
        return "person" if several else None
    if several and (last in known.ORGANIZATION_ENDS or first in known.ORGANIZATION_STARTS):
        return "organization"
    if several and last in known.EVENT_ENDS:
        return "event"
    if several and last in known.SYSTEM_ENDS:
        return "system"
    if several and (last in known.PLACE_ENDS or first in known.PLACE_STARTS):
        return "place"
    if first in known.FIRST_NAMES and len(seen.words) <= 4:
        return "person" if several or _is_surely_somebody(seen) else None
    if len(seen.words) == 3 and seen.words[1] in known.FIRST_NAMES:
        return "person"
    return None


def _is_surely_somebody(seen: NameRun) -> bool:
    return seen.first not in known.DOUBTFUL_NAMES or not seen.starts or _acts(seen)


def _acts(seen: NameRun) -> bool:
    return seen.owns or seen.next.lower() in known.PERSON_VERBS


def _by_company(seen: NameRun) -> EntityType | None:
    """By the words around it: somebody's relation, what they do, where it is."""
    single = len(seen.words) == 1
    if seen.previous in known.RELATIVES:
        return "person"
    if seen.next.lower() in known.PERSON_VERBS and len(seen.words) <= 3 and _is_plain(seen):
        return "person"
    travels = any(word.lower() in known.TRAVEL_CUES for word in seen.before[-3:-1])
    to = seen.previous in ("to", "from") and travels
    if (seen.previous in known.PLACE_CUES or to) and _is_plain(seen) and len(seen.words) <= 2:
        return "place" if single or seen.last.isalpha() else None
    return None


def _unknown(seen: NameRun) -> EntityType | None:
    """A name of something: within a sentence, or several words at its start."""
    if len(seen.words) > 1:
        return "concept"
    if seen.starts or len(seen.first) < _SHORTEST or not _is_plain(seen):
        return None
    return "concept"


def _is_plain(seen: NameRun) -> bool:
    """Written as names are: not shouted, no number in it."""
    return all(word[0].isupper() and not word.isupper() and word[-1].isalpha() for word in
               seen.words if word not in known.PARTICLES)  # fmt: skip
