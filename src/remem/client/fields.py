"""The fields of a save, a recall or a change, and how they are sent."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict
from uuid import UUID

Id = str | UUID
Mode = Literal["fast", "balanced", "deep", "best"]


class SaveFields(TypedDict, total=False):
    title: str | None
    project: str | None
    project_id: Id | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    content_type: str | None
    source_url: str | None
    updates_memory_id: Id | None
    forget_after: datetime | str | None
    index_only: bool | None
    unread: bool | None


class UrlFields(TypedDict, total=False):
    container: str | None
    content_type: str | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Any] | None
    index_only: bool | None
    unread: bool | None


class ContextFields(TypedDict, total=False):
    project: str | None
    project_id: Id | None
    limit: int | None
    filters: Mapping[str, Any] | None
    mode: Mode | None
    asked_at: datetime | str | None
    kinds: Sequence[Literal["document", "memory"]] | None
    weak: bool | None


class RecallFields(ContextFields, total=False):
    max_tokens: int | None
    explain: bool | None


class DocumentFields(TypedDict, total=False):
    title: str
    content: str
    project: str
    project_id: Id
    tags: Sequence[str]
    metadata: Mapping[str, Any]
    forget_after: datetime | str | None
    unread: bool
    favourite: bool
    archived: bool


class MemoryFields(TypedDict, total=False):
    title: str | None
    category: str | None
    project: str | None
    project_id: Id | None
    tags: Sequence[str] | None
    context: Mapping[str, Any] | None
    confidence: float | None
    session_id: Id | None
    valid_from: datetime | str | None
    valid_until: datetime | str | None
    occurred_at: datetime | str | None
    due_at: datetime | str | None
    speaker: str | None
    said_at: datetime | str | None
    source: str | None
    defer: bool | None


class MemoryChange(TypedDict, total=False):
    content: str
    title: str | None
    category: str
    project: str
    project_id: Id
    tags: Sequence[str]
    context: Mapping[str, Any]
    confidence: float
    valid_from: datetime | str | None
    valid_until: datetime | str | None
    occurred_at: datetime | str | None
    due_at: datetime | str | None


def without_none(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out fields that are None."""
    return {name: to_json(value) for name, value in fields.items() if value is not None}


def to_json(value: Any) -> Any:
    """Convert a value to what JSON can represent."""
    match value:
        case UUID():
            return str(value)
        case datetime():
            return value.isoformat()
        case Mapping():
            return {name: to_json(inner) for name, inner in value.items()}
        case list() | tuple() | set() | frozenset():
            return [to_json(inner) for inner in value]
        case _:
            return value


def to_form(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Convert fields to form data; nested values are sent as JSON."""
    return {
        name: json.dumps(value) if isinstance(value, dict) else _text(value)
        for name, value in without_none(fields).items()
    }


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value
