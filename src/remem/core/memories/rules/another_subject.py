"""Whether two statements are about different things, by the names and numbers of their subjects.

"The code of gate 2 is 6620" says nothing about gate 1, and "Lena works in Rome" nothing about Max.
Whatever a model says, neither replaces nor repeats the other. A value is not part of the subject:
"My room is 14" and "My room is 12" are about the same room."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from remem.core.language.claims.attributes import MANY_NOUNS, PREPOSITIONS, VERBS
from remem.core.language.claims.news import announces_change, announces_news, is_past_event
from remem.core.language.claims.parse import content_terms as terms_of
from remem.core.language.claims.verbs import ADVERBS, BE, find_verb, is_past
from remem.core.language.detect import is_in_other_language
from remem.core.language.everyday import everyday_share
from remem.core.language.names.lexicon import FIRST_NAMES, FUNCTION_WORDS, RELATIVES, TITLES
from remem.core.language.numbers import CARDINALS, ORDINALS
from remem.core.language.quantities import dimensions, kind_of
from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.times.phrases.words import han_number
from remem.core.language.words import Word, statements, stem, stem_set, words
from remem.core.memories.rules.other_beginning import begin_differently

_SPEAKERS = frozenset(("<me>", "<us>"))
_DETERMINERS = frozenset("the my our your his her its their".split())
_CHANGE_TERMS = stem_set("changes", "of_change")
# After one of these words a number is a value: "is room 4", "in room 4".
_BEFORE_VALUES = BE | frozenset("in on at to into onto from near by until till".split())
# Several people do these at the same time.
_SHARED_VERBS = stem_set("changes", "many") | stem_set("changes", "resides")
# After these verbs, a name and a number are a version: "We use PostgreSQL 16".
_VERSION_VERBS = frozenset(
    map(stem, "use have own run need require install upgrade switch move buy get support".split())
)
_TAKEN_UP = frozenset("new elected appointed voted named became becomes".split())
# These are names where they are the subject.
_ALSO_NAMES = frozenset("will may".split())
_BEFORE_VERBS = ADVERBS | frozenset("no longer now also just".split())
_NUMBER_SIGNS = frozenset(("no", "number"))
_NO = re.compile(r"\bno\. ?(?=[\dA-Z])", re.I)
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")
# "Floor -1" is another floor than floor 1.
_NUMBER = re.compile(r"[#№]?([-−]?)(\d{1,9})([a-z]?)")
SIGNED_NUMBER = re.compile(
    r"(?:(?P<digits>\d{1,9})|(?P<han>[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]))"
    r"\s?(?P<sign>[号號番室호번])"
)
# Only the beginnings of long texts and statements are compared.
_CHARS, _MAX_WORDS = 1_000, 40


@dataclass(frozen=True, slots=True)
class _Subject:
    """The names and the numbers in the subjects of a text, the names before and after "of" and
    the like, and all words of the text."""

    names: frozenset[str]
    heads: frozenset[str]
    beside: frozenset[str]
    numbers: frozenset[str]
    mentioned: frozenset[str]


def is_about_another(new: str, old: str) -> bool:
    new, old = new[:_CHARS], old[:_CHARS]
    if new == old:
        return False
    if have_different_numbers(new, old):
        return True
    if not (has_english_grammar(new) and has_english_grammar(old)):
        return begin_differently(new, old) or _have_different_names(new, old)
    if _fill_same_role(new, old):
        return False
    return _have_different_names(new, old) or _have_same_end(new, old)


def has_english_grammar(text: str) -> bool:
    """Whether English grammar can find the subject."""
    letters = [char for char in text if char.isalpha()]
    if 2 * sum(char.upper() == char.lower() for char in letters) > len(letters):
        return False
    return find_verb(words(text)) is not None or not is_in_other_language(text)


def have_different_numbers(first: str, second: str) -> bool:
    """Whether each names a numbered thing that the other does not: gate 1, gate 2."""
    first_numbers, second_numbers = _subject(first).numbers, _subject(second).numbers
    return bool(first_numbers - second_numbers and second_numbers - first_numbers)


def names_other_number(text: str, question: str) -> bool:
    """Whether a text is about other things of the kind that a question numbers: gate 3 and not
    gate 1."""
    asked = numbered_things(question) | signed_numbers(question)
    named = numbered_things(text) | signed_numbers(text)
    return any(asked[noun].isdisjoint(named[noun]) for noun in asked.keys() & named.keys())


def numbered_things(text: str) -> dict[str, set[str]]:
    """The numbers after the stem of each noun; a number with a unit is an amount."""
    things: dict[str, set[str]] = {}
    line = words(_NO.sub("number ", text[:_CHARS]))
    for at in range(len(line)):
        number = _number(line[at])
        noun_at = at + 1 if _is_ordinal(line[at]) else at - 1
        if not number or not 0 <= noun_at < len(line):
            continue
        noun_at -= noun_at > 0 and line[noun_at].low in _NUMBER_SIGNS
        if _is_noun(line[noun_at]) and not dimensions(line[at + 1 : at + 2]):
            things.setdefault(line[noun_at].stem, set()).add(number)
    return things


def signed_numbers(text: str) -> dict[str, set[str]]:
    """Of 五号门 and 5号门: the numbers before each sign for them."""
    things: dict[str, set[str]] = {}
    for match in SIGNED_NUMBER.finditer(unicodedata.normalize("NFKC", text[:_CHARS])):
        number = match["digits"] or str(han_number(match["han"]))
        things.setdefault(match["sign"], set()).add(str(int(number)))
    return things


def _have_different_names(new: str, old: str) -> bool:
    new_subject, old_subject = _subject(new), _subject(old)
    if _has_other_name(new_subject, old_subject) and _has_other_name(old_subject, new_subject):
        return True
    # "TensorFlow is …", "Machine Learning with TensorFlow runs …": mentioned, and yet two things.
    # "The contract with Acme ended" is a change of what Acme was.
    line = words(new)
    verb_at = find_verb(line)
    is_fact = verb_at is not None and not is_past_event(line[verb_at]) and not _announces(line)
    return _is_part_of_subject(old_subject, new_subject, is_fact) or _is_part_of_subject(
        new_subject, old_subject, is_fact
    )


def _is_part_of_subject(subject: _Subject, other: _Subject, is_fact: bool) -> bool:
    """Whether one names by "of", "with" and the like what the other is about."""
    return bool(subject.heads) and subject.heads <= other.beside and (is_fact or bool(other.heads))


def _has_other_name(subject: _Subject, other: _Subject) -> bool:
    """Whether the other text does not mention one of the names; a plural is the same name."""
    return any(
        not other.mentioned & {name, f"{name}s", name.removesuffix("s")} for name in subject.names
    )


def _have_same_end(new: str, old: str) -> bool:
    """Whether they say the same about different things: "Rex sleeps here", "Tom sleeps here"."""
    new_words, old_words = words(new), words(old)
    shared = 0
    for new_word, old_word in zip(reversed(new_words), reversed(old_words), strict=False):
        if new_word.low != old_word.low:
            break
        shared += 1
    end = new_words[len(new_words) - shared :]
    starts = [_thing_terms(line[: len(line) - shared]) for line in (new_words, old_words)]
    says_something = any(word.low not in FUNCTION_WORDS and not kind_of(word) for word in end)
    return shared > 1 and says_something and all(starts) and not starts[0] & starts[1]


def _thing_terms(line: Sequence[Word]) -> frozenset[str]:
    """The terms of a thing; none for the speaker, for a time and for what begins with a verb."""
    terms = frozenset(terms_of([word for word in line if not kind_of(word)]))
    if terms & _SPEAKERS or (line and is_past(line[0]) and not line[0].named):
        return frozenset()
    return frozenset(term for term in terms if term not in _CHANGE_TERMS | FUNCTION_WORDS)


def _fill_same_role(new: str, old: str) -> bool:
    """Whether both fill a role that only one has at a time: "Ben is my manager", "Ben leads the
    project now", "Ben was elected chair of the club"."""
    new_words, old_words = words(new), words(old)
    role = _role(old_words)
    if not role:
        return False
    verb = old_words[find_verb(old_words) or 0]
    if verb.low in BE and role <= _role(new_words):
        return True
    if not role <= frozenset(terms_of(new_words)):
        return False
    names_role = any(word.stem == verb.stem and word.low != verb.low for word in new_words)
    return names_role or _announces(new_words)


