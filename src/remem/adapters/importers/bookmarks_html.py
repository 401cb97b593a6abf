"""Bookmarks in the HTML format of browsers and most products, parsed as a stream of tags."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from remem.adapters.importers.bundle import open_bundle

_BLOCK_BYTES = 1 << 16


@dataclass
class Entry:
    url: str
    attributes: dict[str, str]
    folders: tuple[str, ...]
    section: str = ""
    title: str = ""
    note: str = ""


@dataclass
class _Reader(HTMLParser):
    """Collects entries. A folder is the heading above a list; a description follows its link."""

    done: list[Entry] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    heading: str = ""
    section: str = ""
    entry: Entry | None = None
    text_target: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a" and attributes.get("href"):
            self.flush()
            self.entry = Entry(attributes["href"], attributes, tuple(self.folders), self.section)
            self.text_target = "title"
        elif tag in ("h1", "h2", "h3"):
            self.flush()
            self.heading, self.text_target = "", tag
        elif tag == "dl":
            self.flush()
            self.folders.append(self.heading.strip())
            self.heading = ""
        elif tag == "dd":
            self.text_target = "note"
        elif tag in ("dt", "li"):
            self.flush()

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "h2"):
            self.section, self.heading = self.heading.strip(), ""
        elif tag == "dl":
            self.flush()
            self.folders = self.folders[:-1]
        if tag in ("a", "h1", "h2", "h3"):
            self.text_target = ""

    def handle_data(self, data: str) -> None:
        if self.text_target in ("h1", "h2", "h3"):
            self.heading += data
        elif self.entry and self.text_target == "title":
            self.entry.title += data
        elif self.entry and self.text_target == "note":
            self.entry.note += data

    def flush(self) -> None:
        if self.entry:
            self.done.append(self.entry)
        self.entry, self.text_target = None, ""

    def take_entries(self) -> list[Entry]:
        done, self.done = self.done, []
        return done


def read_entries(path: Path) -> Iterator[Entry]:
    with open_bundle(path) as bundle:
        for name in bundle.names_ending(".html", ".htm") if bundle.is_archive else [""]:
            reader = _Reader()
            with bundle.open(name) as file:
                # Split at the end of a tag, so that no character or tag is split.
                rest = b""
                while block := file.read(_BLOCK_BYTES):
                    complete, end, rest = (rest + block).rpartition(b">")
                    reader.feed((complete + end).decode(errors="replace"))
                    yield from reader.take_entries()
            reader.feed(rest.decode(errors="replace"))
            reader.close()
            reader.flush()
            yield from reader.take_entries()
