"""Bookmarks as Raindrop gives them out, CSV or HTML; the HTML is what browsers write as well."""

from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers import fields
from remem.adapters.importers.bundle import opened
from remem.adapters.importers.netscape import entries_of
from remem.adapters.importers.table import columns_of, rows_of
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut

_TELLING = frozenset({"folder", "excerpt", "created", "cover", "highlights"})
_KNOWN = ("title", "url", "note", "excerpt", "tags", "created", "highlights")


class RaindropImporter:
    what = "a Raindrop export (CSV or HTML), or a browser's bookmarks (HTML)"

    def recognises(self, path: Path) -> bool:
        columns = columns_of(path)
        return _is_page(path) or ("url" in columns and not _TELLING.isdisjoint(columns))

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        if _is_page(path):
            yield from _linked(path)
            return
        for place, row in enumerate(rows_of(path), start=1):
            if url := fields.text(row, "url"):
                yield _row(url, row)
            else:
                yield LeftOut("bookmark", f"row {place}", "it has no address")


def _is_page(path: Path) -> bool:
    try:
        with opened(path) as bundle:
            pages = bundle.ending(".html", ".htm") if bundle.is_archive else [""]
            heads = (bundle.head(name).lower() for name in pages[:1])
            return any(b"netscape-bookmark-file" in head for head in heads)
    except Unreadable:
        return False


def _row(url: str, row: dict[str, str]) -> Item:
    marked = (part.strip() for part in fields.text(row, "highlights").split("\n\n"))
    return Item(
        kind="bookmark",
        reference=url,
        url=url,
        title=fields.text(row, "title") or None,
        note=fields.text(row, "note"),
        quotes=tuple(filter(None, [fields.text(row, "excerpt"), *marked])),
        tags=fields.words(row.get("tags")),
        created_at=fields.moment(row, "created"),
        metadata=fields.others(row, *_KNOWN),
    )


def _linked(path: Path) -> Iterator[Item | LeftOut]:
    for one in entries_of(path):
        if not one.url.lower().startswith(("http://", "https://")):
            yield LeftOut(
                "bookmark", one.title.strip() or one.url, "its address is none of the web"
            )
            continue
        folder = "/".join(part for part in one.folders if part)
        yield Item(
            kind="bookmark",
            reference=one.url,
            url=one.url,
            title=one.title.strip() or None,
            note=one.note.strip(),
            tags=fields.words(one.marks.get("tags")),
            created_at=fields.read_moment(one.marks.get("add_date")),
            metadata={
                **({"folder": folder} if folder else {}),
                **({"favorite": True} if one.marks.get("data-important") == "true" else {}),
                **({"cover": one.marks["data-cover"]} if one.marks.get("data-cover") else {}),
            },
        )
