"""Names that are known by their looks: hosts, files, endpoints, identifiers."""

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from remem.core.language.names.forms import known_names, normalise
from remem.core.language.names.lexicon import SYSTEM_ENDS
from remem.core.language.names.model import EntityType, Mention

_ENDS = "|".join(
    "py js ts tsx jsx go rs rb java kt c h cpp cs php swift sh sql md txt pdf docx xlsx"
    " pptx csv json yaml yml toml ini cfg conf env lock html css xml log png jpg svg ipynb zip"
    " tar gz".split()
)
_DOMAINS = "com|org|net|io|dev|app|ai|co|edu|gov|local|internal|de|uk|eu|ch|fr"
_PARTS = "service|server|gateway|worker|db|cluster|queue|proxy|cache|scheduler|backend|frontend"
Decide: TypeAlias = Callable[[str], EntityType | None]
# What stands in the way of a file's name: Node.js is none.
_KNOWN_DOTTED = frozenset(way for way in known_names() if "." in way)


def _file(text: str) -> EntityType | None:
    return None if text in _KNOWN_DOTTED else "file"


def _camel(text: str) -> EntityType | None:
    if text in known_names() or text.startswith(("Mc", "Mac", "De", "La", "Le", "Fitz")):
        return None
    if text.endswith(("Con", "Conf")):
        return "event"
    return "system" if any(text.endswith(end) for end in SYSTEM_ENDS) else "api"


def _always(type: EntityType) -> Decide:
    return lambda text: type


def _nothing(text: str) -> None:
    return None


# In this order: what one takes, those after it do not see. The group is the name.
_PATTERNS: tuple[tuple[re.Pattern[str], Decide], ...] = (
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]+)+"), _nothing),
    (re.compile(r"(?<![\w+])[a-z][a-z0-9+]*+://(?:www\.)?([\w-]+(?:\.[\w-]+)*)(?::\d+)?[^\s)\]>\"']*"),
     _always("system")),
    (re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\s+(/[\w/{}:.-]*[\w}])"), _always("api")),
    (re.compile(r"(?<![\w/.~])(/(?:api|v\d+)(?:/[\w{}:-]+)*)"), _always("api")),
    (re.compile(rf"(?<![\w/.-])(?:((?:~/|\.{{0,2}}/)?(?:[\w.-]+/)+[\w.-]+\.(?:{_ENDS}))|"
                rf"\.*+([\w-][\w.-]*\.(?:{_ENDS})))\b(?!\.\w)"), _file),
    (re.compile(r"(?<![\w/.~])((?:~|\.{1,2})?(?:/[\w.-]+){2,}/?)"), _always("file")),
    (re.compile(rf"(?<![\w@.-])(?:www\.)?((?:[a-z0-9-]+\.)+(?:{_DOMAINS}))\b(?![.\w])"),
     _always("system")),
    (re.compile(r"(?<![\w.])[\d.]*+([A-Za-z_][\w.]*+)\(\)"), _always("api")),
    (re.compile(r"(?<![\w-])([a-z0-9]+(?:-[a-z0-9]+)*-api)\b(?!-)"), _always("api")),
    (re.compile(rf"(?<![\w-])([a-z0-9]+(?:-[a-z0-9]+)*-(?:{_PARTS}))\b(?!-)"), _always("system")),
    (re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b"),
     _always("api")),
    (re.compile(r"\b([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\b"), _camel),
)  # fmt: skip


def take_patterns(text: str) -> tuple[list[Mention], str]:
    """The names found, and the text with a sign in the place of each."""
    found: list[Mention] = []
    for pattern, decide in _PATTERNS:
        text = pattern.sub(partial(_take, decide, found), text)
    return found, text


def _take(decide: Decide, found: list[Mention], match: re.Match[str]) -> str:
    name = match.group(match.lastindex or 0).rstrip(".")
    type = decide(name)
    if type is None:
        return match.group() if decide is not _nothing else "·"
    found.append(Mention(type, name, normalise(name), name))
    # A sign that is no letter: the sentence goes on, and no name is read across it.
    return "·" + match.group()[len(match.group().rstrip(".")) :]
