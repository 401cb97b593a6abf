"""Classify a run of capitalised words by its own words and those around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from remem.core.language.names import lexicon
from remem.core.language.names.model import EntityType

NAME_WORDS_LIMIT = 6
_MIN_CHARS = 3


@dataclass(frozen=True, slots=True)
class NameRun:
    """A run of words with its context. `starts`: it begins a sentence. `owns`: it ends in a
    possessive."""

    words: Sequence[str]
    before: Sequence[str]
    after: Sequence[str]
    starts: bool
    owns: bool

    @property
    def name(self) -> list[str]:
        """The words of the name without leading titles."""
        words = list(self.words)
        while len(words) > 1 and words[0] in lexicon.TITLES:
            words = words[1:]
        return words

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


def kind_of(run: NameRun, *, sure: bool) -> EntityType | None:
    """The type of a name, or None when it is most likely no name. With `sure`, only its own words
    count."""
    if len(run.words) > NAME_WORDS_LIMIT or run.words == ["I"]:
        return None
    own = _by_own_words(run)
    if sure:
        # Every word of a heading is capitalised, so an ending such as "Pipeline" says nothing
        # there.
        return own if own in ("person", "organization") else None
    return own or _by_context(run) or _unknown(run)


def _by_own_words(run: NameRun) -> EntityType | None:
    first, last, has_several_words = run.first, run.last, len(run.words) > 1
    if first in lexicon.TITLES:
        return "person" if has_several_words else None
    if has_several_words and (
        last in lexicon.ORGANIZATION_ENDS or first in lexicon.ORGANIZATION_STARTS
    ):
        return "organization"
    if has_several_words and last in lexicon.EVENT_ENDS:
        return "event"
    if has_several_words and last in lexicon.SYSTEM_ENDS:
        return "system"
    if has_several_words and (last in lexicon.PLACE_ENDS or first in lexicon.PLACE_STARTS):
        return "place"
    if first in lexicon.FIRST_NAMES and len(run.words) <= 4:
        return "person" if has_several_words or _is_certainly_person(run) else None
    if len(run.words) == 3 and run.words[1] in lexicon.FIRST_NAMES:
        return "person"
    return None


def _is_certainly_person(run: NameRun) -> bool:
    return run.first not in lexicon.DOUBTFUL_NAMES or not run.starts or _is_agent(run)


def _is_agent(run: NameRun) -> bool:
    return run.owns or run.next.lower() in lexicon.PERSON_VERBS


def _by_context(run: NameRun) -> EntityType | None:
    """Classify by context: a family relation, a verb of a person, a place word."""
    is_single = len(run.words) == 1
    if run.previous in lexicon.RELATIVES:
        return "person"
    if run.next.lower() in lexicon.PERSON_VERBS and len(run.words) <= 3 and _is_plain(run):
        return "person"
    travels = any(word.lower() in lexicon.TRAVEL_CUES for word in run.before[-3:-1])
    is_direction = run.previous in ("to", "from") and travels
    if (
        (run.previous in lexicon.PLACE_CUES or is_direction)
        and _is_plain(run)
        and len(run.words) <= 2
    ):
        return "place" if is_single or run.last.isalpha() else None
    return None


def _unknown(run: NameRun) -> EntityType | None:
    """`concept` for an unknown name inside a sentence, or of several words at its start."""
    if len(run.words) > 1:
        return "concept"
    if run.starts or len(run.first) < _MIN_CHARS or not _is_plain(run):
        return None
    return "concept"


def _is_plain(run: NameRun) -> bool:
    """Whether it is written like a name: not all in capitals and without numbers."""
    return all(word[0].isupper() and not word.isupper() and word[-1].isalpha() for word in
               run.words if word not in lexicon.PARTICLES)  # fmt: skip
