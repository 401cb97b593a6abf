"""Entities are renamed, merged and split; extraction obeys it, and each change can be undone."""

from uuid import UUID

import pytest

from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.graph.names.edit import (
    get_entity,
    list_edits,
    list_entities,
    merge_entities,
    rename_entity,
    split_entity,
)
from remem.core.graph.names.model import NamedEntity, Split
from remem.core.graph.names.undo import undo_edit
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.mentions import find_mentions
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

pytestmark = pytest.mark.anyio


async def say(ports: Ports, scope: Scope, text: str, project: str | None = None) -> UUID:
    saved = await save_memory(ports, scope, MemoryDraft(text, project=project, create_project=True))
    return saved.memory.id


async def names(ports: Ports, scope: Scope) -> dict[str, int]:
    """Each entity with its number of mentions."""
    found = await list_entities(ports, scope, None, None, None, 100)
    return {entity.name: entity.mention_count for entity in found}


async def entity(ports: Ports, scope: Scope, name: str) -> NamedEntity:
    found = await list_entities(ports, scope, None, name, None, 100)
    return next(item for item in found if item.name == name)


async def contents(ports: Ports, scope: Scope, name: str) -> set[str]:
    item = await entity(ports, scope, name)
    return {memory.content for memory in (await get_entity(ports, scope, item.id, 100))[1]}


HOUSE = "Robert Miller painted the house."
FENCE = "Bobby Miller repaired the fence."
ROOF = "Bobby Miller looked at the roof."


async def test_a_merged_name_means_the_kept_one_from_then_on(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, HOUSE)
    await say(ports, scope, FENCE)
    assert await names(ports, scope) == {"Robert Miller": 1, "Bobby Miller": 1}
    robert, bobby = [await entity(ports, scope, name) for name in ("Robert Miller", "Bobby Miller")]
    edited = await merge_entities(ports, scope, robert.id, [bobby.id])
    assert edited.entity.id == robert.id and "Bobby Miller" in edited.entity.aliases
    assert await contents(ports, scope, "Robert Miller") == {HOUSE, FENCE}
    await say(ports, scope, ROOF)
    assert await names(ports, scope) == {"Robert Miller": 3}
    await undo_edit(ports, scope, edited.edit_id)
    # What was saved since stays where it is.
    assert await names(ports, scope) == {"Robert Miller": 2, "Bobby Miller": 1}
    assert await contents(ports, scope, "Bobby Miller") == {FENCE}
    await say(ports, scope, "Bobby Miller sold the ladder.")
    assert (await names(ports, scope))["Bobby Miller"] == 2
    with pytest.raises(Conflict, match="undone already"):
        await undo_edit(ports, scope, edited.edit_id)


async def test_extracting_again_does_not_bring_back_what_was_merged(
    ports: Ports, scope: Scope
) -> None:
    await say(ports, scope, HOUSE)
    id = await say(ports, scope, FENCE)
    robert, bobby = [await entity(ports, scope, name) for name in ("Robert Miller", "Bobby Miller")]
    edited = await merge_entities(ports, scope, robert.id, [bobby.id])
    await edit_memory(ports, scope, id, MemoryEdit(frozenset({"content"}), content=ROOF))
    assert await names(ports, scope) == {"Robert Miller": 2}
    await undo_edit(ports, scope, edited.edit_id)
    await merge_again(ports, scope)
    await find_mentions(ports, scope, id)
    assert list(await names(ports, scope)) == ["Robert Miller"]


async def merge_again(ports: Ports, scope: Scope) -> None:
    all_names = await list_entities(ports, scope, None, "Miller", None, 100)
    kept = next(item for item in all_names if item.name == "Robert Miller")
    if others := [item.id for item in all_names if item.id != kept.id]:
        await merge_entities(ports, scope, kept.id, others)


async def test_a_new_name_stays_and_the_old_one_means_it(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, "Elizabeth Bennet lives at Longbourn House.")
    lizzy = await entity(ports, scope, "Elizabeth Bennet")
    edited = await rename_entity(ports, scope, lizzy.id, "Lizzy")
    assert (edited.entity.id, edited.entity.name) == (lizzy.id, "Lizzy")
    await say(ports, scope, "Elizabeth Bennet met Charlotte Lucas.")
    assert (await names(ports, scope))["Lizzy"] == 2
    # A fuller name with the same first name is somebody else.
    await say(ports, scope, "Lizzy Brown sells bread.")
    assert (await names(ports, scope))["Lizzy"] == 2
    await undo_edit(ports, scope, edited.edit_id)
    found = await names(ports, scope)
    assert found["Elizabeth Bennet"] == 2 and "Lizzy" not in found


async def test_a_renamed_entity_keeps_its_name_when_its_only_mention_is_extracted_again(
    ports: Ports, scope: Scope
) -> None:
    id = await say(ports, scope, "Ask Acme Corporation for the invoice.")
    [acme] = [item for item in await names(ports, scope) if item.startswith("Acme")]
    edited = await rename_entity(ports, scope, (await entity(ports, scope, acme)).id, "The Shop")
    await edit_memory(
        ports,
        scope,
        id,
        MemoryEdit(frozenset({"content"}), content="Ask Acme Corporation for the receipt."),
    )
    assert "The Shop" in await names(ports, scope) and acme not in await names(ports, scope)
    await undo_edit(ports, scope, edited.edit_id)
    assert "The Shop" not in await names(ports, scope)


