"""Render the properties of a Notion page as lines of markdown."""

from collections.abc import Callable, Mapping
from typing import Any

DEPTH = 3
VALUE_CHARS = 5_000


def title_of(properties: Mapping[str, Any]) -> str:
    for value in properties.values():
        if value.get("type") == "title":
            return _rich_text(value["title"]).strip()
    return ""


def property_lines(properties: Mapping[str, Any]) -> str:
    """Return a line per property, sorted by name, without the title and empty properties."""
    lines: list[str] = []
    for name, value in sorted(properties.items()):
        if value.get("type") not in ("title", "button", "last_edited_time", "last_edited_by"):
            text = " ".join(_text(value).split())[:VALUE_CHARS]
            if text:
                lines.append(f"- **{name}**: {text}")
    return "\n".join(lines)


def _text(value: Mapping[str, Any], depth: int = 0) -> str:
    """Format a property. Its value is stored under the name of its type."""
    kind = str(value.get("type"))
    content = value.get(kind)
    if content is None or depth > DEPTH:
        return ""
    if kind in ("formula", "rollup"):
        return _text(content, depth + 1)
    if kind == "array":
        return ", ".join(filter(None, (_text(item, depth + 1) for item in content)))
    writer = _WRITERS.get(kind)
    return writer(content) if writer else ""


def _rich_text(parts: Any) -> str:
    return "".join(str(part.get("plain_text", "")) for part in parts)


def _names(values: Any) -> str:
    return ", ".join(str(value.get("name") or "") for value in values if value.get("name"))


def _date(value: Mapping[str, Any]) -> str:
    return " → ".join(str(day) for day in (value.get("start"), value.get("end")) if day)


def _unique_id(value: Mapping[str, Any]) -> str:
    return "-".join(str(part) for part in (value.get("prefix"), value.get("number")) if part)


def _files(values: Any) -> str:
    return ", ".join(str(file.get("name")) for file in values if file.get("name"))


def _relation(values: Any) -> str:
    pages = [str(value["id"]).replace("-", "") for value in values]
    return ", ".join(f"https://www.notion.so/{page}" for page in pages)


def _place(value: Mapping[str, Any]) -> str:
    return str(value.get("name") or value.get("address") or "")


_WRITERS: dict[str, Callable[[Any], str]] = {
    "title": _rich_text,
    "rich_text": _rich_text,
    "number": str,
    "string": str,
    "boolean": lambda value: "yes" if value else "no",
    "checkbox": lambda value: "yes" if value else "no",
    "select": lambda value: str(value.get("name") or ""),
    "status": lambda value: str(value.get("name") or ""),
    "multi_select": _names,
    "people": _names,
    "created_by": lambda value: str(value.get("name") or ""),
    "created_time": str,
    "date": _date,
    "url": str,
    "email": str,
    "phone_number": str,
    "files": _files,
    "relation": _relation,
    "unique_id": _unique_id,
    "place": _place,
    "verification": lambda value: str(value.get("state") or ""),
}
