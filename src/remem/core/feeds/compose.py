"""Compose a digest of entries: its text, and the position of each entry in it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from remem.core.feed_entries import FeedEntry
from remem.core.feeds.model import FeedKind
from remem.core.text import lead

TITLES: dict[FeedKind, str] = {"research": "Research digest", "projects": "New projects"}
STATEMENT_CHARS = 400


@dataclass(frozen=True, slots=True)
class DigestPart:
    """An entry and its position in the text."""

    entry: FeedEntry
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DigestText:
    title: str
    content: str
    parts: tuple[DigestPart, ...]


def digest_of(
    kind: FeedKind, day: date, feeds: Sequence[tuple[str, Sequence[FeedEntry]]]
) -> DigestText:
    """Compose a digest in Markdown: a section for each feed, a list item for each entry."""
    title = f"{TITLES[kind]}, {day.day} {day:%B} {day.year}"
    content, parts = f"# {title}\n", []
    for name, entries in feeds:
        content += f"\n## {name}\n"
        for entry in entries:
            content += "\n"
            start = len(content)
            content += _item_markdown(entry)
            parts.append(DigestPart(entry, start, len(content)))
            content += "\n"
    return DigestText(title, content.rstrip("\n"), tuple(parts))


def statement_of(entry: FeedEntry) -> str:
    """The statement of an entry's memory: the title and the first sentence of the summary."""
    words = lead(entry.summary, 1, STATEMENT_CHARS)
    if not words or words.startswith(entry.title):
        return words or entry.title
    return f"{entry.title.rstrip('.')}. {words}"


def _item_markdown(entry: FeedEntry) -> str:
    name = f"[{_escape(entry.title)}]({entry.url})" if entry.url else entry.title
    return f"- {name}: {entry.summary}" if entry.summary else f"- {name}"


def _escape(text: str) -> str:
    return text.replace("[", "(").replace("]", ")")
