"""One table of a TOML file, put in or taken out; the rest stays letter by letter."""

import json
import re
from collections.abc import Sequence
from typing import Any

_HEADER = re.compile(r"^[ \t]*+\[[^\n]*\][ \t]*+(?:#[^\n]*)?$", re.M)


def put(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
    rest, place = _cut(text, path)
    block = _written(path, value)
    if place is None:
        head = rest.rstrip("\n")
        return f"{head}\n\n{block}" if head else block
    tail = rest[place:]
    return rest[:place] + block + (f"\n{tail}" if tail and not tail.startswith("\n") else tail)


def take(text: str, path: Sequence[str]) -> str:
    rest, place = _cut(text, path)
    if place is not None and not rest[place:].strip():
        rest = rest.rstrip("\n") + "\n" if rest.strip() else ""
    return rest


def _cut(text: str, path: Sequence[str]) -> tuple[str, int | None]:
    """Without the table and those below it, and where the first of them stood."""
    headers = [*_HEADER.finditer(text)]
    ends = [*(one.start() for one in headers[1:]), len(text)]
    kept, place, last = "", None, 0
    for header, end in zip(headers, ends, strict=False):
        if _is_below(header[0], path):
            kept += text[last : header.start()]
            place = len(kept) if place is None else place
            last = _end_of(text, header.end(), end)
    return kept + text[last:], place


def _is_below(header: str, path: Sequence[str]) -> bool:
    name = header.split("#")[0].strip().strip("[]").strip()
    parts = [part.strip().strip("\"'") for part in re.findall(r'"[^"]*"|\'[^\']*\'|[^.]+', name)]
    return parts[: len(path)] == list(path)


def _end_of(text: str, start: int, end: int) -> int:
    """Comments and blank lines before the next header are the next one's."""
    lines = text[start:end].splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start + sum(map(len, lines)) if lines else start + 1 if start < end else start


def _written(path: Sequence[str], value: dict[str, Any]) -> str:
    plain = {name: one for name, one in value.items() if not isinstance(one, dict)}
    below = {name: one for name, one in value.items() if isinstance(one, dict)}
    name = ".".join(_key(part) for part in path)
    # JSON's texts, numbers and lists are TOML's as well.
    lines = [f"{_key(key)} = {json.dumps(one, ensure_ascii=False)}\n" for key, one in plain.items()]
    tables = [f"\n{_written([*path, key], one)}" for key, one in below.items()]
    return f"[{name}]\n{''.join(lines)}{''.join(tables)}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
