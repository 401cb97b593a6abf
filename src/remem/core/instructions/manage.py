"""Pin, list, change and remove standing instructions."""

from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.instructions import instruction_store
from remem.core.instructions.model import (
    INSTRUCTION_LIMIT,
    INSTRUCTIONS_LIMIT,
    StandingInstruction,
)
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.transaction import Tx
from remem.core.validate import check_text

KIND = "instruction"


async def list_instructions(
    ports: Ports, scope: Scope, project: str | UUID | None = None
) -> list[StandingInstruction]:
    """All of this person; with a project, those that apply in it."""
    async with ports.db.transaction(scope) as tx:
        if project is None:
            return await instruction_store.list_all(tx)
        target = await resolve(tx, project)
        return await applying(tx, target.id)


async def applying(tx: Tx, project_id: UUID | None) -> list[StandingInstruction]:
    """What an assistant gets at the start: those of everywhere, and of the project if there is
    one."""
    return await instruction_store.applying(tx, project_id, INSTRUCTIONS_LIMIT)


async def pin(
    ports: Ports, scope: Scope, content: str, project: str | UUID | None = None
) -> tuple[StandingInstruction, bool]:
    """Pin a sentence everywhere, or in a project; return it, and whether it is new."""
    content = _clean(content)
    async with ports.db.transaction(scope) as tx:
        await instruction_store.lock(tx)
        target = await resolve(tx, project, create=True) if project else None
        project_id = target.id if target else None
        if known := await instruction_store.find_content(tx, project_id, content):
            return known, False
        if await instruction_store.most_applying(tx, project_id) >= INSTRUCTIONS_LIMIT:
            raise Conflict(
                f"There are {INSTRUCTIONS_LIMIT} standing instructions here, the most that an"
                " assistant gets; remove one first.",
                code="instructions_full",
            )
        id = await instruction_store.insert(tx, project_id, content)
        await record(tx, KIND, id, "create")
        return await _require(tx, id), True


async def change(ports: Ports, scope: Scope, id: UUID, content: str) -> StandingInstruction:
    content = _clean(content)
    async with ports.db.transaction(scope) as tx:
        await _require(tx, id)
        await instruction_store.update(tx, id, content)
        await record(tx, KIND, id, "update")
        return await _require(tx, id)


async def unpin(ports: Ports, scope: Scope, id: UUID) -> None:
    async with ports.db.transaction(scope) as tx:
        await _require(tx, id)
        await instruction_store.delete(tx, id)
        await record(tx, KIND, id, "delete")


async def _require(tx: Tx, id: UUID) -> StandingInstruction:
    instruction = await instruction_store.find(tx, id)
    if instruction is None:
        raise NotFound(KIND, id)
    return instruction


def _clean(content: str) -> str:
    check_text("content", content, 10 * INSTRUCTION_LIMIT)
    sentence = " ".join(content.split())
    check_text("content", sentence, INSTRUCTION_LIMIT, least=1)
    return sentence
