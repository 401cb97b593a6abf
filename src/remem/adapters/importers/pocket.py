"""Bookmarks as Pocket gave them out: CSV, in a ZIP with what was marked, or the older HTML."""

from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers import fields
from remem.adapters.importers.bundle import opened
from remem.adapters.importers.listed import records_of
from remem.adapters.importers.netscape import entries_of
from remem.adapters.importers.table import columns_of, rows_of
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut

_KNOWN = ("title", "url", "time_added", "tags")


class PocketImporter:
    what = "a Pocket export (CSV or HTML, or the ZIP)"

    def recognises(self, path: Path) -> bool:
        return {"url", "time_added"} <= columns_of(path) or _is_page(path)

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        if _is_page(path):
            yield from _linked(path)
            return
        marked = _marked(path)
        for place, row in enumerate(rows_of(path), start=1):
            url = fields.text(row, "url", "resolved_url", "given_url")
            if not url:
                yield LeftOut("bookmark", f"row {place}", "it has no address")
                continue
            yield Item(
                kind="bookmark",
                reference=url,
                url=url,
                title=fields.text(row, "title") or None,
                quotes=marked.get(url, ()),
                tags=fields.words(row.get("tags"), "|,"),
                created_at=fields.moment(row, "time_added"),
                metadata=fields.others(row, *_KNOWN),
            )


def _is_page(path: Path) -> bool:
    try:
        with opened(path) as bundle:
            pages = bundle.ending(".html", ".htm") if bundle.is_archive else [""]
            return any(b"pocket export" in bundle.head(name).lower() for name in pages[:1])
    except Unreadable:
        return False


def _linked(path: Path) -> Iterator[Item]:
    for one in entries_of(path):
        yield Item(
            kind="bookmark",
            reference=one.url,
            url=one.url,
            title=one.title.strip() or None,
            tags=fields.words(one.marks.get("tags")),
            created_at=fields.read_moment(one.marks.get("time_added")),
            metadata={"status": one.section} if one.section else {},
        )


def _marked(path: Path) -> dict[str, tuple[str, ...]]:
    """What somebody marked on a page, by its address."""
    with opened(path) as bundle:
        if not bundle.is_archive:
            return {}
    return {
        fields.text(one, "url"): tuple(
            filter(
                None, (fields.text(mark, "quote") for mark in fields.records(one.get("highlights")))
            )
        )
        for one in records_of(path, frozenset({""}))
    }
