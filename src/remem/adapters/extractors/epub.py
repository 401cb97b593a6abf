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
from remem.adapters.extractors.xml import local, parse_xml, refuse_entities
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

CHAPTERS = ("application/xhtml+xml", "text/html")
# Fonts may be scrambled in a book anybody can read.
FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
DAMAGED = "The EPUB is damaged or incomplete ({}); download it again."


def extract(original: Original, engines: Engines) -> Extracted:
    with open_archive(original.path) as archive:
        _refuse_locked(archive)
        place = _package_place(archive)
        package = parse_xml(_part(archive, place))
        draft = Draft()
        chapters = 0
        for name in _chapters(package, posixpath.dirname(place)):
            if draft.is_full:
                break
            if name in archive.names:
                draft.add(_chapter(archive.read(name)))
                chapters += 1
        return draft.done("epub", {**_found(package), "chapter_count": chapters})


def _chapter(data: bytes) -> str:
    refuse_entities(data)
    return whole_content(decode(data))


def _part(archive: Archive, name: str) -> bytes:
    if name not in archive.names:
        raise Unreadable(DAMAGED.format(f"{name} is missing"))
    return archive.read(name)


def _refuse_locked(archive: Archive) -> None:
    name = "META-INF/encryption.xml"
    if name not in archive.names:
        return
    methods = {
        each.get("Algorithm", "")
        for each in parse_xml(archive.read(name)).iter()
        if local(each) == "EncryptionMethod"
    }
    if methods - set(FONT_METHODS):
        raise Unreadable("The EPUB is encrypted (DRM); save a copy that is not protected.")


def _package_place(archive: Archive) -> str:
    container = parse_xml(_part(archive, "META-INF/container.xml"))
    for each in container.iter():
        if local(each) == "rootfile" and (place := each.get("full-path")):
            return place
    raise Unreadable(DAMAGED.format("it does not say where the book begins"))


def _chapters(package: _Element, folder: str) -> Iterator[str]:
    """The names of the parts, in the order they are read; the table of contents is none."""
    items = {each.get("id"): each for each in package.iter() if local(each) == "item"}
    for each in package.iter():
        item = items.get(each.get("idref")) if local(each) == "itemref" else None
        if item is None or each.get("linear") == "no":
            continue
        if (
            item.get("media-type") in CHAPTERS
            and "nav" not in (item.get("properties") or "").split()
        ):
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))


def _found(package: _Element) -> dict[str, Any]:
    said: dict[str, list[str]] = {}
    for each in package.iter():
        if words := " ".join((each.text or "").split()):
            said.setdefault(local(each), []).append(words)
    dates = [date for each in said.get("date", []) if (date := iso_date(each))]
    return {
        "title": next(iter(said.get("title", [])), None),
        "author": ", ".join(said.get("creator", [])[:5]),
        "language": next(iter(said.get("language", [])), "").split("-")[0].lower(),
        "published_at": next(iter(dates), None),
        "publisher": next(iter(said.get("publisher", [])), None),
    }
