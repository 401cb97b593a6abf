"""A statement as read: its words, its mood, its slot and its content."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from remem.core.language.claims.attributes import canonical
from remem.core.language.claims.idioms import plain
from remem.core.language.claims.mood import Mood, weigh
from remem.core.language.claims.openings import turned
from remem.core.language.claims.slots import ClaimSlot, read_slot
from remem.core.language.person import is_user
from remem.core.language.quantities import amounts, kind_of
from remem.core.language.words import Word, statements, words

STATEMENTS_LIMIT = 12
WORDS_LIMIT = 80
CHARS_LIMIT = 4_000
_FUNCTION = frozenset(
    "a an the is are am was were be been being do does did have has had having of in on at by it"
    " its this that these there here and s 's as so then very really also still just already will"
    " quite which who whose my our me us i we you your".split()
)
_ME = frozenset("i me my mine myself user".split())
_US = frozenset("we us our ours ourselves".split())


@dataclass(frozen=True, slots=True)
class Claim:
    words: tuple[Word, ...]
    mood: Mood
    slot: ClaimSlot | None
    content: tuple[str, ...]
    # Whether it names its speaker in what it says of somebody or something else.
    owned: bool = False


def parse(text: str, speaker: str | None = None) -> tuple[Claim, ...]:
    """The statements of a text; none when it is too long to be a memory of a few facts. What a
    named speaker says of themselves is said of somebody by that name, not of the user."""
    found = _parse(text)
    if is_user(speaker):
        return found
    name = tuple((speaker or "").casefold().split())
    return tuple(_said_by(statement, name) for statement in found)


def _said_by(statement: Claim, name: tuple[str, ...]) -> Claim:
    ours = f"<us {' '.join(name)}>"
    parts = {"<me>": name, "<us>": (ours,)}
    content = tuple(part for term in statement.content for part in parts.get(term, (term,)))
    slot = statement.slot
    if slot:
        subject = tuple(part for term in slot.subject for part in parts.get(term, (term,)))
        if "<us>" in statement.content and ours not in subject:
            subject = (ours, *subject)
        slot = replace(slot, subject=subject or name)
    owned = slot is None or any(map(_is_speaker, (*slot.value, *slot.extras, *slot.gone)))
    return replace(statement, slot=slot, content=content, owned=owned)


@lru_cache(maxsize=512)
def _parse(text: str) -> tuple[Claim, ...]:
    if len(text) > CHARS_LIMIT:
        return ()
    found = statements(text)
    read_words = [words(statement) for statement in found]
    if len(found) > STATEMENTS_LIMIT or any(len(each) > WORDS_LIMIT for each in read_words):
        return ()
    pairs = zip(found, read_words, strict=True)
    return tuple(_statement(line, each) for line, each in pairs if each)


def _statement(line: str, found: Sequence[Word]) -> Claim:
    left, mood = weigh(turned(found), line.rstrip().endswith("?"))
    return Claim(left, mood, read_slot(plain(left)), content(left))


def content(found: Iterable[Word]) -> tuple[str, ...]:
    """What is said, without the words that only join it; numbers in one form."""
    return tuple(_term(word) for word in found if _says_something(word))


def _says_something(word: Word) -> bool:
    return word.named or word.low not in _FUNCTION or _is_speaker(word)


def _is_speaker(word: Word) -> bool:
    return not word.named and (word.low in _ME or word.low in _US)


def _term(word: Word) -> str:
    if _is_speaker(word):
        return "<me>" if word.low in _ME else "<us>"
    if kind_of(word):
        return amounts([word])[0][1]
    return canonical(word.stem)
