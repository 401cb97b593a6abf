"""The query parameters of a request: other spellings are understood, unknown ones refused."""

import re
from collections.abc import Collection
from difflib import get_close_matches
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
_CAPITAL = re.compile("[A-Z]")


def names_of(dependant: Dependant) -> frozenset[str]:
    """The names of the query parameters that a route declares."""
    own = {field.alias for field in dependant.query_params}
    return frozenset(own.union(*map(names_of, dependant.dependencies)))


def read_parameters(request: Request, known: Collection[str]) -> None:
    """Give each parameter the name that the route has for it."""
    given = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True)
    if all(name in known for name, _ in given):
        return
    named = [(_own_name(name, known), name, value) for name, value in given]
    _refuse_two_spellings([(own, name) for own, name, _ in named])
    pairs = [(own, value) for own, _, value in named]
    request.scope["query_string"] = urlencode(pairs).encode("latin-1")


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
