"""Pocket exports: bookmarks as CSV, in a ZIP with highlights, or in the older HTML."""

from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers import fields
from remem.adapters.importers.bookmarks_html import read_entries
from remem.adapters.importers.bundle import open_bundle
from remem.adapters.importers.json_records import read_records
from remem.adapters.importers.table import read_columns, read_rows
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut

_KNOWN = ("title", "url", "time_added", "tags")


class PocketImporter:
    description = "a Pocket export (CSV or HTML, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return {"url", "time_added"} <= read_columns(path) or _is_html(path)

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        if _is_html(path):
            yield from _html_items(path)
            return
        highlights = _read_highlights(path)
        for position, row in enumerate(read_rows(path), start=1):
            url = fields.text(row, "url", "resolved_url", "given_url")
            if not url:
                yield LeftOut("bookmark", f"row {position}", "it has no address")
                continue
            yield Item(
                kind="bookmark",
                reference=url,
                url=url,
                title=fields.text(row, "title") or None,
                quotes=highlights.get(url, ()),
                tags=fields.tags(row.get("tags"), "|,"),
                created_at=fields.moment(row, "time_added"),
                metadata=fields.others(row, *_KNOWN),
            )


def _is_html(path: Path) -> bool:
    try:
        with open_bundle(path) as bundle:
            pages = bundle.names_ending(".html", ".htm") if bundle.is_archive else [""]
            return any(b"pocket export" in bundle.head(name).lower() for name in pages[:1])
    except Unreadable:
        return False


def _html_items(path: Path) -> Iterator[Item]:
    for entry in read_entries(path):
        yield Item(
            kind="bookmark",
            reference=entry.url,
            url=entry.url,
            title=entry.title.strip() or None,
            tags=fields.tags(entry.attributes.get("tags")),
            created_at=fields.parse_moment(entry.attributes.get("time_added")),
            metadata={"status": entry.section} if entry.section else {},
        )


def _read_highlights(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the highlighted passages of pages, by URL."""
    with open_bundle(path) as bundle:
        if not bundle.is_archive:
            return {}
    return {
        fields.text(page, "url"): tuple(
            filter(
                None,
                (fields.text(mark, "quote") for mark in fields.records(page.get("highlights"))),
            )
        )
        for page in read_records(path, frozenset({""}))
    }
