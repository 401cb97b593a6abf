"""Where the text of a document begins, and its beginning as lists show it."""

import re

from remem.core.chunking.front_matter import body_start
from remem.core.text import shorten

# Enough of a text to find its front matter and the excerpt below it.
OPENING_CHARS = 4_000
EXCERPT_CHARS = 320
# The subject as a heading, then the fields of a mail, as extraction writes them.
_MAIL_HEADER = re.compile(r"(?:#[^\n]*\n+)?(?:[A-Z][\w-]*:[ \t][^\n]*\n)+\n")
_BLANK_LINES = re.compile(r"\n\s*\n")


def text_start(content: str, content_type: str) -> int:
    """Where the text below front matter and the header of a mail begins."""
    start = body_start(content)
    header = _MAIL_HEADER.match(content, start) if content_type == "email" else None
    return header.end() if header and content[header.end() :].strip() else start


def excerpt_of(content: str, content_type: str) -> str:
    """The first lines of the text, with their markup; a longer text ends with "…"."""
    text = content[text_start(content, content_type) :].strip()
    return shorten(_BLANK_LINES.sub("\n", text), EXCERPT_CHARS)
