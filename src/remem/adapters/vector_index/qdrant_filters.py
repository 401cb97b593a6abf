"""Filters as Qdrant conditions on the payload that `qdrant_points` writes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias
from uuid import UUID

from remem.core.filter_sql import FILTERABLE
from remem.core.filters import Filters

Condition: TypeAlias = dict[str, Any]
# Objects with more values are compared by PostgreSQL only, which reads every result.
MAX_VALUES, TOO_MANY = 500, "*"


def conditions(
    tenant_id: UUID,
    kind: str,
    model: str,
    project_ids: Sequence[UUID] | None,
    filters: Filters,
) -> Condition:
    """The filter for a search, which always includes the tenant."""
    must = [match("tenant_id", str(tenant_id)), match("kind", kind), match("model", model)]
    if project_ids is not None:
        must.append(match_any("project_id", [str(id) for id in project_ids]))
    must += _filter_conditions(kind, filters)
    filter: Condition = {"must": must}
    if filters.not_of_document:
        filter["must_not"] = [match("document_id", str(filters.not_of_document))]
    return filter


def _filter_conditions(kind: str, filters: Filters) -> Iterator[Condition]:
    if filters.content_types:
        yield match_any("content_type", list(filters.content_types))
    # Documents have no category, so the filter does not apply to them.
    if filters.categories and "categories" in FILTERABLE[kind].conditions:
        yield match_any("category", list(filters.categories))
    for tag in filters.tags:
        yield match("tags", tag.lower())
    if filters.created_after:
        yield _between("created_at", filters.created_after, None)
    if filters.created_before:
        yield _between("created_at", None, filters.created_before)
    for value in metadata_values(filters.metadata):
        yield match_any("metadata_values", [value, TOO_MANY])
    if filters.windows:
        yield {"should": [_between("moment", start, end) for start, end in filters.windows]}


def match(key: str, value: str) -> Condition:
    return {"key": key, "match": {"value": value}}


def match_any(key: str, values: list[str]) -> Condition:
    return {"key": key, "match": {"any": values}}


def _between(key: str, start: datetime | None, end: datetime | None) -> Condition:
    bounds = {"gte": start and rfc3339(start), "lt": end and rfc3339(end)}
    return {"key": key, "range": {name: bound for name, bound in bounds.items() if bound}}


def rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def metadata_values(metadata: Mapping[str, Any]) -> list[str]:
    """The values of an object with their paths, as text. An object contains another if it has all
    of its values. For lists of objects this matches too much, which PostgreSQL corrects."""
    return sorted(set(_values(metadata, [])))


def bounded_metadata_values(metadata: Mapping[str, Any]) -> list[str]:
    values = metadata_values(metadata)
    return values if len(values) <= MAX_VALUES else [TOO_MANY]


def _values(value: Any, path: list[str]) -> Iterator[str]:
    if isinstance(value, Mapping):
        if path:
            yield _encode_value(path, {})
        for key, inner in value.items():
            yield from _values(inner, [*path, f".{key}"])
    elif isinstance(value, list | tuple):
        yield _encode_value(path, [])
        for inner in value:
            yield from _values(inner, [*path, "[]"])
    else:
        yield _encode_value(path, value)


def _encode_value(path: Sequence[str], value: Any) -> str:
    # In PostgreSQL, 1 and 1.0 are the same number.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps([*path, value], ensure_ascii=False, separators=(",", ":"))
