"""Undo a change of names, and have what was imported obey them."""

from typing import Any
from uuid import UUID

from remem.core.errors import Conflict, NotFound
from remem.core.events.record import record
from remem.core.graph.names import naming_store
from remem.core.graph.names.change import KIND, refuse_taken
from remem.core.graph.names.model import EntityEdit, NamedEntity
from remem.core.graph.names.spelling import entity_row, ruling_from_json
from remem.core.ports import Ports
from remem.core.projects.manage import lock_project
from remem.core.scope import Scope
from remem.core.transaction import Tx


async def undo_edit(ports: Ports, scope: Scope, id: UUID) -> list[NamedEntity]:
    """Restore the names and mentions from before a change. What was saved since keeps what it
    mentions."""
    async with ports.db.transaction(scope) as tx:
        edit = await naming_store.find_edit(tx, id)
    if edit is None:
        raise NotFound("change", id)
    async with ports.db.transaction(scope, turn=edit.project_id) as tx:
        await lock_project(tx, edit.project_id)
        edit = await naming_store.find_edit(tx, id)
        if edit is None or edit.undone_at:
            raise Conflict("This change was undone already.", code="undone")
        if await naming_store.has_later_edit(tx, edit):
            raise Conflict(
                "A later change is about the same; undo that one first.", code="changed_since"
            )
        await _restore(tx, edit)
        await naming_store.mark_undone(tx, id)
        await record(tx, KIND, edit.entity_ids[0], "undo", {"change": edit.kind})
        return await naming_store.find_many(tx, edit.entity_ids)


async def _restore(tx: Tx, edit: EntityEdit) -> None:
    before = edit.before
    entities: list[dict[str, Any]] = [{**row, "id": UUID(row["id"])} for row in before["entities"]]
    for row in entities:
        await refuse_taken(tx, edit.project_id, row["normalized"], set(edit.entity_ids))
    about = (edit.project_id, before["names"], [UUID(id) for id in before["memories"]])
    obeyed = await naming_store.rulings_about(tx, *about)
    await naming_store.delete_rulings(tx, edit.project_id, obeyed)
    rulings = [ruling_from_json(ruling) for ruling in before["rulings"]]
    await naming_store.add_rulings(tx, edit.project_id, rulings)
    # One that lost all its mentions meanwhile and got new ones has another id.
    found = [
        await naming_store.find_named(tx, edit.project_id, name)
        for name in {ruling.target_normalized for ruling in obeyed}
    ]
    current_ids = {*edit.entity_ids, *(id for ids in found for id in ids)}
    mentions = await naming_store.mentioned_in(tx, list(current_ids))
    still = {memory for memories in mentions.values() for memory in memories}
    before_ids = {row["id"] for row in entities}
    noted = {UUID(memory) for row in entities for memory in row["memories"]}
    kept, *_ = edit.entity_ids
    # One name at a time: two entities may have exchanged theirs.
    for row in entities:
        unique = {**row, "name": str(row["id"]), "normalized": str(row["id"]), "aliases": []}
        await naming_store.save(tx, edit.project_id, unique)
    for row in entities:
        await naming_store.save(tx, edit.project_id, row)
        own = [UUID(memory) for memory in row["memories"]]
        since = [id for id in still - noted if row["id"] == kept]
        await naming_store.link(tx, row["id"], [*(id for id in own if id in still), *since])
    for row in entities:
        own = {UUID(memory) for memory in row["memories"]}
        others = [id for id in mentions.get(row["id"], []) if id in noted and id not in own]
        await naming_store.unlink(tx, row["id"], others)
    for id in sorted(current_ids - before_ids):
        await naming_store.unlink(tx, id, mentions.get(id, []))
    await naming_store.recount(tx, edit.entity_ids)


async def obey_names(tx: Tx) -> None:
    """Merge imported entities into those that people say they are."""
    for entity_id, project_id, ruling in await naming_store.disobedient(tx):
        target = (ruling.target_name, ruling.target_normalized, ruling.target_type)
        named = await naming_store.find_named(tx, project_id, ruling.target_normalized)
        kept = next((id for id in named if id != entity_id), None)
        if kept is None:
            await naming_store.save(tx, project_id, entity_row(entity_id, target, ()))
            continue
        memories = (await naming_store.mentioned_in(tx, [entity_id])).get(entity_id, [])
        await naming_store.link(tx, kept, memories)
        await naming_store.unlink(tx, entity_id, memories)
