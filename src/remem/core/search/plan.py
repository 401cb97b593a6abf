"""Read a query: whom it speaks of, what it wants to the letter, and what is to be embedded."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from remem.core.language.times.queries import Window, asks_when, windows_of

USER, ASSISTANT = "user", "assistant"
NAMES_MAX = 24
EXACT_MAX = 5
READ_CHARS = 1_000

_FIRST_PERSON = re.compile(r"\b(?:I(?!/)|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]yself)\b")
_TOLD_BY_ASSISTANT = re.compile(
    r"\byou(?:['’]ve|['’]d| had| have)? (?:\w+ )?(?:said|told|mentioned|recommended|suggested"
    r"|provided|gave|listed|shared|wrote|explained|described|created|made|helped)\b"
    r"|\b(?:did|have|had) you (?:\w+ )?(?:say|tell|mention|recommend|suggest|provide|give|list"
    r"|share|write|explain|describe|create|make)\b",
    re.I,
)
# How things are now; not how they were, or became.
_OF_NOW = re.compile(
    r"\b(?:current(?:ly)?|now(?:adays)?|these days|still|so far|latest|most recent(?:ly)?|newest"
    r"|to date|at the moment|any ?more|usually|how often do"
    r"|how (?:many|much|long)\b.{0,200}\b(?:do|does|have|has|am|is|are))\b",
    re.I,
)
_OF_BEFORE = re.compile(
    r"\b(?:previous(?:ly)?|before|first|earlier|ago|used to|last (?:week|month|year)"
    r"|initially|originally|when)\b",
    re.I,
)
# How things were before they changed, and not when something is, or who comes first.
_OF_PAST = re.compile(
    r"\b(?:previous(?:ly)?|before|earlier|ago|used to|last (?:week|month|year)|initially"
    r"|originally|at first|(?:was|were) (?:\w+ )?first|first (?:was|were)|former(?:ly)?|prior"
    r"|outdated|replaced|history|(?<!how )old)\b",
    re.I,
)
# Who says so asks of now, whatever else they name: "my previous boss, where is she currently".
_SURELY_NOW = re.compile(r"\b(?:currently|nowadays|these days|right now|at the moment)\b", re.I)
_OF_THEN = re.compile(r"\b(?:was|were|did|had)\b", re.I)
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
# Ann's, James', 'Ann'.
_BEHIND_NAME = re.compile(r"(?:['’]s|(?<!['’-])['’-]++)$", re.I)
# Names that are words as well; at the beginning of a query, where all is capital, they are words
# unless something is theirs. So are the roles in a talk with a machine.
_ALSO_WORDS = frozenset(
    "will may mark bill art rich frank drew chase hope joy grace can pat sue rob rose dawn june"
    " april summer penny robin guy max dean faith ivy lily amber ruby jack miles ray dale cliff"
    " sandy olive pearl violet iris jade crystal victor melody carol user human ai bot system"
    " question answer".split()
)
_QUOTED = re.compile(
    "|".join(
        f"{first}([^{last}\\n]{{2,200}}){last}" for first, last in '"" “” „“ «» 「」 ``'.split()
    )
)
# A thing with a number or a item inside: PR #42, ERR-17, src/app.py, E1234, v1.2.3, fooBar.
_IDENTIFIER = re.compile(
    r"\b[A-Z]{2,6} ?#\d+|#\d+|\b[A-Z]\w*(?:-\w+){0,8}-\d\w*(?:-\w+){0,8}"
    r"|\b\w+(?:[._/:\\-]{1,3}\w+){0,16}[._/:\\]{1,3}\w+(?:\(\))?"
    r"|\b(?!\d+(?:st|nd|rd|th|am|pm|s)\b)(?=\w*\d)(?=\w*[A-Za-z])\w{3,}\b|\b[a-z]+[A-Z]\w+"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """`asked_of` is the first name of the speaker that is meant, or a role, in lower case.
    `exact` are strings to be found to the letter, in lower case."""

    text: str
    embedded: str
    asked_of: str = ""
    exact: tuple[str, ...] = ()
    windows: list[Window] = field(default_factory=list)
    asks_when: bool = False
    asks_now: bool = False


def names_in(query: str) -> list[str]:
    """The words of a query that could be a first name, in lower case."""
    found = dict.fromkeys(name for name, _, _ in _mentions(query))
    return list(found)[:NAMES_MAX]


def _mentions(query: str) -> Iterable[tuple[str, int, int]]:
    for word in _WORD.finditer(query[:READ_CHARS]):
        name = _BEHIND_NAME.sub("", word[0])
        if len(name) > 1 and not _is_word(word, name):
            yield name.lower(), word.start(), word.end()


def _is_word(word: re.Match[str], name: str) -> bool:
    opens = word.start() == 0 and name == word[0]
    return name.lower() in _ALSO_WORDS and (opens or name.islower())


def read_query(query: str, speakers: Sequence[str], now: datetime) -> Plan:
    """`speakers` are those of `names_in` who speak somewhere in what is searched."""
    known = set(speakers)
    spoken = [mention for mention in _mentions(query) if mention[0] in known]
    return Plan(
        text=query,
        embedded=_without(query, spoken),
        asked_of=spoken[0][0] if spoken else _role(query),
        exact=_exact(query),
        windows=windows_of(query, now),
        asks_when=asks_when(query),
        asks_now=_asks_now(query[:READ_CHARS]),
    )


def _without(query: str, spoken: Sequence[tuple[str, int, int]]) -> str:
    """Speakers are a signal of their own, and in the vector they drown the rest. By word they
    stay: in a big store a name is a rare and telling word."""
    bare, end = "", 0
    for _, start, stop in spoken:
        bare, end = bare + query[end:start], stop
    bare = " ".join((bare + query[end:]).split())
    return bare if re.search(r"\w", bare) else query


def _asks_now(query: str) -> bool:
    if _SURELY_NOW.search(query) and not _OF_THEN.search(query):
        return True
    return bool(_OF_NOW.search(query)) and not _OF_BEFORE.search(query)


def asks_past(query: str, now: datetime) -> bool:
    """Whether it asks how things were before: in those words, or of a time that is over."""
    if _OF_PAST.search(query[:READ_CHARS]) and not _asks_now(query[:READ_CHARS]):
        return True
    windows = windows_of(query, now)
    return bool(windows) and all(end <= now for _, end in windows)


def _role(query: str) -> str:
    if _TOLD_BY_ASSISTANT.search(query):
        return ASSISTANT
    return USER if _FIRST_PERSON.search(query) else ""


def _exact(query: str) -> tuple[str, ...]:
    query = query[:READ_CHARS]
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(query)]
    named = [match[0] for match in _IDENTIFIER.finditer(_QUOTED.sub(" ", query))]
    wanted = dict.fromkeys(" ".join(one.lower().split()) for one in [*quoted, *named])
    return tuple(one for one in wanted if one)[:EXACT_MAX]