def _announces(line: Sequence[Word]) -> bool:
    """Whether a statement says that something changed; "New" in a name does not."""
    plain = [word for at, word in enumerate(line) if not word.named or at == 0]
    is_taken_up = any(word.low in _TAKEN_UP for word in plain)
    return is_taken_up or announces_news(plain) or announces_change(plain, ())


def _role(line: Sequence[Word]) -> frozenset[str]:
    """The terms of a definite thing right after the verb: "leads the project", "is my manager"."""
    verb_at = find_verb(line)
    if verb_at is None or line[verb_at].stem in _SHARED_VERBS:
        return frozenset()
    rest = line[verb_at + 1 :]
    rest = rest[1:] if rest and rest[0].low in ("now", "currently") else rest
    if not rest or not (rest[0].low in _DETERMINERS or any(word.low == "'s" for word in rest[:3])):
        return frozenset()
    end = next((at + 1 for at, word in enumerate(rest) if word.breaks), len(rest))
    noun_end = next((at for at, word in enumerate(rest) if word.low in PREPOSITIONS), len(rest))
    if any(word.stem in MANY_NOUNS for word in rest[:noun_end][-1:]):
        return frozenset()
    return frozenset(terms_of(rest[:end])) - _CHANGE_TERMS


@lru_cache(maxsize=2_048)
def _subject(text: str) -> _Subject:
    statement_words = [words(statement) for statement in statements(_NO.sub("number ", text))]
    lines = [line[:_MAX_WORDS] for line in statement_words]
    return _Subject(
        names=frozenset(name for line in lines for name in _names(line, _end_of_subject(line))),
        heads=frozenset(name for line in lines for name in _heads(line)),
        beside=frozenset(name for line in lines for name in _names_beside(line)),
        numbers=frozenset(
            number
            for line in lines
            for at in range(len(line))
            if (number := _number_of_thing(line, at))
        ),
        mentioned=frozenset(word.low for line in statement_words for word in line),
    )


