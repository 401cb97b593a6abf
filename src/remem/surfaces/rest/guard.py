"""Routes that authenticate the caller before they read the body."""

from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from remem.core.errors import Invalid
from remem.core.text import shorten
from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.parameters import accepts, parameters_of, read_parameters


class Public(APIRoute):
    """A route for anyone. Unknown query parameters are refused here as well."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        known = parameters_of(self.dependant)

        async def checked(request: Request) -> Response:
            read_parameters(request, known)
            return await handle(request)

        return checked


class Guarded(APIRoute):
    """A route that authenticates the caller first. FastAPI would parse the body before any
    dependency, which is wasted work for an unauthenticated request."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        known, fields = parameters_of(self.dependant), fields_of(self.dependant)

        async def guarded(request: Request) -> Response:
            await get_caller(request)
            read_parameters(request, known)
            await check_form(request, fields)
            return await handle(request)

        return guarded


# Check the fields of a form: refuse unknown fields, and repeated ones that take a single value.


_NAME_LIMIT = 200
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def fields_of(dependant: Dependant) -> dict[str, bool]:
    """Return the form fields of a route, and whether each may be repeated."""
    fields = {
        param.alias: accepts(param.field_info.annotation, list) for param in dependant.body_params
    }
    return fields if any(_is_form(param.field_info) for param in dependant.body_params) else {}


async def check_form(request: Request, known: Mapping[str, bool]) -> None:
    if not known or not request.headers.get("content-type", "").startswith(_FORMS):
        return
    for name, count in Counter(name for name, _ in (await request.form()).multi_items()).items():
        if name not in known:
            accepted = ", ".join(sorted(known))
            raise Invalid(
                shorten(name, _NAME_LIMIT), f"is not a field here; this form has {accepted}"
            )
        if count > 1 and not known[name]:
            raise Invalid(name, f"was sent {count} times; send it once")


def _is_form(info: Any) -> bool:
    return type(info).__name__ in ("Form", "File")
