"""Apply one action to many documents; each succeeds or fails on its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from remem.core.documents.change import DocumentEdit, change_document
from remem.core.documents.deleted.delete import delete_document
from remem.core.documents.deleted.restore import restore_document
from remem.core.documents.flag import set_flags
from remem.core.documents.forget import forget_document
from remem.core.documents.tags import change_tags
from remem.core.errors import Invalid, RememError
from remem.core.flags import Flag
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.validate import check_tags

BULK_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Action:
    """`project` is the target of a move; `undo` makes a deletion restorable."""

    name: Literal["delete", "restore", "move", "tag", "untag", "flag", "unflag"]
    project: str | None = None
    tags: tuple[str, ...] = ()
    undo: bool = True
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one document; `error` is None on success."""

    id: UUID
    error: RememError | None = None


async def change_many(
    ports: Ports, scope: Scope, ids: Sequence[UUID], action: Action
) -> list[Outcome]:
    _check(action)
    return [await _outcome(ports, scope, id, action) for id in dict.fromkeys(ids)]


def _check(action: Action) -> None:
    if action.name == "move" and not action.project:
        raise Invalid("project", "is missing; name the project to move to")
    check_tags(action.tags)
    if action.name in ("tag", "untag") and not action.tags:
        raise Invalid("tags", "is empty; give at least one tag")


async def _outcome(ports: Ports, scope: Scope, id: UUID, action: Action) -> Outcome:
    try:
        await _change(ports, scope, id, action)
    except RememError as error:
        return Outcome(id, error)
    return Outcome(id)


async def _change(ports: Ports, scope: Scope, id: UUID, action: Action) -> None:
    match action.name:
        case "move":
            edit = DocumentEdit(frozenset({"project"}), project=action.project)
            await change_document(ports, scope, id, edit)
        case "tag":
            await change_tags(ports, scope, id, added=action.tags)
        case "untag":
            await change_tags(ports, scope, id, removed=action.tags)
        case "flag" | "unflag":
            flags = dict.fromkeys(action.flags, action.name == "flag")
            await set_flags(ports, scope, id, flags)
        case "delete":
            await (delete_document if action.undo else forget_document)(ports, scope, id)
        case "restore":
            await restore_document(ports, scope, id)
