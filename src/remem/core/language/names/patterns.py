"""Names that are recognised by their form: hosts, files, endpoints, identifiers."""

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from remem.core.language.names.forms import known_names, normalise
from remem.core.language.names.lexicon import SYSTEM_ENDS
from remem.core.language.names.model import EntityType, Mention

_FILE_EXTENSIONS = "|".join(
    "py js ts tsx jsx go rs rb java kt c h cpp cs php swift sh sql md txt pdf docx xlsx"
    " pptx csv json yaml yml toml ini cfg conf env lock html css xml log png jpg svg ipynb zip"
    " tar gz".split()
)
_DOMAINS = "com|org|net|io|dev|app|ai|co|edu|gov|local|internal|de|uk|eu|ch|fr"
_SERVICE = "service|server|gateway|worker|db|cluster|queue|proxy|cache|scheduler|backend|frontend"
Classifier: TypeAlias = Callable[[str], EntityType | None]
# Names that look like files but are not: Node.js.
_KNOWN_DOTTED = frozenset(name for name in known_names() if "." in name)


def _file(text: str) -> EntityType | None:
    return None if text in _KNOWN_DOTTED else "file"


def _camel(text: str) -> EntityType | None:
    if text in known_names() or text.startswith(("Mc", "Mac", "De", "La", "Le", "Fitz")):
        return None
    if text.endswith(("Con", "Conf")):
        return "event"
    return "system" if any(text.endswith(end) for end in SYSTEM_ENDS) else "api"


def _always(type: EntityType) -> Classifier:
    return lambda text: type


def _no_name(text: str) -> None:
    return None


# Applied in this order; what one pattern matches, later ones do not see. The group is the name.
_PATTERNS: tuple[tuple[re.Pattern[str], Classifier], ...] = (
    (re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]+)+"), _no_name),
    (re.compile(r"(?<![\w+])[a-z][a-z0-9+]*+://(?:www\.)?([\w-]+(?:\.[\w-]+)*)(?::\d+)?[^\s)\]>\"']*"),
     _always("system")),
    (re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\s+(/[\w/{}:.-]*[\w}])"), _always("api")),
    (re.compile(r"(?<![\w/.~])(/(?:api|v\d+)(?:/[\w{}:-]+)*)"), _always("api")),
    (re.compile(rf"(?<![\w/.-])(?:((?:~/|\.{{0,2}}/)?(?:[\w.-]+/)+[\w.-]+\.(?:{_FILE_EXTENSIONS}))|"
                rf"\.*+([\w-][\w.-]*\.(?:{_FILE_EXTENSIONS})))\b(?!\.\w)"), _file),
    (re.compile(r"(?<![\w/.~])((?:~|\.{1,2})?(?:/[\w.-]+){2,}/?)"), _always("file")),
    (re.compile(rf"(?<![\w@.-])(?:www\.)?((?:[a-z0-9-]+\.)+(?:{_DOMAINS}))\b(?![.\w])"),
     _always("system")),
    (re.compile(r"(?<![\w.])[\d.]*+([A-Za-z_][\w.]*+)\(\)"), _always("api")),
    (re.compile(r"(?<![\w-])([a-z0-9]+(?:-[a-z0-9]+)*-api)\b(?!-)"), _always("api")),
    (re.compile(rf"(?<![\w-])([a-z0-9]+(?:-[a-z0-9]+)*-(?:{_SERVICE}))\b(?!-)"), _always("system")),
    (re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b"),
     _always("api")),
    (re.compile(r"\b([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\b"), _camel),
)  # fmt: skip


def extract_patterns(text: str) -> tuple[list[Mention], str]:
    """The names found, and the text with a placeholder for each."""
    mentions: list[Mention] = []
    for pattern, classify in _PATTERNS:
        text = pattern.sub(partial(_replace_match, classify, mentions), text)
    return mentions, text


def _replace_match(classify: Classifier, mentions: list[Mention], match: re.Match[str]) -> str:
    name = match.group(match.lastindex or 0).rstrip(".")
    type = classify(name)
    if type is None:
        return match.group() if classify is not _no_name else "·"
    mentions.append(Mention(type, name, normalise(name), name))
    # The placeholder is no letter: the sentence continues, and no name spans it.
    return "·" + match.group()[len(match.group().rstrip(".")) :]
