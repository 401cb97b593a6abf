"""How a name is written in one form, and the names that are known from the start."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from remem.core.language.names.lexicon import TITLES
from remem.core.language.names.model import EntityType

NAME_LIMIT = 200


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name as it is to be written; `doubtful` when it is an everyday word as well."""

    name: str
    type: EntityType
    doubtful: bool = False


def normalise(name: str) -> str:
    """One form for all ways to write a name: no case, accents, titles, nor signs between words."""
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
    """Every way to write a known name, as written."""
    found: dict[str, KnownName] = {}
    type: EntityType = "concept"
    text = files("remem.core.language").joinpath("data/en/known_names.txt").read_text("utf-8")
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("["):
            type = _type(line.strip("[]"))
        elif line and not line.startswith("#"):
            found |= _ways(line, type)
    return found


@cache
def longest_known() -> int:
    """How many words a known name has at the most."""
    return max(len(name.split()) for name in known_names())


def _ways(line: str, type: EntityType) -> dict[str, KnownName]:
    written, _, others = line.partition(" = ")
    known = KnownName(written.removeprefix("?"), type, written.startswith("?"))
    firm = KnownName(known.name, type)
    return {known.name: known, **{way: firm for way in others.split(", ") if way}}


def _type(word: str) -> EntityType:
    types: dict[str, EntityType] = {
        one: one for one in ("technology", "organization", "place", "event", "person")
    }
    return types[word]


@cache
def known_words() -> dict[str, KnownName]:
    """Known names by their one form, to recognise a tag by."""
    return {normalise(way): known for way, known in known_names().items()}
