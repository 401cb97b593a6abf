"""A folder of Markdown notes, such as an Obsidian vault, with its other files."""

import os
import re
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from remem.adapters.extractors.limits import FILE_BYTES, MEGABYTE
from remem.adapters.importers import fields
from remem.adapters.importers.bundle import Bundle, leads_outside, open_bundle
from remem.core.chunking.front_matter import split_front_matter
from remem.core.errors import Unreadable
from remem.core.items import Item, LeftOut

NOTE_SUFFIXES = (".md", ".markdown", ".mdown")
# Internal files of a vault, such as the drawings of a plug-in or the layout of a board.
INTERNAL_SUFFIXES = (".canvas", ".base", ".excalidraw", ".css", ".js")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"(?<![\w/#&])#([^\W\d_][\w/-]*|\d+[^\W\d][\w/-]*)")
_LINK = re.compile(r"!?\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
_DATES = ("created", "created_at", "date created", "creation date", "date", "published")
_TITLES = ("title",)
_TAGS = ("tags", "tag")


class ObsidianImporter:
    description = (
        "a folder of Markdown notes, such as an Obsidian vault (the folder, or a ZIP of it)"
    )

    def recognises(self, path: Path) -> bool:
        with open_bundle(path) as bundle:
            return bundle.is_archive and bool(bundle.names_ending(*NOTE_SUFFIXES))

    def read(self, path: Path, folder: Path | None) -> Iterator[Item | LeftOut]:
        with open_bundle(path) as bundle:
            if not bundle.is_archive:
                raise Unreadable("This is not a folder of notes; give the folder, or a ZIP of it.")
            for name in bundle.names:
                yield _item(bundle, name, folder)


def _item(bundle: Bundle, name: str, folder: Path | None) -> Item | LeftOut:
    path = PurePosixPath(name)
    if leads_outside(name):
        return LeftOut("document", name, "its name leads outside of the folder")
    if path.suffix.lower() in INTERNAL_SUFFIXES:
        return LeftOut("document", name, "it is a vault's own file, with no text for people")
    if bundle.size(name) == 0:
        return LeftOut("document", name, "it is empty")
    if bundle.size(name) > FILE_BYTES:
        return LeftOut("document", name, f"it is larger than {FILE_BYTES / MEGABYTE:,.0f} MB")
    if path.suffix.lower() in NOTE_SUFFIXES:
        with bundle.open(name) as file:
            return note_item(path, file.read().decode("utf-8-sig", "replace"))
    return Item(
        kind="document",
        reference=name,
        file=_unpack(bundle, name, folder) if folder else None,
        title=path.name,
        folders=path.parts[:-1],
        metadata={"path": name},
    )


def _unpack(bundle: Bundle, name: str, folder: Path) -> Path:
    descriptor, path = tempfile.mkstemp(dir=folder)
    os.close(descriptor)
    return bundle.unpack(name, Path(path))


def note_item(path: PurePosixPath, source: str) -> Item | LeftOut:
    properties, text = split_front_matter(source)
    if not text.strip():
        return LeftOut("document", str(path), "it has no text")
    prose = _CODE.sub(" ", text)
    links = list(dict.fromkeys(match[1].strip() for match in _LINK.finditer(prose)))
    tagged = [word for key in _TAGS for word in fields.tags(properties.get(key), ", ")]
    inline = [match[1].strip("/") for match in _TAG.finditer(prose)]
    return Item(
        kind="document",
        reference=str(path),
        content=text,
        content_type="markdown",
        title=fields.text(properties, *_TITLES) or path.stem,
        tags=tuple(dict.fromkeys(tag for tag in [*tagged, *inline] if tag)),
        folders=path.parts[:-1],
        created_at=_created_at(properties),
        metadata={
            **fields.others(properties, *_TAGS, *_TITLES),
            "path": str(path),
            **({"links": links} if links else {}),
        },
    )


def _created_at(properties: dict[str, Any]) -> datetime | None:
    lower = {key.casefold(): value for key, value in properties.items()}
    return fields.moment(lower, *_DATES)
