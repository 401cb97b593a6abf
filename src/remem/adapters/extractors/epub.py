"""EPUB: the chapters in reading order, as markdown with their headings."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from lxml.etree import _Element

from remem.adapters.extractors.archive import Archive, open_archive
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.dates import iso_date
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.html import whole_content
from remem.adapters.extractors.xml import local_name, parse_xml, refuse_entities
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

CHAPTERS = ("application/xhtml+xml", "text/html")
# Obfuscated fonts are allowed: the text of such a book is readable.
FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
DAMAGED = "The EPUB is damaged or incomplete ({}); download it again."


def extract(original: Original, engines: Engines) -> Extracted:
    with open_archive(original.path) as archive:
        _refuse_encrypted(archive)
        package_path = _package_path(archive)
        package = parse_xml(_part(archive, package_path))
        draft = Draft()
        chapters = 0
        for name in _chapters(package, posixpath.dirname(package_path)):
            if draft.is_full:
                break
            if name in archive.names:
                draft.add(_chapter(archive.read(name)))
                chapters += 1
        return draft.finish("epub", {**_metadata(package), "chapter_count": chapters})


def _chapter(data: bytes) -> str:
    refuse_entities(data)
    return whole_content(decode(data))


def _part(archive: Archive, name: str) -> bytes:
    if name not in archive.names:
        raise Unreadable(DAMAGED.format(f"{name} is missing"))
    return archive.read(name)


def _refuse_encrypted(archive: Archive) -> None:
    name = "META-INF/encryption.xml"
    if name not in archive.names:
        return
    methods = {
        element.get("Algorithm", "")
        for element in parse_xml(archive.read(name)).iter()
        if local_name(element) == "EncryptionMethod"
    }
    if methods - set(FONT_METHODS):
        raise Unreadable("The EPUB is encrypted (DRM); save a copy that is not protected.")


def _package_path(archive: Archive) -> str:
    container = parse_xml(_part(archive, "META-INF/container.xml"))
    for element in container.iter():
        if local_name(element) == "rootfile" and (path := element.get("full-path")):
            return path
    raise Unreadable(DAMAGED.format("it does not say where the book begins"))


def _chapters(package: _Element, folder: str) -> Iterator[str]:
    """Yield the names of the chapters in reading order, without the table of contents."""
    items = {
        element.get("id"): element for element in package.iter() if local_name(element) == "item"
    }
    for element in package.iter():
        item = items.get(element.get("idref")) if local_name(element) == "itemref" else None
        if item is None or element.get("linear") == "no":
            continue
        if (
            item.get("media-type") in CHAPTERS
            and "nav" not in (item.get("properties") or "").split()
        ):
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))


def _metadata(package: _Element) -> dict[str, Any]:
    values: dict[str, list[str]] = {}
    for element in package.iter():
        if text := " ".join((element.text or "").split()):
            values.setdefault(local_name(element), []).append(text)
    dates = [date for element in values.get("date", []) if (date := iso_date(element))]
    return {
        "title": next(iter(values.get("title", [])), None),
        "author": ", ".join(values.get("creator", [])[:5]),
        "language": next(iter(values.get("language", [])), "").split("-")[0].lower(),
        "published_at": next(iter(dates), None),
        "publisher": next(iter(values.get("publisher", [])), None),
    }
