"""Lists in which an item that cannot be shown is an error of its own, and breaks nothing else."""

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeVar

import structlog
from pydantic import BaseModel, Field, ValidationError

from remem.core.errors import CannotShow
from remem.core.unreadable import problem_of

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
    make: Callable[[Item], Shown],
    name: Callable[[Any], object] = lambda item: item.id,
) -> tuple[list[Shown], list[UnreadableItem]]:
    """Each item as it is shown, and an error for each that cannot be."""
    shown: list[Shown] = []
    unreadable: list[UnreadableItem] = []
    for item in items:
        try:
            shown.append(show_one(item, make, name))
        except CannotShow as error:
            unreadable.append(UnreadableItem(id=str(name(item)), error=error.message))
    return shown, unreadable


def show_one(
    item: Item,
    make: Callable[[Item], Shown],
    name: Callable[[Any], object] = lambda item: item.id,
) -> Shown:
    """Raise CannotShow, with the reason, for an item that cannot be shown."""
    problem = problem_of(item)
    if problem is None:
        try:
            return make(item)
        except (ValidationError, TypeError, ValueError, AttributeError, KeyError) as error:
            problem = _reason(error)
    log.error("unreadable_item", item=type(item).__name__, id=str(name(item)), reason=problem)
    raise CannotShow(problem)


def _reason(error: Exception) -> str:
    """Which fields are wrong, without their values: that may be anybody's content."""
    if isinstance(error, ValidationError):
        fields = {str(one["loc"][0]) for one in error.errors(include_input=False) if one["loc"]}
        return f"{', '.join(sorted(fields))} is of another type than it should be"
    return f"a value is of another type than it should be ({type(error).__name__})"
