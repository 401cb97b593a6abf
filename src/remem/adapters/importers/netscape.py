"""Bookmarks as HTML, as browsers and most products write them; read as a stream of tags."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from remem.adapters.importers.bundle import opened

_BLOCK_BYTES = 1 << 16


@dataclass
class Entry:
    url: str
    marks: dict[str, str]
    folders: tuple[str, ...]
    section: str = ""
    title: str = ""
    note: str = ""


@dataclass
class _Reader(HTMLParser):
    """Folders are the headings above a list; a description stands behind its link."""

    done: list[Entry] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    heading: str = ""
    section: str = ""
    entry: Entry | None = None
    place: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = {name: value or "" for name, value in attrs}
        if tag == "a" and marks.get("href"):
            self.flush()
            self.entry = Entry(marks["href"], marks, tuple(self.folders), self.section)
            self.place = "title"
        elif tag in ("h1", "h2", "h3"):
            self.flush()
            self.heading, self.place = "", tag
        elif tag == "dl":
            self.flush()
            self.folders.append(self.heading.strip())
            self.heading = ""
        elif tag == "dd":
            self.place = "note"
        elif tag in ("dt", "li"):
            self.flush()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "h2"):
            self.section, self.heading = self.heading.strip(), ""
        elif tag == "dl":
            self.flush()
            self.folders = self.folders[:-1]
        if tag in ("a", "h1", "h2", "h3"):
            self.place = ""

    def handle_data(self, data: str) -> None:
        if self.place in ("h1", "h2", "h3"):
            self.heading += data
        elif self.entry and self.place == "title":
            self.entry.title += data
        elif self.entry and self.place == "note":
            self.entry.note += data

    def flush(self) -> None:
        if self.entry:
            self.done.append(self.entry)
        self.entry, self.place = None, ""

    def taken(self) -> list[Entry]:
        done, self.done = self.done, []
        return done


def entries_of(path: Path) -> Iterator[Entry]:
    with opened(path) as bundle:
        for name in bundle.ending(".html", ".htm") if bundle.is_archive else [""]:
            reader = _Reader()
            with bundle.open(name) as file:
                # Cut at a tag's end, so that no letter and no tag is torn apart.
                rest = b""
                while block := file.read(_BLOCK_BYTES):
                    whole, end, rest = (rest + block).rpartition(b">")
                    reader.feed((whole + end).decode(errors="replace"))
                    yield from reader.taken()
            reader.feed(rest.decode(errors="replace"))
            reader.close()
            reader.flush()
            yield from reader.taken()
