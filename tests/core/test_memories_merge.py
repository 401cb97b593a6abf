"""Several memories are merged into one that says all of it: nothing is lost or invented."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from remem.adapters.llm.openai import OpenAILlm
from remem.core.errors import Conflict, Invalid, NotFound
from remem.core.memories.browse import get_memory
from remem.core.memories.forget import forget_memory
from remem.core.memories.lifecycle import set_lifecycle
from remem.core.memories.merge import merge_memories
from remem.core.memories.rules.merge import merge_contents, names_of
from remem.core.memories.versions.history import get_history
from remem.core.memories.versions.restore import restore_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import new_id
from tests.conftest import new_scope
from tests.core.memories import contents, match_by_meaning, match_by_word, save
from tests.core.test_text_by_model import FAILURES
from tests.tools.llm import completion, model, with_llm
from tests.tools.site import Page

pytestmark = pytest.mark.anyio

FERRY = "The ferry to Elba takes 60 minutes"
SAILS = "The ferry to Elba sails from Piombino"
BOTH = "The ferry to Elba sails from Piombino and takes 60 minutes"


async def saved(ports: Ports, scope: Scope, *texts: str, **fields: Any) -> list[UUID]:
    return [(await save(ports, scope, content, **fields)).memory.id for content in texts]


async def merge_with_model(
    ports: Ports, scope: Scope, ids: Sequence[UUID], answer: Page, **options: Any
) -> str:
    with model(answer) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=(), timeout_s=20)
        merged = await merge_memories(with_llm(ports, llm), scope, ids, **options)
        await llm.close()
    return merged.content


async def test_the_newest_memory_says_all_and_replaces_the_others(
    ports: Ports, scope: Scope
) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    merged = await merge_memories(ports, scope, [second, first])
    assert merged.content == f"{FERRY}. {SAILS}"
    assert (merged.version, merged.supersedes_id) == (2, second)
    assert await contents(ports, scope) == [merged.content]
    assert await match_by_word(ports, scope, "minutes Piombino") == [merged.id]
    assert await match_by_meaning(ports, scope, "how long is the crossing?") == [merged.id]
    assert (await get_memory(ports, scope, first)).state == "superseded"
    [event] = [
        event for event in (await get_history(ports, scope, first)).events if event.type == "merge"
    ]
    assert event.data == {"into": str(merged.id)}


async def test_a_merged_memory_can_be_restored(ports: Ports, scope: Scope) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    await merge_memories(ports, scope, [first, second], content=BOTH)
    restored = await restore_memory(ports, scope, first)
    assert sorted(await contents(ports, scope)) == sorted([BOTH, FERRY])
    assert restored.content == FERRY


async def test_tags_are_united_and_the_highest_confidence_is_kept(
    ports: Ports, scope: Scope
) -> None:
    [first] = await saved(ports, scope, FERRY, tags=["sea", "trip"], confidence=0.4)
    [second] = await saved(ports, scope, SAILS, tags=["trip", "italy"], confidence=0.9)
    merged = await merge_memories(ports, scope, [first, second])
    assert (merged.tags, merged.confidence) == (["sea", "trip", "italy"], pytest.approx(0.9))


async def test_the_model_writes_a_shorter_text(ports: Ports, scope: Scope) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await merge_with_model(ports, scope, ids, completion({"text": f" {BOTH} "})) == BOTH


@pytest.mark.parametrize(
    "answer",
    [
        "The ferry to Elba sails from Piombino and takes 90 minutes",
        "The ferry to Elba takes 60 minutes",
        "The ferry from Piombino takes 60 minutes",
        "The ferry to Elba sails from Piombino, takes 60 minutes and serves wonderful lobster"
        " dinners every evening",
        "",
    ],
    ids=["another number", "half of it", "a name is lost", "more than they say", "nothing"],
)
async def test_a_text_of_the_model_that_loses_or_adds_facts_is_rejected(
    ports: Ports, scope: Scope, answer: str
) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert (
        await merge_with_model(ports, scope, ids, completion({"text": answer}))
        == f"{FERRY}. {SAILS}"
    )


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES)
async def test_the_contents_are_joined_when_the_model_fails(
    ports: Ports, scope: Scope, reply: Page
) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await merge_with_model(ports, scope, ids, reply) == f"{FERRY}. {SAILS}"


async def test_content_of_a_person_is_used_as_it_is(ports: Ports, scope: Scope) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert (
        await merge_with_model(ports, scope, ids, completion({"text": "x"}), content=BOTH) == BOTH
    )


async def test_errors_say_why_memories_cannot_be_merged(ports: Ports, scope: Scope) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    [in_other_project] = await saved(
        ports, scope, "Elba has iron", project="iron", create_project=True
    )
    for ids, message in [
        ([first], "2 to 10 different"),
        ([first, first], "2 to 10 different"),
        ([new_id() for _ in range(11)], "2 to 10 different"),
        ([first, in_other_project], "move them into one"),
    ]:
        with pytest.raises(Invalid, match=message):
            await merge_memories(ports, scope, ids)
    with pytest.raises(NotFound):
        await merge_memories(ports, scope, [first, new_id()])
    with pytest.raises(NotFound):
        await merge_memories(ports, await new_scope(ports), [first, second])
    await set_lifecycle(ports, scope, second, "quarantined", None)
    with pytest.raises(Conflict):
        await merge_memories(ports, scope, [first, second])
    await forget_memory(ports, scope, second)
    with pytest.raises(NotFound):
        await merge_memories(ports, scope, [first, second])
    assert FERRY in await contents(ports, scope)


def test_repeated_sentences_are_kept_once_and_end_with_a_full_stop() -> None:
    assert merge_contents(["Ada likes tea", "ada likes tea.", "She lives in Oslo."]) == (
        "Ada likes tea. She lives in Oslo."
    )
    assert merge_contents(["I like tea", "I do not think I like tea"]) == (
        "I like tea. I do not think I like tea"
    )
    assert names_of("The ferry to Elba. It sails, Ada says") == {"Elba", "Ada"}