def _end_of_subject(line: Sequence[Word]) -> int:
    """Where the verb is; without one, after the first comma or colon, or after the names that
    begin the statement."""
    verb_at = _verb_at(line)
    if verb_at is not None:
        return verb_at
    if label_end := next((at + 1 for at, word in enumerate(line[:-1]) if word.breaks), 0):
        return label_end
    names_end = next((at for at in range(1, len(line)) if not line[at].named), 0)
    return names_end if names_end > 1 else 0


def _verb_at(line: Sequence[Word]) -> int | None:
    """Where the verb is; "Hope lives in Rome" and "Hope: tea" do not begin with it."""
    verb_at = find_verb(line)
    if verb_at is None:
        return next((at for at, word in enumerate(line) if at and word.low in BE), None)
    if verb_at > 0 or not line[0].text[0].isupper():
        return verb_at
    if line[0].breaks:
        return None
    if len(line) > 1 and line[1].low == "'s":
        rest_at = find_verb(line[2:])
        return None if rest_at is None else rest_at + 2
    at = next((at for at in range(1, len(line)) if line[at].low not in _BEFORE_VERBS), 0)
    is_inflected = line[at].low in BE | {"has"} or is_past(line[at]) or line[at].low.endswith("s")
    return at if at and is_inflected and line[at].stem in VERBS | BE else verb_at


def _heads(line: Sequence[Word]) -> list[str]:
    """The names before the first preposition of the subject, if they name the thing."""
    end = _end_of_subject(line)
    end = next((at for at in range(end) if line[at].low in PREPOSITIONS), end)
    return _names(line, end) if end and _is_name(line, end - 1) else []


def _names_beside(line: Sequence[Word]) -> list[str]:
    """The names after the first preposition of the subject: "Learning with TensorFlow"."""
    end = _end_of_subject(line)
    at = next((at for at in range(end) if line[at].low in PREPOSITIONS), end)
    return [line[at].low for at in range(at, end) if _is_name(line, at)]


def _names(line: Sequence[Word], end: int) -> list[str]:
    return [line[at].low for at in range(end) if _is_name(line, at)]