async def test_a_name_that_is_taken_is_refused(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, HOUSE)
    await say(ports, scope, FENCE)
    bobby = await entity(ports, scope, "Bobby Miller")
    with pytest.raises(Conflict, match="of that name already") as refused:
        await rename_entity(ports, scope, bobby.id, "robert MILLER")
    robert = await entity(ports, scope, "Robert Miller")
    assert refused.value.details == {"entity_id": str(robert.id)}
    for name in ("", "  ", "x" * 201, "Bobby Miller"):
        with pytest.raises(Invalid):
            await rename_entity(ports, scope, bobby.id, name)


async def test_spellings_are_split_off(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, HOUSE)
    await say(ports, scope, FENCE)
    both = "Bobby Miller and Robert Miller went fishing."
    await say(ports, scope, both)
    await merge_again(ports, scope)
    robert = await entity(ports, scope, "Robert Miller")
    edited = await split_entity(
        ports, scope, robert.id, Split("Bobby the Younger", spellings=("Bobby Miller",))
    )
    assert edited.entity.name == "Bobby the Younger"
    assert await contents(ports, scope, "Bobby the Younger") == {FENCE, both}
    assert await contents(ports, scope, "Robert Miller") == {HOUSE, both}
    await say(ports, scope, ROOF)
    assert await contents(ports, scope, "Bobby the Younger") == {FENCE, both, ROOF}
    await undo_edit(ports, scope, edited.edit_id)
    assert await names(ports, scope) == {"Robert Miller": 4}


async def test_two_of_one_name_are_split_by_their_memories(ports: Ports, scope: Scope) -> None:
    first, second = "Anna Weber teaches the violin.", "Anna Weber repairs bicycles."
    await say(ports, scope, first)
    id = await say(ports, scope, second)
    anna = await entity(ports, scope, "Anna Weber")
    edited = await split_entity(
        ports, scope, anna.id, Split("Anna Weber (bicycles)", memory_ids=(id,))
    )
    assert await contents(ports, scope, "Anna Weber") == {first}
    assert await contents(ports, scope, "Anna Weber (bicycles)") == {second}
    # Also in the next version of that memory.
    third = "Anna Weber repairs old bicycles."
    await edit_memory(ports, scope, id, MemoryEdit(frozenset({"content"}), content=third))
    assert await contents(ports, scope, "Anna Weber (bicycles)") == {third}
    await say(ports, scope, "Anna Weber bought a cello.")
    assert third not in await contents(ports, scope, "Anna Weber")
    assert len(await contents(ports, scope, "Anna Weber")) == 2
    await undo_edit(ports, scope, edited.edit_id)
    assert list(await names(ports, scope)) == ["Anna Weber"]


@pytest.mark.parametrize(
    ("split", "error"),
    [
        (Split("Other"), Invalid),
        (Split("Other", spellings=("Nobody",)), Invalid),
        (Split("Other", spellings=("Robert Miller",)), Invalid),
        (Split("Other", memory_ids=(UUID(int=7),)), NotFound),
        (Split("Robert Miller", spellings=("Bobby Miller",)), Conflict),
    ],
)
async def test_what_cannot_be_split(
    ports: Ports, scope: Scope, split: Split, error: type[Exception]
) -> None:
    await say(ports, scope, HOUSE)
    await say(ports, scope, FENCE)
    await merge_again(ports, scope)
    robert = await entity(ports, scope, "Robert Miller")
    with pytest.raises(error):
        await split_entity(ports, scope, robert.id, split)
    assert await names(ports, scope) == {"Robert Miller": 2}


async def test_changes_are_undone_in_order(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, HOUSE)
    await say(ports, scope, FENCE)
    await merge_again(ports, scope)
    robert = await entity(ports, scope, "Robert Miller")
    await rename_entity(ports, scope, robert.id, "Rob")
    await say(ports, scope, ROOF)
    assert await names(ports, scope) == {"Rob": 3}
    renamed, merged = await list_edits(ports, scope, 10)
    assert (merged.kind, merged.summary) == ("merge", "Bobby Miller → Robert Miller")
    assert (renamed.kind, renamed.summary) == ("rename", "Robert Miller → Rob")
    with pytest.raises(Conflict, match="undo that one first"):
        await undo_edit(ports, scope, merged.id)
    await undo_edit(ports, scope, renamed.id)
    assert await names(ports, scope) == {"Robert Miller": 3}
    await undo_edit(ports, scope, merged.id)
    assert set(await names(ports, scope)) == {"Robert Miller", "Bobby Miller"}


async def test_entities_of_several_projects_are_not_merged(ports: Ports, scope: Scope) -> None:
    await say(ports, scope, HOUSE, "house")
    await say(ports, scope, FENCE, "garden")
    robert, bobby = [await entity(ports, scope, name) for name in ("Robert Miller", "Bobby Miller")]
    with pytest.raises(Invalid, match="several projects"):
        await merge_entities(ports, scope, robert.id, [bobby.id])
    with pytest.raises(Invalid):
        await merge_entities(ports, scope, robert.id, [robert.id])
    with pytest.raises(NotFound):
        await merge_entities(ports, scope, robert.id, [UUID(int=7)])
