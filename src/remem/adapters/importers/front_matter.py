"""Front matter: fields at the top of a note, between two lines of dashes.

Parses what people and note programs write, values and lists of values. Deeper structures stay
text, and nothing is expanded."""

import re
from typing import Any

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([^\s:#\-\[{][^:\n]*):(?:[ \t]++(.*))?")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)")
_LIST_ITEM = re.compile(r"(?>(?:\"[^\"]*\"|'[^']*'|[^,])+)")
_COMMENT = re.compile(r"(?<![ \t])[ \t]++#.*")
_FRONT_CHARS = 100_000


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Split a note into its fields and its text."""
    text = text.replace("\r\n", "\n")
    match = _FRONT.match(text[:_FRONT_CHARS])
    if not match:
        return {}, text
    return _fields(match[1]), text[match.end() :]


def _fields(front: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    key = ""
    for line in front.splitlines():
        if field := _FIELD.fullmatch(line.rstrip()):
            key = field[1].strip().strip("\"'")
            fields[key] = _value((field[2] or "").strip())
        elif key and (entry := _ENTRY.fullmatch(line.rstrip())):
            value = fields[key]
            fields[key] = [*(value if isinstance(value, list) else []), _scalar(entry[1].strip())]
        elif key and line.strip():
            fields[key] = f"{fields[key] or ''}\n{line.strip()}".strip(">|\n")
    return fields


def _value(raw: str) -> Any:
    if raw.startswith("[") and raw.endswith("]") and not raw.startswith("[["):
        return [_scalar(item.strip()) for item in _LIST_ITEM.findall(raw[1:-1]) if item.strip()]
    return _scalar(raw)


def _scalar(raw: str) -> Any:
    if raw[:1] in ("'", '"') and raw[-1:] == raw[:1] and len(raw) > 1:
        return raw[1:-1]
    raw = _COMMENT.sub("", raw)
    if raw in ("true", "false"):
        return raw == "true"
    return int(raw) if re.fullmatch(r"-?\d{1,15}", raw) else raw
