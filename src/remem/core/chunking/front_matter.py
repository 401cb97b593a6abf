"""Front matter: the fields at the top of a note, in the forms that note programs write.

YAML between dashes, TOML between pluses, a JSON object, an HTML comment, or lines of properties
(Org, Logseq, Nikola). Of YAML, values and lists of values are parsed; deeper structures stay text,
and nothing is expanded."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

_LANGUAGE = r"(?i:yaml|toml|json)?[ \t]*\n"
_FENCED = re.compile(
    rf"(?:---{_LANGUAGE}(?P<dashes>.*?)^(?:---|\.\.\.)|\+\+\+{_LANGUAGE}(?P<pluses>.*?)^\+\+\+)"
    r"[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_COMMENTED = re.compile(r"<!--[ \t]*\n(.*?)^-->[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
# "#+TITLE: x", ".. title: x" and "title:: x".
_PROPERTY = re.compile(r"(?:(?:#\+|\.\. )([\w-]+):|([^\W\d_][\w -]*)::)(?:[ \t]+(.*))?")
_FIELD = re.compile(r"([^\s:#\-\[{][^:\n]*):(?:[ \t]++(.*))?")
_ENTRY = re.compile(r"[ \t]*-[ \t]+(.*)")
_LIST_ITEM = re.compile(r"(?>(?:\"[^\"]*\"|'[^']*'|[^,])+)")
_COMMENT = re.compile(r"(?<![ \t])[ \t]++#.*")
_FRONT_CHARS = 100_000
# A block that could also be something else has at least one of these fields.
_NAMES = {
    "title": "title titel titre título titulo titolo 标题 タイトル",
    "tags": "tags tag keywords keyword filetags labels topics schlagwörter stichwörter"
    " étiquettes mots-clés etiquetas 标签 タグ",
    "published_at": "date published published_at publishdate publish_date pubdate created"
    " created_at created-at datum fecha data 日期 日付",
    "author": "author authors creator autor auteur autore 作者",
    "language": "language lang",
    "description": "description summary excerpt abstract",
}
_KNOWN = {name: field for field, names in _NAMES.items() for name in names.split()} | {
    "date created": "published_at",
    "creation date": "published_at",
}


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Split a note into its fields and its text."""
    text = text.replace("\r\n", "\n")
    fields, start = read_front_matter(text)
    return fields, text[start:]


def read_front_matter(text: str) -> tuple[dict[str, Any], int]:
    """The fields at the top of a text, and where the text below them begins."""
    head = text[:_FRONT_CHARS]
    begin = len(head) - len(head.lstrip("\ufeff\n"))
    if fenced := _FENCED.match(head, begin):
        pluses = fenced["pluses"]
        fields = _fenced_fields(fenced["dashes"] or "") if pluses is None else _toml(pluses) or {}
        return (fields, fenced.end()) if fields is not None else ({}, 0)
    if commented := _COMMENTED.match(head, begin):
        return _if_known(_yaml(commented[1]), commented.end())
    if head.startswith("{", begin):
        return _json_object(head, begin)
    return _properties(head, begin)


def body_start(text: str) -> int:
    """Where the text below the front matter begins; 0 without fields, or with nothing below."""
    fields, start = read_front_matter(text)
    body = text[start:].lstrip()
    return len(text) - len(body) if fields and body else 0


def standard_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields by their names in lower case, and those that we know by ours."""
    named = {key.casefold(): value for key, value in fields.items()}
    for name, field in _KNOWN.items():
        if named.get(name) not in (None, "", []):
            named.setdefault(field, named[name])
    return named


def tags_in_front(value: Any) -> list[str]:
    """The tags of a field: a list, or a text with separators. Tags of one word need none."""
    if isinstance(value, str):
        separator = next((mark for mark in ",;#" if mark in value.strip("#")), None)
        value = value.split(separator) if separator or "\n" in value else _words(value)
    names = value if isinstance(value, list) else []
    return [tag for name in names if (tag := " ".join(str(name).split()).strip("#[] \"'"))]


def _words(value: str) -> list[str]:
    return value.replace(":", " ").split() if value.startswith(":") else value.split()


def _fenced_fields(front: str) -> dict[str, Any] | None:
    """The fields between dashes. None when it is a text between two rules."""
    if front.lstrip().startswith("{"):
        fields, _ = _json_object(front.strip() + "\n", 0)
        return fields or None
    lines = [line for line in front.splitlines() if line.strip() and not line.startswith("#")]
    is_first_field = not lines or _FIELD.fullmatch(lines[0].rstrip())
    is_yaml = is_first_field and all(
        line[0] in " \t}]" or _FIELD.fullmatch(line.rstrip()) or _ENTRY.fullmatch(line.rstrip())
        for line in lines
    )
    return _yaml(front) if is_yaml else _toml(front)


def _yaml(front: str) -> dict[str, Any]:
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
            fields[key] = _continued(fields[key], line.strip())
    return fields


def _continued(value: Any, line: str) -> Any:
    """A value with its next line: a flow list goes on until its bracket closes."""
    text = f"{value}\n{line}".strip(">|\n")
    return _value(" ".join(text.split("\n"))) if text.startswith("[") else text


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


def _toml(front: str) -> dict[str, Any] | None:
    try:
        return _flat(tomllib.loads(front))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _json_object(head: str, begin: int) -> tuple[dict[str, Any], int]:
    """A JSON object with a text below it."""
    try:
        loaded, end = json.JSONDecoder().raw_decode(head, begin)
    except (ValueError, RecursionError):
        return {}, 0
    is_alone = head[end : end + 1] not in ("", "\n") or head[end:].lstrip()[:1] in ("{", "[")
    return ({}, 0) if is_alone or not isinstance(loaded, dict) else _if_known(_flat(loaded), end)


def _flat(loaded: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a table and of the tables in it, such as [taxonomies]."""
    inner = {
        key: value
        for table in loaded.values()
        if isinstance(table, dict)
        for key, value in table.items()
    }
    return {**inner, **{key: value for key, value in loaded.items() if not isinstance(value, dict)}}


def _properties(head: str, begin: int) -> tuple[dict[str, Any], int]:
    fields: dict[str, Any] = {}
    end = begin
    for match in _property_lines(head, begin):
        fields[(match[1] or match[2]).strip()] = _value((match[3] or "").strip())
        end = min(match.end() + 1, len(head))
    return _if_known(fields, end)


def _property_lines(head: str, begin: int) -> Iterator[re.Match[str]]:
    """The lines of properties at the top, which are of one form."""
    start, form = begin, ""
    while match := _PROPERTY.match(head, start):
        at_line_end = match.end() == len(head) or head[match.end()] == "\n"
        if not at_line_end or form not in ("", head[start] if match[1] else "::"):
            return
        form = head[start] if match[1] else "::"
        yield match
        start = match.end() + 1


def _if_known(fields: dict[str, Any], end: int) -> tuple[dict[str, Any], int]:
    is_known = any(key.casefold() in _KNOWN for key in fields)
    return (fields, end) if is_known else ({}, 0)
