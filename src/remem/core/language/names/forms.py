"""Normalized names, and the list of known names."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from remem.core.language.names.lexicon import TITLES
from remem.core.language.names.model import EntityType

NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name in its canonical spelling; `doubtful` when it is also an everyday word."""

    name: str
    type: EntityType
    doubtful: bool = False


def normalise(name: str) -> str:
    """The normalized form of a name: without case, accents, titles or signs between words."""
    plain = unicodedata.normalize("NFKD", name.replace("’", "'").casefold())
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    words = bare.replace("_", " ").replace("-", " ").split()
    titles = 0
    while titles < len(words) - 1 and words[titles].rstrip(".") in _PLAIN_TITLES:
        titles += 1
    return " ".join(words[titles:])[:NAME_LIMIT]


_PLAIN_TITLES = frozenset(title.casefold() for title in TITLES)


@cache
def known_names() -> dict[str, KnownName]:
    """Known names by each of their spellings."""
    names: dict[str, KnownName] = {}
    type: EntityType = "concept"
    text = files("remem.core.language").joinpath("data/en/known_names.txt").read_text("utf-8")
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("["):
            type = _entity_type(line.strip("[]"))
        elif line and not line.startswith("#"):
            names |= _spellings(line, type)
    return names


@cache
def longest_known_name() -> int:
    """The number of words in the longest known name."""
    return max(len(name.split()) for name in known_names())


def _spellings(line: str, type: EntityType) -> dict[str, KnownName]:
    written, _, spellings = line.partition(" = ")
    name = KnownName(written.removeprefix("?"), type, written.startswith("?"))
    certain_name = KnownName(name.name, type)
    return {
        name.name: name,
        **{spelling: certain_name for spelling in spellings.split(", ") if spelling},
    }


def _entity_type(word: str) -> EntityType:
    types: dict[str, EntityType] = {
        name: name for name in ("technology", "organization", "place", "event", "person")
    }
    return types[word]


@cache
def known_words() -> dict[str, KnownName]:
    """Known names by normalized form, to recognise tags."""
    return {normalise(spelling): name for spelling, name in known_names().items()}
