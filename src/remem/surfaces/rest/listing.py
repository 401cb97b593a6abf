"""Lists in which an item that cannot be shown becomes an error entry."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeVar

import structlog
from pydantic import BaseModel, Field, ValidationError

from remem.core.errors import CannotShow
from remem.core.unreadable import unreadable_reason

Item = TypeVar("Item")
Shown = TypeVar("Shown")

log = structlog.get_logger()


class UnreadableItem(BaseModel):
    """An item whose stored values cannot be shown."""

    id: str
    error: str
    code: Literal["unreadable"] = "unreadable"


UnreadableItems = Annotated[
    list[UnreadableItem],
    Field(default_factory=list, description="Items that belong here and cannot be shown, and why."),
]


def show(
    items: Iterable[Item],
    render: Callable[[Item], Shown],
    name: Callable[[Any], object] = lambda item: item.id,
) -> tuple[list[Shown], list[UnreadableItem]]:
    """Render each item; those that cannot be shown are returned as errors."""
    shown: list[Shown] = []
    unreadable: list[UnreadableItem] = []
    for item in items:
        try:
            shown.append(show_one(item, render, name))
        except CannotShow as error:
            unreadable.append(UnreadableItem(id=str(name(item)), error=error.message))
    return shown, unreadable


def show_one(
    item: Item,
    render: Callable[[Item], Shown],
    name: Callable[[Any], object] = lambda item: item.id,
) -> Shown:
    """Render an item, or raise CannotShow with the reason."""
    problem = unreadable_reason(item)
    if problem is None:
        try:
            return render(item)
        except (ValidationError, TypeError, ValueError, AttributeError, KeyError) as error:
            problem = _reason(error)
    log.error("unreadable_item", item=type(item).__name__, id=str(name(item)), reason=problem)
    raise CannotShow(problem)


def _reason(error: Exception) -> str:
    """Name the invalid fields without their values, which may be private content."""
    if isinstance(error, ValidationError):
        fields = {
            str(details["loc"][0])
            for details in error.errors(include_input=False)
            if details["loc"]
        }
        return f"{', '.join(sorted(fields))} is of another type than it should be"
    return f"a value is of another type than it should be ({type(error).__name__})"