def _is_name(line: Sequence[Word], at: int) -> bool:
    word = line[at]
    if len(word.text) == 1 or any(map(str.isdigit, word.text)) or word.low in TITLES | RELATIVES:
        return False
    if at == 0 and (_is_alone(line) or line[1].low == "'s"):
        return word.low not in FUNCTION_WORDS - _ALSO_NAMES and kind_of(word) in (None, "month")
    if (word.low in FUNCTION_WORDS and not word.named) or (
        kind_of(word) and word.text not in FIRST_NAMES
    ):
        return False
    if word.named or word.text[0].upper() == word.text[0].lower():
        return word.text[0].isalpha()
    if at > 0 or word.low in ALL_STOP_WORDS or not word.text[0].isupper():
        return False
    return line[1].named and line[1].text.isalpha() and not everyday_share(word.stem)


def _is_alone(line: Sequence[Word]) -> bool:
    """Whether the first word is all of the subject: "Will works at Acme", "Rex: 12 kg"."""
    before = line[1 : _end_of_subject(line)]
    return _end_of_subject(line) > 0 and all(word.low in _BEFORE_VERBS for word in before)


def _number_of_thing(line: Sequence[Word], at: int) -> str | None:
    """The number, letter or code of a thing in the subject ("gate 1", "room B", "the second
    gate"), or of a thing that something is done with ("We deploy service 1 daily")."""
    word = line[at]
    number = _number(word)
    if number is None:
        return None
    if _is_ordinal(word):
        return number if at + 1 < _end_of_subject(line) else None
    is_after_noun = at > 0 and _is_noun(line[at - 1]) and not dimensions(line[at + 1 : at + 2])
    if not is_after_noun and not _is_code(word):
        return None
    end = _end_of_subject(line)
    if not is_after_noun:
        return number if at < end else None
    is_of_thing = at < end or _is_object(line, at) or _is_followed_by_value(line, at)
    return number if is_of_thing else None


def _is_followed_by_value(line: Sequence[Word], at: int) -> bool:
    """Whether a number in any language is followed by another, as in "Der Code von Tor 1 ist 4711",
    or by a verb, as in "Raum 4 ist frei"."""
    if _verb_at(line) is not None or line[at - 1].low in ALL_STOP_WORDS:
        return False
    has_value = any(map(str.isdigit, "".join(word.text for word in line[at + 1 :])))
    return has_value or (at < 3 and at + 1 < len(line) and line[at + 1].low in ALL_STOP_WORDS)


def _is_object(line: Sequence[Word], number_at: int) -> bool:
    """Whether a numbered thing after the verb is what the verb is about, and not a value or a
    place: "We deploy service 1 daily"."""
    verb_at, at = find_verb(line), number_at - 1
    if verb_at is None or at <= verb_at or line[verb_at].low in BE:
        return False
    if line[at].named and line[verb_at].stem in _VERSION_VERBS:
        return False
    if number_at + 1 == len(line):
        return False
    while at > verb_at and line[at].low not in _BEFORE_VALUES | PREPOSITIONS:
        at -= 1
    return line[at].low not in _BEFORE_VALUES


def _is_noun(word: Word) -> bool:
    return word.low in _NUMBER_SIGNS or not (
        kind_of(word) or word.low in FUNCTION_WORDS | PREPOSITIONS | _BEFORE_VALUES
    )


def _number(word: Word) -> str | None:
    if word.low in ORDINALS or word.low in CARDINALS:
        return str(ORDINALS.get(word.low) or CARDINALS.get(word.low))
    if ordinal := _ORDINAL.fullmatch(word.low):
        return str(int(ordinal[1]))
    if digits := _NUMBER.fullmatch(word.low):
        return f"{'-' if digits[1] else ''}{int(digits[2])}{digits[3]}"
    is_letter = len(word.text) == 1 and word.text.isupper() and word.text != "I"
    return word.low if is_letter or _is_code(word) else None


def _is_ordinal(word: Word) -> bool:
    return word.low in ORDINALS or _ORDINAL.fullmatch(word.low) is not None


def _is_code(word: Word) -> bool:
    """Whether it has letters and digits, and is no quantity: "B12", "gate-1"."""
    return (
        any(map(str.isdigit, word.text)) and any(map(str.isalpha, word.text)) and not kind_of(word)
    )
