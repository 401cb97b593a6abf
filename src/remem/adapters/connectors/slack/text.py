"""Slack messages as markdown: mentions, channels, links, blocks and files."""

import re
from collections.abc import Mapping
from typing import Any

DEPTH = 12
PARTS = 2_000
_REFERENCE = re.compile(r"<([^<>]{1,3000})>")
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def message_text(message: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the text of a message, or else of its blocks and attachments, with file names."""
    text = str(message.get("text") or "")
    if not text.strip():
        texts: list[str] = []
        _collect(message.get("blocks"), texts)
        _collect(message.get("attachments"), texts)
        text = " ".join(texts)
    files = [str(file.get("name") or "") for file in message.get("files") or () if file]
    parts = [_to_markdown(text, names), *(f"[file: {name}]" for name in files if name)]
    return "\n".join(part for part in parts if part.strip())


def _to_markdown(text: str, names: Mapping[str, str]) -> str:
    text = _REFERENCE.sub(lambda match: _format_reference(match[1], names), text)
    for escaped, char in _ESCAPES:
        text = text.replace(escaped, char)
    return text


def _format_reference(inner: str, names: Mapping[str, str]) -> str:
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


def _collect(part: Any, texts: list[str], depth: int = 0) -> None:
    """Collect the texts of nested blocks, up to a depth and a number."""
    if depth > DEPTH or len(texts) >= PARTS:
        return
    if isinstance(part, list):
        for child in part:
            _collect(child, texts, depth + 1)
    elif isinstance(part, Mapping):
        for key in ("text", "fallback"):
            if isinstance(part.get(key), str):
                texts.append(part[key])
                break
        for key in ("elements", "fields", "blocks", "text"):
            if not isinstance(part.get(key), str):
                _collect(part.get(key), texts, depth + 1)
