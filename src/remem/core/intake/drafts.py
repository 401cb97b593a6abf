"""Turn an item of another product into a draft of a memory or a document."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5

from remem.core.documents.imported.import_document import FETCHED
from remem.core.documents.model import Draft as DocumentDraft
from remem.core.documents.voice import day_in_name
from remem.core.errors import Invalid
from remem.core.intake.model import Origin
from remem.core.intake.texts import render_bookmark, render_talk, to_storable
from remem.core.items import Item
from remem.core.memories.model import MemoryDraft
from remem.core.ports import Original
from remem.core.projects.model import DEPTH_LIMIT, normalise
from remem.core.text import TITLE_LIMIT, shorten
from remem.core.validate import NEW, TAG_LIMIT, TAGS_LIMIT, check_json, check_moment, check_url

# The namespace of item ids: the same item of a product always has the same id here.
_ITEM_NAMESPACE = UUID("5f0f6d57-9c0e-4b71-8d6c-1b8e0f6d2a43")
_LONG_FIELD = 2_000


def to_storable_item(item: Item) -> Item:
    words = {name: to_storable(getattr(item, name)) for name in ("reference", "content", "note")}
    return replace(
        item,
        **words,
        title=shorten(" ".join(to_storable(item.title).split()), TITLE_LIMIT)
        if item.title
        else None,
        quotes=tuple(to_storable(item.quotes)),
        turns=tuple(replace(turn, text=to_storable(turn.text)) for turn in item.turns),
        tags=tuple(to_storable(item.tags)),
        created_at=_within_calendar(item.created_at or _day_of_note(item)),
        valid_until=_within_calendar(item.valid_until),
    )


def _day_of_note(item: Item) -> datetime | None:
    """The date in the file name, as in daily notes: "2024-02-17.md"."""
    path = item.metadata.get("path")
    return day_in_name(PurePath(path).stem) if isinstance(path, str) else None


def _within_calendar(moment: datetime | None) -> datetime | None:
    """Drop an impossible date instead of rejecting its item."""
    try:
        check_moment("created_at", moment)
    except Invalid:
        return None
    return moment


def _id(origin: Origin, item: Item) -> UUID:
    return uuid5(_ITEM_NAMESPACE, f"{origin.name}:{item.reference}")


def memory_draft(origin: Origin, item: Item) -> MemoryDraft:
    return MemoryDraft(
        content=item.content,
        project=_project(origin, item),
        create_project=True,
        tags=_tags(item),
        context=_metadata(origin, item),
        valid_until=item.valid_until,
        source=origin.name,
        id=_id(origin, item),
        created_at=item.created_at,
    )


def document_draft(origin: Origin, item: Item) -> DocumentDraft:
    draft = DocumentDraft(
        id=_id(origin, item),
        title=item.title,
        source_url=item.url if _is_web(item.url) else None,
        content_type=item.content_type or "text",
        project=_project(origin, item),
        create_project=True,
        metadata=_metadata(origin, item),
        tags=_tags(item),
        source=origin.name,
        created_at=item.created_at,
    )
    if item.kind == "talk":
        return replace(draft, extracted=render_talk(item.turns))
    if item.kind == "bookmark":
        if origin.fetch and not item.content and _is_web(item.url):
            return replace(draft, fetch=True, metadata={**draft.metadata, FETCHED: True})
        return replace(draft, content=render_bookmark(item), content_type="markdown")
    if item.file:
        return replace(draft, original=Original(item.file, name=item.title), content_type=None)
    return replace(draft, content=item.content)


def _project(origin: Origin, item: Item) -> str | None:
    """The caller's project, followed by the item's folders below the top one, which it replaces;
    without a project, all folders."""
    folders = [part.replace(".", "-") for part in item.folders]
    if origin.project and len(folders) > 1:
        below = normalise(".".join(folders[1:DEPTH_LIMIT]))
        return f"{origin.project}.{below}"
    if origin.project or not folders:
        return origin.project
    # Folders are levels of one path, so their names are normalised.
    return normalise(".".join(folders[:DEPTH_LIMIT]))


def _tags(item: Item) -> list[str]:
    return [tag[:TAG_LIMIT] for tag in item.tags if tag][:TAGS_LIMIT]


def _metadata(origin: Origin, item: Item) -> dict[str, Any]:
    """All known fields of an item; those too large or too deep for metadata are left out."""
    origin_fields = {"imported_from": origin.name, "external_id": item.reference}
    if item.created_at:
        origin_fields["created_at"] = item.created_at.isoformat()
    notes = {"note": item.note} if item.note else {}
    if item.url and not _is_web(item.url):
        notes["url"] = item.url
    metadata: dict[str, Any] = {}
    room = NEW.size - 4_000
    for key, value in {**notes, **to_storable(dict(item.metadata))}.items():
        size = len(str(value)) * 2 + len(key)
        if size <= min(room, _LONG_FIELD * 10) and _fits({**metadata, key: value}):
            metadata[key] = value
            room -= size
    return {**metadata, **_without_none(origin_fields)}


def _is_web(url: str | None) -> bool:
    try:
        check_url("url", url)
    except Invalid:
        return False
    return url is not None


def _fits(metadata: dict[str, Any]) -> bool:
    try:
        check_json("metadata", metadata, replace(NEW, keys=NEW.keys - 10))
    except Invalid:
        return False
    return True


def _without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None}
