"""JSON and JSON lines: readable fields, conversations, posts and notebooks."""

import json
import re
from collections.abc import Iterator
from typing import Any

from remem.adapters.extractors import notebook, social, talk
from remem.adapters.extractors.charset import decode
from remem.adapters.extractors.draft import Draft
from remem.adapters.extractors.engines import Engines
from remem.adapters.extractors.limits import JSON_BYTES, JSON_DEPTH, TABLE_ROWS, read_bytes
from remem.core.chunking.model import Joint
from remem.core.errors import Unreadable
from remem.core.extraction_ports import Extracted, Original

# A string this long without a space is not readable text.
BLOB_CHARS = 200
BRACKETS = re.compile(r'"(?>(?:[^"\\\n]|\\.)*)"?|[\[{]|[\]}]')
ARCHIVE = re.compile(r"\A\s*+window\.YTD\.[\w.]+\s*=\s*")


def extract(original: Original, engines: Engines) -> Extracted:
    loaded = load(decode(read_bytes(original.path, JSON_BYTES)))
    for kind in (notebook, talk, social):
        if kind.recognises(loaded):
            return kind.write(loaded)
    return _write(loaded)


def load(text: str) -> Any:
    """Parse JSON; JSON lines become a list."""
    text = ARCHIVE.sub("", text, count=1).strip().rstrip(";")
    _refuse_depth(text)
    try:
        return json.loads(text)
    except RecursionError as error:
        raise _too_deep() from error
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not lines[0].rstrip().endswith(("}", "]")):
            raise _broken(error) from error
        return [*_load_lines(lines)]


def _load_lines(lines: list[str]) -> Iterator[Any]:
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            # A log that is still being written may end with an incomplete line.
            if number == len(lines) and number > 1:
                return
            raise Unreadable(
                f"Line {number:,} of the JSON lines is broken; save it again."
            ) from error


def _refuse_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= JSON_DEPTH:
        return
    depth = 0
    for match in BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > JSON_DEPTH:
                raise _too_deep()
        elif match[0] in "]}":
            depth -= 1


def _too_deep() -> Unreadable:
    return Unreadable(
        f"The JSON is nested more than {JSON_DEPTH} levels deep; save the part that matters."
    )


def _broken(error: json.JSONDecodeError) -> Unreadable:
    return Unreadable(
        f"The JSON is broken or was cut short (line {error.lineno:,}: {error.msg}); save it again."
    )


def _write(loaded: Any) -> Extracted:
    draft = Draft()
    records = loaded if isinstance(loaded, list) else [loaded]
    for record in records[:TABLE_ROWS]:
        if draft.is_full:
            break
        if isinstance(loaded, list):
            draft.mark(Joint.ROW)
        draft.add("\n".join(_lines(record, "")))
    cut = f"Only the first {TABLE_ROWS:,} of {len(records):,} records were kept."
    return draft.finish("json", _metadata(loaded), cut if len(records) > TABLE_ROWS else None)


def _lines(value: Any, path: str) -> Iterator[str]:
    """Yield a 'path: value' line for each readable field."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _lines(child, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for number, child in enumerate(value, 1):
            yield from _lines(child, f"{path}.{number}" if path else str(number))
    elif text := _value_text(value):
        yield f"{path}: {text}" if path else text


def _value_text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_value_text, value)))
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).strip()
    return text if len(text) < BLOB_CHARS or " " in text[:BLOB_CHARS] else ""


def _metadata(loaded: Any) -> dict[str, Any]:
    if isinstance(loaded, list):
        return {"row_count": len(loaded)}
    fields = loaded if isinstance(loaded, dict) else {}
    return {
        key: str(fields[key]) for key in ("title", "author") if isinstance(fields.get(key), str)
    }
