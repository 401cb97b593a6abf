"""The fields of a form: unknown ones are refused, and what is taken once may not come twice."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.dependencies.models import Dependant

from remem.core.errors import Invalid
from remem.core.text import shorten
from remem.surfaces.rest.parameters import takes

_NAME_LIMIT = 200
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")


def fields_of(dependant: Dependant) -> dict[str, bool]:
    """The fields of the form that a route takes, and whether each may come several times."""
    fields = {one.alias: takes(one.field_info.annotation, list) for one in dependant.body_params}
    return fields if any(_is_form(one.field_info) for one in dependant.body_params) else {}


async def check_form(request: Request, known: Mapping[str, bool]) -> None:
    if not known or not request.headers.get("content-type", "").startswith(_FORMS):
        return
    for name, times in Counter(name for name, _ in (await request.form()).multi_items()).items():
        if name not in known:
            taken = ", ".join(sorted(known))
            raise Invalid(shorten(name, _NAME_LIMIT), f"is not a field here; this form has {taken}")
        if times > 1 and not known[name]:
            raise Invalid(name, f"came {times} times; send one of it in a request")


def _is_form(info: Any) -> bool:
    return type(info).__name__ in ("Form", "File")
