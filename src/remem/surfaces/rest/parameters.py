"""The query parameters of a request: other spellings are understood, unknown ones refused."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args, get_origin
from urllib.parse import parse_qsl, urlencode

from fastapi import Request
from fastapi.dependencies.models import Dependant

from remem.core.errors import Invalid
from remem.core.text import shorten

# What the dialects and the clients of other products call the same filter.
SAME = (
    ("project", "project_id", "projectId", "project_slug", "container", "container_tag",
     "containerTag"),
    ("category", "memory_type", "memoryType", "type"),
    ("query", "q"),
    ("tags", "tag"),
)  # fmt: skip
_NAME_LIMIT = 200
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
_CAPITAL = re.compile("[A-Z]")


def parameters_of(dependant: Dependant) -> dict[str, Any]:
    """The query parameters that a route declares, with their types."""
    own = {field.alias: field.field_info.annotation for field in dependant.query_params}
    for inner in dependant.dependencies:
        own |= parameters_of(inner)
    return own


def read_parameters(request: Request, known: Mapping[str, Any]) -> None:
    """Give each parameter the name that the route has for it."""
    given = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    named = [(_own_name(name, known), name, value) for name, value in given]
    _refuse_two_spellings([(own, name) for own, name, _ in named])
    pairs = [(own, value) for own, _, value in named]
    _check_values(pairs, known)
    if any(own != name for own, name, _ in named):
        request.scope["query_string"] = urlencode(pairs).encode("latin-1")


def _check_values(pairs: Sequence[tuple[str, str]], known: Mapping[str, Any]) -> None:
    for name, times in Counter(name for name, _ in pairs).items():
        if times > 1 and not takes(known[name], list):
            raise Invalid(name, f"came {times} times; send it once")
    for name, value in pairs:
        if takes(known[name], int) and not _WHOLE.fullmatch(value):
            raise Invalid(name, "is not a whole number; send digits alone")


def takes(annotation: Any, kind: type) -> bool:
    """Whether a value of this kind is asked for, or one of several."""
    inner = get_args(annotation)
    return (
        annotation is kind
        or get_origin(annotation) is kind
        or any(takes(one, kind) for one in inner)
    )


def _own_name(name: str, known: Collection[str]) -> str:
    snake = _CAPITAL.sub(lambda letter: f"_{letter.group().lower()}", name)
    same = next((names for names in SAME if name in names or snake in names), ())
    for own in (name, snake, *same):
        if own in known:
            return own
    raise Invalid(shorten(name, _NAME_LIMIT), _advice(snake, known))


def _advice(name: str, known: Collection[str]) -> str:
    if not known:
        return "is not a parameter here; this address takes none"
    near = get_close_matches(name, sorted(known), 1, cutoff=0.5)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"is not a parameter here; {meant}this address takes {', '.join(sorted(known))}"


def _refuse_two_spellings(named: Collection[tuple[str, str]]) -> None:
    spelt: dict[str, str] = {}
    for own, name in named:
        if spelt.setdefault(own, name) != name:
            raise Invalid(
                shorten(name, _NAME_LIMIT), f"says the same as {spelt[own]}; send one of them"
            )
