"""Plain text, markdown and notes: white space is tidied, and nothing else changed."""

import re

from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import read_bytes
from remem.core.extraction_ports import Extracted, Original
from remem.core.language.prose.markup import plain_line

FIRST_HEADING = re.compile(r"\A\s*(# +.+)")


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
    heading = FIRST_HEADING.match(text) if content_type == "markdown" else None
    return draft.finish(content_type, {"title": plain_line(heading[1])} if heading else {})
