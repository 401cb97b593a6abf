"""Plan a query: who it is about, what it quotes exactly, and which text is embedded."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from remem.core.language.frames import topic_of
from remem.core.language.stopwords import ALL_STOP_WORDS
from remem.core.language.times.queries import Window, asks_when, windows_of
from remem.core.language.times.statements import times_in
from remem.core.language.tokens import has_unspaced

USER, ASSISTANT = "user", "assistant"
NAMES_MAX = 24
NAME_WORDS = 4
EXACT_MAX = 5
KEYWORDS_MAX = 3
# In scripts without spaces, more characters than this are several words.
UNSPACED_WORD_CHARS = 4
READ_CHARS = 1_000

_FIRST_PERSON = re.compile(r"\b(?:I(?!/)|I['’](?:m|ve|d|ll)|[Mm]y|[Mm]ine|[Mm]yself)\b")
_SAID_BY_ASSISTANT = re.compile(
    r"\byou(?:['’]ve|['’]d| had| have)? (?:\w+ )?(?:said|told|mentioned|recommended|suggested"
    r"|provided|gave|listed|shared|wrote|explained|described|created|made|helped)\b"
    r"|\b(?:did|have|had) you (?:\w+ )?(?:say|tell|mention|recommend|suggest|provide|give|list"
    r"|share|write|explain|describe|create|make)\b",
    re.I,
)
# A state before a change, not when something happens or who comes first.
_ABOUT_PAST = re.compile(
    r"\b(?:previous(?:ly)?|before|earlier|ago|used to|last (?:week|month|year)|initially"
    r"|originally|at first|(?:was|were) (?:\w+ )?first|first (?:was|were)|former(?:ly)?|prior"
    r"|outdated|replaced|history|(?<!how )old)\b",
    re.I,
)
# These words ask about the present, whatever else is named: "my previous boss, where is she
# currently".
_EXPLICITLY_NOW = re.compile(r"\b(?:currently|nowadays|these days|right now|at the moment)\b", re.I)
_PAST_TENSE = re.compile(r"\b(?:was|were|did|had)\b", re.I)
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
# Ann's, James', 'Ann'.
_NAME_ENDING = re.compile(r"(?:['’]s|(?<!['’-])['’-]++)$", re.I)
# Names that are also words. At the beginning of a query, where every word is capitalized, they are
# words unless they are possessive. So are the roles in a conversation with an assistant.
_AMBIGUOUS_NAMES = frozenset(
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
# An identifier, with a digit or an inner capital: PR #42, ERR-17, src/app.py, E1234, v1.2.3,
# fooBar.
_IDENTIFIER = re.compile(
    r"\b[A-Z]{2,6} ?#\d+|#\d+|\b[A-Z]\w*(?:-\w+){0,8}-\d\w*(?:-\w+){0,8}"
    r"|\b\w+(?:[._/:\\-]{1,3}\w+){0,16}[._/:\\]{1,3}\w+(?:\(\))?"
    r"|\b(?!\d+(?:st|nd|rd|th|am|pm|s)\b)(?=\w*\d)(?=\w*[A-Za-z])\w{3,}\b|\b[a-z]+[A-Z]\w+"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """`text` is what the query is about, without "what did I save about" and the like. `speaker`
    is the first name of the speaker in question, or a role, in lower case. `exact` are
    strings to be found literally, in lower case. `past_day` is the only day that it names."""

    text: str
    embedded: str
    speaker: str = ""
    exact: tuple[str, ...] = ()
    windows: list[Window] = field(default_factory=list)
    asks_when: bool = False
    past_day: date | None = None


def names_in(query: str) -> list[str]:
    """The words of a query that could be a first name, in lower case."""
    names = dict.fromkeys(name for name, _, _ in _mentions(query))
    return list(names)[:NAMES_MAX]


def name_words(query: str) -> int:
    """The number of words of a query that is nothing but a name, such as "Lena Meyer", or a single
    word; 0 for any other."""
    words = query[:READ_CHARS].split()
    if _has_unspaced_phrase(words):
        return 0
    is_capitalized = all(word[0].isupper() for word in words) and len(words) <= NAME_WORDS
    return len(words) if len(words) == 1 or is_capitalized else 0


def is_keywords(query: str) -> bool:
    """Whether a query is a few keywords and no sentence, such as "database decision"."""
    words = [word.strip(".,?!").lower() for word in query[:READ_CHARS].split()]
    if _has_unspaced_phrase(words):
        return False
    return len(words) <= KEYWORDS_MAX and ALL_STOP_WORDS.isdisjoint(words)


def _has_unspaced_phrase(words: Iterable[str]) -> bool:
    return any(len(word) > UNSPACED_WORD_CHARS and has_unspaced(word) for word in words)


def _mentions(query: str) -> Iterable[tuple[str, int, int]]:
    for word in _WORD.finditer(query[:READ_CHARS]):
        name = _NAME_ENDING.sub("", word[0])
        if len(name) > 1 and not _is_word(word, name):
            yield name.lower(), word.start(), word.end()


def _is_word(word: re.Match[str], name: str) -> bool:
    is_first = word.start() == 0 and name == word[0]
    return name.lower() in _AMBIGUOUS_NAMES and (is_first or name.islower())


def read_query(query: str, speakers: Sequence[str], now: datetime) -> Plan:
    """`speakers` are those of `names_in` who speak in the searched texts."""
    topic = topic_of(query)
    known_names = set(speakers)
    speaker_mentions = [mention for mention in _mentions(topic) if mention[0] in known_names]
    return Plan(
        text=topic,
        embedded=_without_names(topic, speaker_mentions),
        speaker=speaker_mentions[0][0] if speaker_mentions else _speaker_role(topic),
        exact=_exact_strings(topic),
        windows=windows_of(query, now),
        asks_when=asks_when(query),
        past_day=_past_day(query[:READ_CHARS], now),
    )


def _past_day(query: str, now: datetime) -> date | None:
    """The only day that the query names, if it has passed."""
    times = times_in(query, now)
    if len(times) != 1 or times[0].grain != "day":
        return None
    day = times[0].first.date()
    return day if day < now.date() else None


def _without_names(query: str, mentions: Sequence[tuple[str, int, int]]) -> str:
    """The query without names of speakers: they are a signal of their own and would dominate the
    vector. Word search keeps them: in a big store a name is a rare, significant word."""
    text, end = "", 0
    for _, start, stop in mentions:
        text, end = text + query[end:start], stop
    text = " ".join((text + query[end:]).split())
    return text if re.search(r"\w", text) else query


def asks_past(query: str, now: datetime) -> bool:
    """Whether the query asks about an earlier state, explicitly or by naming a time that has
    passed."""
    query = query[:READ_CHARS]
    is_about_now = _EXPLICITLY_NOW.search(query) and not _PAST_TENSE.search(query)
    if _ABOUT_PAST.search(query) and not is_about_now:
        return True
    windows = windows_of(query, now)
    return bool(windows) and all(end <= now for _, end in windows)


def _speaker_role(query: str) -> str:
    if _SAID_BY_ASSISTANT.search(query):
        return ASSISTANT
    return USER if _FIRST_PERSON.search(query) else ""


def _exact_strings(query: str) -> tuple[str, ...]:
    query = query[:READ_CHARS]
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(query)]
    identifiers = [match[0] for match in _IDENTIFIER.finditer(_QUOTED.sub(" ", query))]
    strings = dict.fromkeys(" ".join(text.lower().split()) for text in [*quoted, *identifiers])
    return tuple(text for text in strings if text)[:EXACT_MAX]
