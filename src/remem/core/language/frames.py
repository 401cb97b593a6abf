"""Separate what a query is about from the words around it: "what did I save about Docker?"."""

import re
from functools import cache
from typing import NamedTuple

from remem.core.language.lists import table
from remem.core.language.tokens import STOP_WORDS, query_terms

_READ_CHARS, _MAX_WORDS = 1_000, 12
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class _Frame(NamedTuple):
    """The words of frames in one language. A frame begins the query, ends with one of `about`, and
    has one of `core`: what is searched for in general, or that it was saved. `ends` follow the
    topic in languages whose verbs come last."""

    core: frozenset[str]
    other: frozenset[str]
    about: frozenset[str]
    ends: frozenset[str]


def topic_of(query: str) -> str:
    """The query without its frame, or all of it if nothing else is left."""
    words = list(_WORD.finditer(query[:_READ_CHARS]))
    for frame in _frames():
        if topic := _without_frame(query, words, frame):
            return topic
    return query


def _without_frame(query: str, words: list[re.Match[str]], frame: _Frame) -> str:
    folded = [word[0].casefold().replace("’", "'") for word in words]
    end = len(folded)
    while end and folded[end - 1] in frame.ends:
        end -= 1
    has_core = end < len(folded)
    for position, word in enumerate(folded[: min(end - 1, _MAX_WORDS)]):
        if word in frame.about and has_core:
            start, stop = words[position].end(), words[end - 1].end()
            topic = query[start : stop if end < len(folded) else None].strip()
            return topic if _says_something(topic) else ""
        if word not in frame.core and word not in frame.other and word not in frame.about:
            return ""
        has_core = has_core or word in frame.core
    return ""


def _says_something(topic: str) -> bool:
    return any(term not in STOP_WORDS for term in query_terms(topic))


@cache
def _frames() -> tuple[_Frame, ...]:
    languages = table("frames", "any").values()
    return tuple(
        _Frame(*(frozenset(words[name].split()) for name in _Frame._fields)) for words in languages
    )
