"""The data classes of projects, and the rules of their names."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from remem.core.errors import Invalid
from remem.core.validate import check_text

NAME_LIMIT = 200
DESCRIPTION_LIMIT = 2_000
SLUG_LIMIT = 255
# A path as it is given, before normalising shortens it.
REF_LIMIT = 2_000
DEPTH_LIMIT = 10
DEFAULT_SLUG = "default"


@dataclass(frozen=True, slots=True)
class Project:
    id: UUID
    slug: str
    name: str
    description: str | None
    parent_id: UUID | None
    is_default: bool
    generation: int
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime
    is_pinned: bool = False
    # The path as it was first sent.
    ref: str = ""
    document_count: int = 0
    memory_count: int = 0


@dataclass(frozen=True, slots=True)
class ProjectChanges:
    """The changes to make; None changes nothing. `slug` is the last part of the path."""

    name: str | None = None
    description: str | None = None
    pinned: bool | None = None
    slug: str | None = None


def normalise(path: str, field: str = "project") -> str:
    """A dotted path in lower case without spaces: "My Agent.Notes" is "my-agent.notes"."""
    check_text(field, path, REF_LIMIT)
    parts = [_normalise_part(part) for part in path.split(".")]
    slug = ".".join(part for part in parts if part)
    if not slug:
        raise Invalid(field, "give a name with at least one letter or digit")
    if len(slug) > SLUG_LIMIT or slug.count(".") >= DEPTH_LIMIT:
        raise Invalid(field, f"use at most {SLUG_LIMIT} characters and {DEPTH_LIMIT} levels")
    return slug


def fold(name: str) -> str:
    """What all spellings of a name share: its letters and digits in lower case, the dots of its
    path, and a dash where there is a sign between two digits: "v1-0" is not "v10". Empty when it
    has none."""
    parts = (_SIGN.sub("", _SIGNS.sub("-", _normalise_part(part))) for part in name.split("."))
    return ".".join(part for part in parts if part).translate(_SAME_IN_UPPER_CASE)


def fold_to_search(name: str) -> str:
    """What `folded_slug` in SQL makes of a slug: without a dash, so it also finds other names."""
    return fold(name).replace("-", "")


def check_name(name: str) -> None:
    if len(name) > NAME_LIMIT:
        raise Invalid("project", f"use at most {NAME_LIMIT} characters")
    if "\ufffd" in name:
        # Several broken names decode to this, and would share a project.
        raise Invalid("project", "is not valid UTF-8; send well-formed text")


def slug_of(name: str) -> str:
    """The slug of a new project with this name."""
    check_name(name)
    return normalise(name) if fold(name) else unique_slug(name)


def unique_slug(name: str) -> str:
    """A slug that no other name has, also one that differs only in case or punctuation."""
    readable = re.sub(r"[.-]+", "-", _without_signs(name))[:_READABLE_CHARS]
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{readable.strip('-') or 'x'}--{digest}"


def has_unique_slug(project: Project) -> bool:
    """Whether its slug was made from one spelling of its name, as older versions did."""
    return _HASH_SUFFIX.search(project.slug) is not None


def is_reserved(slug: str) -> bool:
    """Whether a path could be confused with an id, a page of the web app or null."""
    return slug in _RESERVED or _UUID.fullmatch(slug) is not None


def refuse_reserved(slug: str, field: str = "project") -> None:
    if is_reserved(slug):
        raise Invalid(field, "is reserved, or looks like an id; use another name")


def refuse_empty_part(name: str, field: str = "project") -> None:
    """Refuse a path with an empty part, which would silently become another path."""
    if not re.search(r"\s", name.strip()) and (".." in name or name.strip().startswith(".")):
        raise Invalid(field, "has nothing between two dots; write a path such as work.notes")


def refuse_pattern(name: str) -> None:
    """Refuse a `*`, which only means "and everything below it"."""
    if "*" in name:
        raise Invalid(
            "project", "takes * only alone or as `path.*`, the project and all below it; name one"
        )


_RESERVED = frozenset({"new", "settings", "null", "undefined"})
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
# The end of a slug that was made from another name.
_HASH_SUFFIX = re.compile(r"--[0-9a-f]{12}$")
_READABLE_CHARS = 80


_SIGNS = re.compile(r"[-_]+")
# The dotless i is an I as well, and the sigma at the end of a word is a sigma.
_SAME_IN_UPPER_CASE = str.maketrans({"\u0131": "i", "\u03c2": "\u03c3"})
_FINAL_SIGMA = re.compile(r"(?<=[^\W\d_])\u03c3(?![^\W_])")
_SIGN = re.compile(r"(?<!\d)-|-(?!\d)")


def _without_signs(name: str) -> str:
    parts = [_SIGNS.sub("", _normalise_part(part)) for part in name.split(".")]
    return ".".join(part for part in parts if part)


def _normalise_part(text: str) -> str:
    # The dot above is what is left of the Turkish capital I in lower case.
    folded = unicodedata.normalize("NFKD", text).strip().casefold().replace("i\u0307", "i")
    joined = re.sub(r"\s+", "-", unicodedata.normalize("NFKC", folded))
    kept = "".join(char for char in joined if char in "-_" or _is_letter(char)).strip("-")
    # Case folding writes every sigma alike.
    return _FINAL_SIGMA.sub("\u03c2", kept)


def _is_letter(char: str) -> bool:
    """Whether it is a letter, a digit, or a mark such as the vowel signs of Hindi and Thai."""
    return char.isalnum() or unicodedata.category(char).startswith("M")


def parent_of(slug: str) -> str | None:
    return slug.rpartition(".")[0] or None
