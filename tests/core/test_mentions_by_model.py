"""Entities that a language model finds in a memory; only names that are in the text are kept."""

from dataclasses import replace
from typing import Any

import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.core.memories.edit import MemoryEdit, edit_memory
from remem.core.memories.forget import forget_memory
from remem.core.memories.mentions import find_mentions
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.core.memories import events, save
from tests.core.test_distil_documents import _RecordingQueue
from tests.core.test_text_by_model import FAILURES, with_model
from tests.tools.llm import completion, with_llm
from tests.tools.site import Page

pytestmark = pytest.mark.anyio

TEXT = "yesterday juno fixed src/app.py on the big blue box with Tessellate for Rosa Luxe"
ENTITIES = [
    {"name": "juno", "type": "person"},
    {"name": "big blue box", "type": "system"},
    {"name": "Tessellate", "type": "technology"},
    {"name": "Rosa Luxe", "type": "person"},
]


async def mentioned(ports: Ports, scope: Scope) -> set[tuple[str, str, int]]:
    async with ports.db.transaction(scope) as tx:
        rows = await tx.system.fetch("SELECT type, name, mention_count FROM entities")
    return {(row["type"], row["name"], row["mention_count"]) for row in rows}


async def apply_mentions(ports: Ports, scope: Scope, memory: Memory, *entities: Any) -> None:
    async with with_model(ports, completion({"entities": list(entities)})) as (model_ports, site):
        await find_mentions(model_ports, scope, memory.id)
    assert site.requests


async def test_the_model_names_what_the_rules_cannot_see(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, TEXT, tags=["repairs"])).memory
    await apply_mentions(ports, scope, memory, *ENTITIES)
    assert await mentioned(ports, scope) == {
        ("person", "juno", 1),
        ("system", "big blue box", 1),
        ("technology", "Tessellate", 1),
        ("person", "Rosa Luxe", 1),
        ("file", "src/app.py", 1),
        ("concept", "repairs", 1),
    }
    assert ("mentions", {"found": 6}) in await events(ports, scope, memory.id)
    await forget_memory(ports, scope, memory.id)
    assert await mentioned(ports, scope) == set()


async def test_asking_again_changes_nothing(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, TEXT)).memory
    await apply_mentions(ports, scope, memory, *ENTITIES)
    before = await mentioned(ports, scope)
    await apply_mentions(ports, scope, memory, *ENTITIES)
    assert await mentioned(ports, scope) == before


async def test_only_names_in_the_text_are_kept(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, TEXT)).memory
    invented = [
        {"name": "Microsoft", "type": "organization"},
        {"name": "uno", "type": "person"},
        {"name": "yesterday", "type": "event"},
        {"name": "  ", "type": "concept"},
    ]
    await apply_mentions(ports, scope, memory, *invented, ENTITIES[0], ENTITIES[0])
    names = {name for _, name, _ in await mentioned(ports, scope)}
    assert names == {"juno", "src/app.py"}


async def test_the_mentions_by_rules_stay_when_the_model_invents_all_names(
    ports: Ports, scope: Scope
) -> None:
    memory = (await save(ports, scope, "Ada Lovelace moved to Berlin.")).memory
    before = await mentioned(ports, scope)
    await apply_mentions(ports, scope, memory, {"name": "Microsoft", "type": "organization"})
    assert await mentioned(ports, scope) == before != set()


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES)
async def test_the_mentions_by_rules_stay_when_the_model_fails(
    ports: Ports, scope: Scope, reply: Page
) -> None:
    memory = (await save(ports, scope, "Ada Lovelace moved to Berlin.")).memory
    before = await mentioned(ports, scope)
    async with with_model(ports, reply) as (model_ports, site):
        await find_mentions(model_ports, scope, memory.id)
    assert site.requests
    assert await mentioned(ports, scope) == before != set()


async def test_the_mentions_by_rules_stay_when_the_model_names_an_unknown_type(
    ports: Ports, scope: Scope
) -> None:
    memory = (await save(ports, scope, "Ada Lovelace moved to Berlin.")).memory
    before = await mentioned(ports, scope)
    await apply_mentions(ports, scope, memory, {"name": "Berlin", "type": "galaxy"})
    assert await mentioned(ports, scope) == before


async def test_a_memory_forgotten_meanwhile_gets_no_mentions(ports: Ports, scope: Scope) -> None:
    memory = (await save(ports, scope, "Ada Lovelace moved to Berlin.")).memory
    await forget_memory(ports, scope, memory.id)
    async with with_model(ports, completion({"entities": ENTITIES})) as (model_ports, site):
        await find_mentions(model_ports, scope, memory.id)
    assert site.requests == []
    assert await mentioned(ports, scope) == set()


async def test_with_a_model_the_job_is_queued_with_a_low_priority(
    ports: Ports, scope: Scope
) -> None:
    queue = _RecordingQueue()
    idle_ports = replace(ports, queue=queue)  # type: ignore[arg-type]
    await save(idle_ports, scope, "Bert likes jazz.")
    assert queue.jobs == []
    llm = OpenAILlm("http://127.0.0.1:9/v1", None, "tiny", waits_s=(), timeout_s=5)
    model_ports = with_llm(idle_ports, llm)
    saved = await save(model_ports, scope, "Ada Lovelace moved to Berlin.")
    await edit_memory(
        model_ports, scope, saved.memory.id, MemoryEdit(frozenset({"tags"}), tags=["move"])
    )
    # A job of low priority has a later turn among those of its tenant.
    assert [(name, priority < -20) for name, priority in queue.jobs] == [
        ("find_mentions", True)
    ] * 2
    await llm.close()
