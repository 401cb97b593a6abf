"""Find the verb of a statement and its tense."""

from collections.abc import Sequence

from remem.core.language.claims.attributes import VERBS, verb_frame
from remem.core.language.quantities import is_quantity
from remem.core.language.words import IRREGULAR_FORMS, Word, starts_with_title

BE = frozenset("am is are was were be been being".split())
ADVERBS = frozenset(
    "always usually often sometimes never mostly mainly generally normally typically only ever soon"
    " officially originally permanently temporarily primarily finally".split()
)
CLAUSES = frozenset(
    "and but because so while although though who which where when or instead rather if".split()
)
_PAST = frozenset("was were had did".split())
_PRESENT = frozenset("is are am has have 's 're 'm".split())
_AUXILIARIES = BE | frozenset("have has had will would can could may might must should".split())
_DETERMINERS = frozenset("the a an this that these those my our your his her its their 's".split())
_PRONOUNS = frozenset("i we you they he she it".split())
_RELATIVES = frozenset("that which who where whose whom when".split())
_NOT_VERBS = frozenset("'s this as us his its".split())
_ADJECTIVES = frozenset(
    "born famous known fond good interested fluent allergic responsible due set".split()
)


def find_verb(words: Sequence[Word]) -> int | None:
    """The index of the main verb, which is neither in a name nor in a relative clause of the
    subject."""
    in_relative_clause, at = False, 0
    while at < len(words):
        if words[at].low in _RELATIVES and at > 0 and not words[at].named:
            in_relative_clause = True
        elif _is_finite(words, at):
            if not in_relative_clause:
                return _last_copula(words, at) if words[at].low in BE else at
            # The clause has one verb; "was educated" counts as one.
            in_relative_clause, at = False, at + _is_compound(words, at)
        at += 1
    return None


def starts_clause(words: Sequence[Word]) -> bool:
    """Whether the words after "and" begin another clause instead of naming one more thing."""
    first = words[0] if words else None
    if first is None or first.named:
        return False
    return first.stem in VERBS or first.low in _DETERMINERS | _PRONOUNS | ADVERBS | _AUXILIARIES


def last_verb_index(words: Sequence[Word], at: int) -> int:
    """The index of the last verb in a chain such as "has been working"; the others are
    auxiliaries."""
    while words[at].low in _AUXILIARIES and at + 1 < len(words) and _is_verb(words[at + 1]):
        at += 1
    return at


def is_past(word: Word) -> bool:
    if word.low in _PAST or (word.low.endswith("ed") and not word.low.endswith("eed")):
        return True
    return word.low in IRREGULAR_FORMS and not word.low.endswith(("s", "ing"))


def is_present_tense(words: Sequence[Word]) -> bool:
    """Whether all verbs are in the present tense."""
    if any(map(is_past, words)):
        return False
    return any(
        word.low in _PRESENT or (word.low.endswith("s") and word.stem in VERBS) for word in words
    )


def is_participle(word: Word) -> bool:
    if word.named:
        return False
    has_ending = word.low.endswith(("ed", "ing", "wn", "en")) or word.low in IRREGULAR_FORMS
    return has_ending or verb_frame(f"be {word.stem}", "") is not None or word.low in _ADJECTIVES


def _is_compound(words: Sequence[Word], at: int) -> bool:
    return words[at].low in _AUXILIARIES and at + 1 < len(words) and is_participle(words[at + 1])


def _last_copula(words: Sequence[Word], at: int) -> int:
    """The index of the last copula before any clause; an earlier "is" may belong to a title."""
    for index in range(at + 1, len(words)):
        word, previous = words[index], words[index - 1]
        if previous.breaks or word.low in CLAUSES or word.low == "that":
            break
        if word.low in ("is", "was") and previous.named:
            at = index
    return at


def _is_finite(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    if at == 0:
        return _starts_with_verb(words)
    previous = words[at - 1]
    if word.named or (previous.low in _DETERMINERS and not (previous.low == "that" and at > 1)):
        return False
    if word.low in _AUXILIARIES:
        return True
    if previous.low in _PRONOUNS and not previous.named:
        return word.low not in ADVERBS and not is_quantity(word)
    is_inflected = word.low.endswith(("s", "ed")) or word.low in IRREGULAR_FORMS
    if is_inflected and word.low not in _NOT_VERBS:
        return word.stem in VERBS or _follows_name(words, at)
    return word.stem in VERBS and _is_plural(words[:at])


def _starts_with_verb(words: Sequence[Word]) -> bool:
    """Whether the verb comes first, as in "likes tea", and does not open a title."""
    first = words[0]
    if first.stem not in VERBS or first.low in BE or first.named or len(words) < 2:
        return False
    return not starts_with_title(words, BE)


def _follows_name(words: Sequence[Word], at: int) -> bool:
    """Whether a word follows a name and so is a verb, known or not: "Anna juggles"."""
    return all(word.named for word in words[1:at]) and words[0].text[:1].isupper()


def _is_plural(subject: Sequence[Word]) -> bool:
    last = subject[-1].low
    return last in ADVERBS or last.endswith("s") or any(word.low == "and" for word in subject)


def _is_verb(word: Word) -> bool:
    return word.stem in VERBS or word.low in _AUXILIARIES or word.low.endswith(("ed", "ing"))
