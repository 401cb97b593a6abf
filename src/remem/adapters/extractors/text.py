"""Plain text, markdown and notes: white space is tidied, and nothing else changed."""

import re

from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import read_bytes
from remem.core.extraction_ports import Extracted, Original

FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.{0,10000}?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
FIELD = re.compile(r"^(title|author|date|lang|language):[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
FIRST_HEADING = re.compile(r"\A\s*# +(.+)")
METADATA_KEYS = {"date": "published_at", "lang": "language"}


def extract(original: Original, engines: Engines) -> Extracted:
    return _extract(original, "text")


def extract_note(original: Original, engines: Engines) -> Extracted:
    return _extract(original, "note")


def extract_tweet(original: Original, engines: Engines) -> Extracted:
    return _extract(original, "tweet")


def extract_markdown(original: Original, engines: Engines) -> Extracted:
    return _extract(original, "markdown")


def _extract(original: Original, content_type: str) -> Extracted:
    draft = Draft()
    text = decode(read_bytes(original.path))
    draft.add(text)
    return draft.finish(content_type, _metadata(text) if content_type == "markdown" else {})


def _metadata(text: str) -> dict[str, str]:
    """Return the fields of the front matter, or the heading at the start as title."""
    front = FRONT_MATTER.match(text.replace("\r\n", "\n"))
    if not front:
        heading = FIRST_HEADING.match(text)
        return {"title": heading[1].strip("# \t\r")} if heading else {}
    fields = {key.lower(): value.strip().strip("\"'") for key, value in FIELD.findall(front[1])}
    return {METADATA_KEYS.get(key, key): value for key, value in fields.items()}
