"""The query parameters of a request: accept known aliases, refuse unknown names."""

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

# Names of the same filter in the dialects and in the clients of other products.
ALIASES = (
    ("project", "project_id", "projectId", "project_slug", "container", "container_tag",
     "containerTag"),
    ("category", "memory_type", "memoryType", "type"),
    ("query", "q"),
    ("tags", "tag"),
)  # fmt: skip
_NAME_LIMIT = 200
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_CAPITAL = re.compile("[A-Z]")


def parameters_of(dependant: Dependant) -> dict[str, Any]:
    """Return the query parameters that a route declares, with their types."""
    parameters = {field.alias: field.field_info.annotation for field in dependant.query_params}
    for dependency in dependant.dependencies:
        parameters |= parameters_of(dependency)
    return parameters


def read_parameters(request: Request, known: Mapping[str, Any]) -> None:
    """Rename each parameter to the name that the route declares."""
    sent = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    named = [(_declared_name(name, known), name, value) for name, value in sent]
    _refuse_two_spellings([(own, name) for own, name, _ in named])
    pairs = [(own, value) for own, _, value in named]
    _check_values(pairs, known)
    if any(own != name for own, name, _ in named):
        request.scope["query_string"] = urlencode(pairs).encode("latin-1")


def _check_values(pairs: Sequence[tuple[str, str]], known: Mapping[str, Any]) -> None:
    for name, count in Counter(name for name, _ in pairs).items():
        if count > 1 and not accepts(known[name], list):
            raise Invalid(name, f"was sent {count} times; send it once")
    for name, value in pairs:
        if accepts(known[name], int) and not _INTEGER.fullmatch(value):
            raise Invalid(name, "is not a whole number; send digits only")


def accepts(annotation: Any, kind: type) -> bool:
    """Whether a value of this type, or a list or union with it, is accepted."""
    arguments = get_args(annotation)
    return (
        annotation is kind
        or get_origin(annotation) is kind
        or any(accepts(argument, kind) for argument in arguments)
    )


def _declared_name(name: str, known: Collection[str]) -> str:
    snake = _CAPITAL.sub(lambda letter: f"_{letter.group().lower()}", name)
    aliases = next((names for names in ALIASES if name in names or snake in names), ())
    for candidate in (name, snake, *aliases):
        if candidate in known:
            return candidate
    raise Invalid(shorten(name, _NAME_LIMIT), _advice(snake, known))


def _advice(name: str, known: Collection[str]) -> str:
    if not known:
        return "is not a parameter here; this address takes none"
    near = get_close_matches(name, sorted(known), 1, cutoff=0.5)
    suggestion = f"did you mean {near[0]}? " if near else ""
    return f"is not a parameter here; {suggestion}this address takes {', '.join(sorted(known))}"


def _refuse_two_spellings(named: Collection[tuple[str, str]]) -> None:
    sent_names: dict[str, str] = {}
    for declared, name in named:
        if sent_names.setdefault(declared, name) != name:
            raise Invalid(
                shorten(name, _NAME_LIMIT),
                f"is the same parameter as {sent_names[declared]}; send one of them",
            )
