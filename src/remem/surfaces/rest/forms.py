"""Check the fields of a form: refuse unknown fields, and repeated ones that take a single value."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant

from remem.core.errors import Invalid
from remem.core.text import shorten
from remem.surfaces.rest.parameters import accepts

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
