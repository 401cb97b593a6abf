"""Raindrop exports: bookmarks as CSV, or in the HTML format that browsers use as well."""

from collections.abc import Iterator
from pathlib import Path

from remem.adapters.importers import fields
from remem.adapters.importers.bookmarks_html import read_entries
from remem.adapters.importers.bundle import open_bundle
from remem.adapters.importers.table import read_columns, read_rows
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut

_DISTINCTIVE_COLUMNS = frozenset({"folder", "excerpt", "created", "cover", "highlights"})
_KNOWN = ("title", "url", "note", "excerpt", "tags", "created", "highlights")


class RaindropImporter:
    description = "a Raindrop export (CSV or HTML), or a browser's bookmarks (HTML)"

    def recognises(self, path: Path) -> bool:
        columns = read_columns(path)
        return _is_html(path) or ("url" in columns and not _DISTINCTIVE_COLUMNS.isdisjoint(columns))

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        if _is_html(path):
            yield from _html_items(path)
            return
        for position, row in enumerate(read_rows(path), start=1):
            if url := fields.text(row, "url"):
                yield _row_item(url, row)
            else:
                yield LeftOut("bookmark", f"row {position}", "it has no address")


def _is_html(path: Path) -> bool:
    try:
        with open_bundle(path) as bundle:
            pages = bundle.names_ending(".html", ".htm") if bundle.is_archive else [""]
            heads = (bundle.head(name).lower() for name in pages[:1])
            return any(b"netscape-bookmark-file" in head for head in heads)
    except Unreadable:
        return False


def _row_item(url: str, row: dict[str, str]) -> Item:
    highlights = (part.strip() for part in fields.text(row, "highlights").split("\n\n"))
    return Item(
        kind="bookmark",
        reference=url,
        url=url,
        title=fields.text(row, "title") or None,
        note=fields.text(row, "note"),
        quotes=tuple(filter(None, [fields.text(row, "excerpt"), *highlights])),
        tags=fields.tags(row.get("tags")),
        created_at=fields.moment(row, "created"),
        metadata=fields.others(row, *_KNOWN),
    )


def _html_items(path: Path) -> Iterator[Item | LeftOut]:
    for entry in read_entries(path):
        if not entry.url.lower().startswith(("http://", "https://")):
            yield LeftOut(
                "bookmark", entry.title.strip() or entry.url, "its address is none of the web"
            )
            continue
        folder = "/".join(part for part in entry.folders if part)
        yield Item(
            kind="bookmark",
            reference=entry.url,
            url=entry.url,
            title=entry.title.strip() or None,
            note=entry.note.strip(),
            tags=fields.tags(entry.attributes.get("tags")),
            created_at=fields.parse_moment(entry.attributes.get("add_date")),
            metadata={
                **({"folder": folder} if folder else {}),
                **({"favorite": True} if entry.attributes.get("data-important") == "true" else {}),
                **(
                    {"cover": entry.attributes["data-cover"]}
                    if entry.attributes.get("data-cover")
                    else {}
                ),
            },
        )
