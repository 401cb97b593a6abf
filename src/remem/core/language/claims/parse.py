"""Parse statements into claims: words, mood, slot and content."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from remem.core.language.claims.attributes import canonical
from remem.core.language.claims.idioms import rewrite_idiom
from remem.core.language.claims.mood import Mood, extract_mood
from remem.core.language.claims.openings import move_opening_time
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
    # Whether the statement mentions its speaker outside the subject.
    owned: bool = False


def parse(text: str, speaker: str | None = None) -> tuple[Claim, ...]:
    """Parse the statements of a text; none when it is too long to be a memory of a few facts. A
    named speaker's "I" refers to somebody of that name, not to the user."""
    claims = _parse(text)
    if is_user(speaker):
        return claims
    name = tuple((speaker or "").casefold().split())
    return tuple(_attribute_to(statement, name) for statement in claims)


def _attribute_to(claim: Claim, name: tuple[str, ...]) -> Claim:
    named_us = f"<us {' '.join(name)}>"
    replacements = {"<me>": name, "<us>": (named_us,)}
    content = tuple(
        replacement for term in claim.content for replacement in replacements.get(term, (term,))
    )
    slot = claim.slot
    if slot:
        subject = tuple(
            replacement for term in slot.subject for replacement in replacements.get(term, (term,))
        )
        if "<us>" in claim.content and named_us not in subject:
            subject = (named_us, *subject)
        slot = replace(slot, subject=subject or name)
    owned = slot is None or any(map(_is_speaker, (*slot.value, *slot.extras, *slot.former)))
    return replace(claim, slot=slot, content=content, owned=owned)


@lru_cache(maxsize=512)
def _parse(text: str) -> tuple[Claim, ...]:
    if len(text) > CHARS_LIMIT:
        return ()
    lines = statements(text)
    words_by_line = [words(statement) for statement in lines]
    if len(lines) > STATEMENTS_LIMIT or any(
        len(line_words) > WORDS_LIMIT for line_words in words_by_line
    ):
        return ()
    pairs = zip(lines, words_by_line, strict=True)
    return tuple(_parse_statement(line, line_words) for line, line_words in pairs if line_words)


def _parse_statement(line: str, line_words: Sequence[Word]) -> Claim:
    remaining, mood = extract_mood(move_opening_time(line_words), line.rstrip().endswith("?"))
    return Claim(remaining, mood, read_slot(rewrite_idiom(remaining)), content_terms(remaining))


def content_terms(words: Iterable[Word]) -> tuple[str, ...]:
    """The terms that carry meaning, without function words; numbers in one form."""
    return tuple(_term(word) for word in words if _carries_meaning(word))


def _carries_meaning(word: Word) -> bool:
    return word.named or word.low not in _FUNCTION or _is_speaker(word)


def _is_speaker(word: Word) -> bool:
    return not word.named and (word.low in _ME or word.low in _US)


def _term(word: Word) -> str:
    if _is_speaker(word):
        return "<me>" if word.low in _ME else "<us>"
    if kind_of(word):
        return amounts([word])[0][1]
    return canonical(word.stem)
