"""Messages of Slack as markdown: who is meant, channels, links, blocks and files."""

import re
from collections.abc import Mapping
from typing import Any

DEPTH = 12
PARTS = 2_000
_MARKS = re.compile(r"<([^<>]{1,3000})>")
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def message_text(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The text; of blocks or attachments where there is none; with the names of its files."""
    text = str(message.get("text") or "")
    if not text.strip():
        found: list[str] = []
        _collect(message.get("blocks"), found)
        _collect(message.get("attachments"), found)
        text = " ".join(found)
    files = [str(one.get("name") or "") for one in message.get("files") or () if one]
    parts = [_plain(text, names), *(f"[file: {name}]" for name in files if name)]
    return "\n".join(part for part in parts if part.strip())


def _plain(text: str, names: Mapping[str, str]) -> str:
    text = _MARKS.sub(lambda found: _mark(found[1], names), text)
    for escaped, char in _ESCAPES:
        text = text.replace(escaped, char)
    return text


def _mark(inner: str, names: Mapping[str, str]) -> str:
    target, _, label = inner.partition("|")
    if target.startswith("@"):
        return f"@{label or names.get(target[1:], target[1:])}"
    if target.startswith("#"):
        return f"#{label or names.get(target[1:], target[1:])}"
    if target.startswith("!"):
        return f"@{label.lstrip('@') or target[1:].split('^')[0]}"
    if label and label != target:
        return f"[{label}]({target.removeprefix('mailto:')})"
    return target


def _collect(part: Any, found: list[str], depth: int = 0) -> None:
    """Texts in blocks, as deep and as many as people write them."""
    if depth > DEPTH or len(found) >= PARTS:
        return
    if isinstance(part, list):
        for inner in part:
            _collect(inner, found, depth + 1)
    elif isinstance(part, Mapping):
        for key in ("text", "fallback"):
            if isinstance(part.get(key), str):
                found.append(part[key])
                break
        for key in ("elements", "fields", "blocks", "text"):
            if not isinstance(part.get(key), str):
                _collect(part.get(key), found, depth + 1)
