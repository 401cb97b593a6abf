"""What a question asks that wants yes or no; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from remem.core.language.claims.mood import weigh
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
_STRESS = re.compile(r"\b(?:still|already|currently|really|actually|now)\s+", _FLAGS)
_SUBJECT = re.compile(
    r"(?:(?:I|we|he|she|it|they)\b|(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w-]*['’]s) [a-z-]+"
    r"|[A-Z][\w-]*(?: [A-Z][\w-]*)*)\s",
    re.ASCII,
)
_PRESENT = frozenset("do does is are am can has have".split())
_FUTURE = frozenset("will would shall should".split())
_PLANS = frozenset("want wants plan plans planning intend hope hoping wish going".split())
# They ask for any at all, or only stress what is asked.
_LIGHT = frozenset(
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
# What verbs say that a question asks with a word for nearly anything.
FAMILIES = {
    stem(verb): frozenset(map(stem, family.split()))
    for verb, family in {
        "go": "go be visit travel fly drive come stay spend arrive walk cycle move",
        "have": "have own buy get keep receive adopt order be",
        "own": "have own buy get keep receive adopt be",
        "get": "get receive buy have be become",
    }.items()
}
# Verbs of a question for which an answer may have another of the same meaning.
_ALIKE = ("like love enjoy adore", "repair fix mend", "purchase buy", "begin start")
SAME_MEANING = {
    stem(verb): frozenset(map(stem, group.split())) for group in _ALIKE for verb in group.split()
}


@dataclass(frozen=True, slots=True)
class YesNoQuestion:
    """`needed` are the stems that an answer has; among them `names` are those whom it is about, and
    `values` the other names and numbers. `verbs` are those for nearly anything, which need not
    stand in the answer; `said` are the stems of all its words."""

    auxiliary: str
    needed: frozenset[str]
    is_of_asker: bool
    is_ahead: bool
    times: tuple[StatedTime, ...] = ()
    has_ended: bool = False
    names: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()

    @property
    def is_present(self) -> bool:
        return self.auxiliary in _PRESENT

    @property
    def is_future(self) -> bool:
        return self.auxiliary in _FUTURE


def read_question(question: str, asked_at: datetime) -> YesNoQuestion | None:
    bare = _ASKS.sub("", question.strip()).rstrip("?!. ")
    found = _AUXILIARY.match(bare)
    if found is None:
        return None
    rest = bare[found.end() :]
    # With the auxiliary, whose tense says which year is meant.
    times = tuple(times_in(bare, asked_at))
    # Behind a word, so that a capital at the beginning is that of a name.
    said = words(f"so {_without(bare, times)[found.end() :]}")[1:]
    needed = {word.stem for word in said if matters(word)}
    auxiliary = found[1].lower()
    ahead = auxiliary in _FUTURE or bool({word.low for word in said} & _PLANS)
    of_asker = any(word.low in ("i", "we") for word in said[:1])
    subject = next((at for at, word in enumerate(said) if not word.named), len(said))
    names = {word.stem for word in said[:subject]}
    predicate = said[subject:]
    values = {word.stem for word in predicate if word.named or any(map(str.isdigit, word.low))}
    verbs = {word.stem for word in said[1:] if word.stem in FAMILIES and not word.named}
    return YesNoQuestion(
        auxiliary,
        frozenset(needed),
        of_asker,
        ahead,
        times,
        weigh(said)[1].ended or bool(_ENDS.search(rest)),
        frozenset(names),
        frozenset(values),
        frozenset(verbs),
        frozenset(word.stem for word in said),
    )


def as_statement(question: str) -> str | None:
    """ "I live in Rome" for "Do I live in Rome?"; None where it is not plain what is asked of."""
    bare = _ASKS.sub("", question.strip())
    found = _AUXILIARY.match(bare)
    if found is None:
        return None
    rest = _STRESS.sub("", bare[found.end() :].rstrip("?!. "))
    if found[1].lower() in ("do", "does"):
        return rest
    subject = _SUBJECT.match(rest)
    if subject is None or found[1].lower() not in ("is", "are", "am", "has", "can"):
        return None
    return f"{subject[0].strip()} {found[1].lower()} {rest[subject.end() :].strip()}"


def _without(text: str, times: Sequence[StatedTime]) -> str:
    for one in sorted(times, key=lambda one: -one.start):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text


def matters(word: Word) -> bool:
    """Whether an answer must have it too."""
    if word.named:
        return True
    return word.low not in STOP_WORDS and word.stem not in _LIGHT and word.low not in FIRST_PERSON
