"""Parse a yes/no question; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.language.claims.mood import extract_mood
from remem.core.language.query_words import may_ask_in_english
from remem.core.language.times.statements import StatedTime, times_in
from remem.core.language.tokens import STOP_WORDS
from remem.core.language.words import Word, stem, words

_FLAGS = re.IGNORECASE | re.ASCII
_ASKS = re.compile(
    r"^\W*(?:(?:and|so|but|or|also|do you (?:know|remember) (?:if|whether)|(?:please )?(?:tell|"
    r"remind) me (?:if|whether))\s+)?",
    _FLAGS,
)
_AUXILIARY = re.compile(
    r"^(did|do|does|is|are|was|were|has|have|had|can|could|will|would|should|shall|am)"
    r"(n['’]?t)?\b\s*",
    _FLAGS,
)
_EMPHASIS = re.compile(r"\b(?:still|already|currently|really|actually|now)\s+", _FLAGS)
_SUBJECT = re.compile(
    r"(?:(?:I|we|he|she|it|they)\b|(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w-]*['’]s) [a-z-]+"
    r"|[A-Z][\w-]*(?: [A-Z][\w-]*)*)\s",
    re.ASCII,
)
_PRESENT = frozenset("do does is are am can has have".split())
_FUTURE = frozenset("will would shall should".split())
_PLANS = frozenset("want wants plan plans planning intend hope hoping wish going".split())
# Words for anything at all, or that only emphasize.
_INSIGNIFICANT = frozenset(
    map(
        stem,
        "still ever already yet any anything anyone anybody anywhere something someone somebody"
        " somewhere really just now currently even actually often been be have had has do did go"
        " went going gone get got call called named name own there some one called time times"
        " anymore more longer".split(),
    )
)
_ENDS = re.compile(r"\b(?:stop|quit|cease|give up|get rid of)\b", _FLAGS)
FIRST_PERSON = frozenset("i we my our me us mine ours".split())
# Verbs that a question uses for nearly anything, with those that may answer it.
FAMILIES = {
    stem(verb): frozenset(map(stem, family.split()))
    for verb, family in {
        "go": "go be visit travel fly drive come stay spend arrive walk cycle move",
        "have": "have own buy get keep receive adopt order be",
        "own": "have own buy get keep receive adopt be",
        "get": "get receive buy have be become",
    }.items()
}
# Verbs that an answer may replace by a synonym.
_SYNONYMS = ("like love enjoy adore", "repair fix mend", "purchase buy", "begin start")
SAME_MEANING = {
    stem(verb): frozenset(map(stem, group.split())) for group in _SYNONYMS for verb in group.split()
}


@dataclass(frozen=True, slots=True)
class YesNoQuestion:
    """`needed` are the stems that an answer must have; among them, `names` are those of the
    subject, and `values` the other names and numbers. `verbs` are the general ones, which the
    answer need not have; `stems` are those of all words."""

    auxiliary: str
    needed: frozenset[str]
    is_of_asker: bool
    is_ahead: bool
    times: tuple[StatedTime, ...] = ()
    has_ended: bool = False
    names: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()

    @property
    def is_present(self) -> bool:
        return self.auxiliary in _PRESENT

    @property
    def is_future(self) -> bool:
        return self.auxiliary in _FUTURE


def read_question(question: str, asked_at: datetime) -> YesNoQuestion | None:
    bare = _ASKS.sub("", question.strip()).rstrip("?!. ")
    match = _AUXILIARY.match(bare)
    if match is None or not may_ask_in_english(question):
        return None
    rest = bare[match.end() :]
    # Including the auxiliary, whose tense determines the year.
    times = tuple(times_in(bare, asked_at))
    # After another word, so that a capital at the beginning indicates a name.
    question_words = words(f"so {_without_times(bare, times)[match.end() :]}")[1:]
    needed = {word.stem for word in question_words if is_required(word)}
    auxiliary = match[1].lower()
    is_ahead = auxiliary in _FUTURE or bool({word.low for word in question_words} & _PLANS)
    is_of_asker = any(word.low in ("i", "we") for word in question_words[:1])
    subject = next(
        (at for at, word in enumerate(question_words) if not word.named), len(question_words)
    )
    names = {word.stem for word in question_words[:subject]}
    predicate = question_words[subject:]
    values = {word.stem for word in predicate if word.named or any(map(str.isdigit, word.low))}
    verbs = {word.stem for word in question_words[1:] if word.stem in FAMILIES and not word.named}
    return YesNoQuestion(
        auxiliary,
        frozenset(needed),
        is_of_asker,
        is_ahead,
        times,
        extract_mood(question_words)[1].ended or bool(_ENDS.search(rest)),
        frozenset(names),
        frozenset(values),
        frozenset(verbs),
        frozenset(word.stem for word in question_words),
    )


def as_statement(question: str) -> str | None:
    """ "I live in Rome" for "Do I live in Rome?"; None if the subject is unclear."""
    bare = _ASKS.sub("", question.strip())
    match = _AUXILIARY.match(bare)
    if match is None:
        return None
    rest = _EMPHASIS.sub("", bare[match.end() :].rstrip("?!. "))
    if match[1].lower() in ("do", "does"):
        return rest
    subject = _SUBJECT.match(rest)
    if subject is None or match[1].lower() not in ("is", "are", "am", "has", "can"):
        return None
    return f"{subject[0].strip()} {match[1].lower()} {rest[subject.end() :].strip()}"


def _without_times(text: str, times: Sequence[StatedTime]) -> str:
    for time in sorted(times, key=lambda time: -time.start):
        text = f"{text[: time.start]} {text[time.end :]}"
    return text


def is_required(word: Word) -> bool:
    """Whether an answer must have the word too."""
    if word.named:
        return True
    return (
        word.low not in STOP_WORDS
        and word.stem not in _INSIGNIFICANT
        and word.low not in FIRST_PERSON
    )
