"""Routes that authenticate the caller before they read the body."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from remem.surfaces.rest.deps import get_caller
from remem.surfaces.rest.forms import check_form, fields_of
from remem.surfaces.rest.parameters import parameters_of, read_parameters


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
