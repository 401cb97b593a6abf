"""Title, summary, author, date, language, tags and category, by rules."""

import re
from collections.abc import Mapping
from typing import Any

from remem.core.enrich.category import category_of
from remem.core.enrich.language import language_of
from remem.core.enrich.model import Enrichment
from remem.core.enrich.phrases import key_phrases
from remem.core.enrich.sentences import summary_of
from remem.core.text import shorten, title_of

# A book's beginning says what it is; reading all of it would say no more.
LOOKED_AT_CHARS = 40_000
TITLE_CHARS = 120
_HEADING = re.compile(r"^#{1,3}[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)
_BYLINE = re.compile(
    r"^[ \t]*(?:written by|author:|by|von|par|por)[ \t]+"
    r"((?:[A-Z\u00c0-\u00de][\w'’.-]+[ \t]?){2,4})[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_DATED = re.compile(
    r"^[ \t]*(?:published|posted|date|updated|veröffentlicht|publié)(?: on)?:?[ \t]+"
    r"(\d{4}-\d{2}-\d{2})\b",
    re.MULTILINE | re.IGNORECASE,
)


def enrich(
    content: str, content_type: str, title: str | None, found: Mapping[str, Any]
) -> Enrichment:
    """What the file says of itself goes before what its text seems to say."""
    text = content[:LOOKED_AT_CHARS]
    language = found.get("language") or language_of(text, content_type)
    return Enrichment(
        title=title or _title(text, content_type, found),
        summary=summary_of(text, content_type),
        author=found.get("author") or _first(_BYLINE, text, content_type),
        published_at=found.get("published_at") or _first(_DATED, text, content_type),
        language=language,
        category=category_of(text, content_type),
        code_language=found.get("code_language"),
        tags=key_phrases(text, content_type),
    )


def _title(text: str, content_type: str, found: Mapping[str, Any]) -> str:
    if said := str(found.get("title") or "").strip():
        return shorten(said, TITLE_CHARS)
    if content_type == "code" and (name := found.get("name")):
        return str(name)
    heading = _HEADING.search(text[:4_000]) if content_type != "code" else None
    return shorten(heading[1], TITLE_CHARS) if heading else title_of(text)


def _first(pattern: re.Pattern[str], text: str, content_type: str) -> str | None:
    """Where an author or a date is stated, it is stated at the top."""
    if content_type in ("code", "csv", "json"):
        return None
    found = pattern.search(text[:2_000])
    return found[1].strip() if found else None
