"""Checks of single values, by which verbs refuse what could not be stored and shown again."""

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from remem.core.errors import Invalid
from remem.core.text import shorten, unstorable_reason

TAG_LIMIT, TAGS_LIMIT = 100, 100
URL_LIMIT = 2_048
MEDIA_TYPE_LIMIT = 255
PATH_LIMIT = 200
# The largest number that a client with 64-bit floats (JavaScript) can read.
NUMBER_MAX = int(1.7976931348623157e308)

WEB_SCHEMES = frozenset({"http", "https"})
# `remem save FILE` uses a file URL; a coding agent's session is named by its id.
SOURCE_SCHEMES = WEB_SCHEMES | {"file", "session"}

_MEDIA_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+( *; *[\w-]+=(\"[ -!#-~]*\"|[!#-+\--~]+))*")
_QUESTION_YEARS = (1_000, 3_000)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_WHITE_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class JsonLimits:
    """The limits of an object: levels, keys in total, characters of a key, bytes of UTF-8."""

    depth: int = 100
    keys: int = 1_000
    key_chars: int = 200
    size: int = 64_000


NEW = JsonLimits()
# Stored objects were saved under earlier limits, and remem adds fields to them.
STORED = JsonLimits(keys=20_000, key_chars=64_000, size=1_000_000)


# Text


def check_text(field: str, value: str | None, limit: int, *, least: int = 0) -> None:
    if value is None:
        return
    if not isinstance(value, str):
        raise Invalid(field, "is not text; send a string")
    if not least <= len(value) <= limit:
        size = f"{least} to {limit:,}" if least else f"at most {limit:,}"
        raise Invalid(field, f"has {len(value):,} characters; use {size}")
    if reason := unstorable_reason(value):
        raise Invalid(field, reason)


def check_one_of(field: str, value: str | None, allowed: Collection[str]) -> None:
    if value is not None and value not in allowed:
        raise Invalid(field, f"use one of: {', '.join(sorted(allowed))}")


def check_tags(tags: Sequence[str], field: str = "tags") -> None:
    if not isinstance(tags, list | tuple) or not all(isinstance(tag, str) for tag in tags):
        raise Invalid(field, "is not a flat list of strings; send one")
    if len(tags) > TAGS_LIMIT or any(not 0 < len(tag) <= TAG_LIMIT for tag in tags):
        raise Invalid(field, f"use at most {TAGS_LIMIT} tags of 1 to {TAG_LIMIT} characters")
    if reason := unstorable_reason("".join(tags)):
        raise Invalid(field, reason)


def check_url(
    field: str, url: str | None, schemes: Collection[str] = WEB_SCHEMES, limit: int = URL_LIMIT
) -> None:
    if url is None:
        return
    check_text(field, url, limit, least=1)
    if _CONTROL.search(url) or _WHITE_SPACE.search(url):
        raise Invalid(field, "contains white space or a control character; encode or remove it")
    if reason := _url_problem(url, schemes):
        raise Invalid(field, reason)


def _url_problem(url: str, schemes: Collection[str]) -> str | None:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return "is not a URL; send one such as https://example.org/page"
    if parts.scheme.lower() not in schemes:
        return f"begins with another scheme than {', '.join(sorted(schemes))}; use one of them"
    if parts.scheme.lower() in WEB_SCHEMES and not host:
        return "names no host; send a URL such as https://example.org/page"
    return None


def check_media_type(field: str, value: str | None) -> None:
    if value is None:
        return
    check_text(field, value, MEDIA_TYPE_LIMIT, least=1)
    if not _MEDIA_TYPE.fullmatch(value) or not value.isascii():
        raise Invalid(field, "is not a media type; send one such as text/plain")


def is_media_type(value: str) -> bool:
    try:
        check_media_type("media_type", value)
    except Invalid:
        return False
    return True


# Numbers and moments


def check_number(field: str, value: float | None, least: float, most: float) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid(field, "is not a number; send one")
    if not least <= value <= most:
        raise Invalid(field, f"use a number from {least:g} to {most:g}")


def check_moment(field: str, value: datetime | None) -> None:
    """Refuse moments outside the years 1 to 9999 in UTC, whatever their offset."""
    if value is None:
        return
    if not isinstance(value, datetime):
        raise Invalid(field, "is not a time; send ISO 8601 such as 2027-01-31T09:00:00Z")
    try:
        value.astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise Invalid(field, "is outside the years 1 to 9999; send another time") from error


def check_asked_at(field: str, value: datetime | None) -> None:
    """Check the moment of a question: "ten years ago" must be a valid year."""
    check_moment(field, value)
    if value is not None and not _QUESTION_YEARS[0] <= value.year <= _QUESTION_YEARS[1]:
        raise Invalid(
            field,
            f"is outside the years {_QUESTION_YEARS[0]} to {_QUESTION_YEARS[1]}; send another time",
        )


def read_moment(field: str, text: Any) -> datetime:
    """Parse a moment in ISO 8601; without an offset it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError, OverflowError) as error:
        raise Invalid(
            field,
            "is not a time in the years 1 to 9999; send ISO 8601 such as 2027-01-31T09:00:00Z",
        ) from error
    check_moment(field, moment)
    return moment


# JSON


def check_json(field: str, value: Any, limits: JsonLimits = NEW) -> None:
    """Refuse what is not an object that can be stored, and shown again inside any list."""
    if not isinstance(value, Mapping):
        raise Invalid(field, "is not a JSON object; send one")
    check_values(field, value, limits.depth)
    _check_keys(field, value, limits)
    size = len(json.dumps(value, ensure_ascii=False, default=str).encode())
    if size > limits.size:
        raise Invalid(field, f"has {size:,} bytes of JSON; use at most {limits.size:,}")


def check_values(path: str, value: Any, levels: int) -> None:
    """Check everything inside: storable text, finite numbers, and at most so many levels."""
    if reason := _problem(value, levels):
        raise Invalid(name_of(path), reason)
    if isinstance(value, Mapping):
        for key, inner in value.items():
            check_values(path, key, levels)
            check_values(f"{path}.{key}" if path else str(key), inner, levels - 1)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            check_values(f"{path}.{place}", inner, levels - 1)


def name_of(path: str) -> str:
    """A field name for an error message, cut to a readable length."""
    return shorten(path, PATH_LIMIT) or "body"


def _problem(value: Any, levels: int) -> str | None:
    if isinstance(value, str):
        return unstorable_reason(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "is not a finite number; send one, or null"
    if isinstance(value, int) and abs(value) > NUMBER_MAX:
        return "is a number with too many digits; send it as text"
    if levels < 0:
        return f"is nested deeper than {NEW.depth} levels; flatten it"
    return None


def _check_keys(field: str, value: Any, limits: JsonLimits) -> None:
    stack, count = [value], 0
    while stack:
        inner = stack.pop()
        if isinstance(inner, Mapping):
            count += len(inner)
            if any(len(str(key)) > limits.key_chars for key in inner):
                raise Invalid(field, f"has a longer key than {limits.key_chars} characters")
        if isinstance(inner, Mapping | list | tuple):
            stack += inner.values() if isinstance(inner, Mapping) else inner
    if count > limits.keys:
        raise Invalid(field, f"has {count:,} keys; use at most {limits.keys:,}")


def json_depth(value: Any, limit: int) -> int:
    """How many levels a value has; counting stops above the limit."""
    level, depth = [value], 0
    while level and depth <= limit:
        level = [
            inner
            for outer in level
            if isinstance(outer, Mapping | list)
            for inner in (outer.values() if isinstance(outer, Mapping) else outer)
            if isinstance(inner, Mapping | list)
        ]
        depth += 1
    return depth
