"""Several memories become one that says all of it; nothing is lost, and nothing made up."""

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
from tests.core.memories import by_meaning, by_word, contents, save
from tests.core.test_words_of_a_model import FAILURES
from tests.tools.llm import completion, model, with_llm
from tests.tools.site import Page

pytestmark = pytest.mark.anyio

FERRY = "The ferry to Elba takes 60 minutes"
SAILS = "The ferry to Elba sails from Piombino"
BOTH = "The ferry to Elba sails from Piombino and takes 60 minutes"


async def saved(ports: Ports, scope: Scope, *said: str, **fields: Any) -> list[UUID]:
    return [(await save(ports, scope, one, **fields)).memory.id for one in said]


async def asked(
    ports: Ports, scope: Scope, ids: Sequence[UUID], answer: Page, **options: Any
) -> str:
    with model(answer) as site:
        llm = OpenAILlm(f"{site.url}/v1", None, "tiny", waits_s=(), timeout_s=20)
        made = await merge_memories(with_llm(ports, llm), scope, ids, **options)
        await llm.close()
    return made.content


async def test_the_newest_says_all_and_the_others_lead_to_it(ports: Ports, scope: Scope) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    made = await merge_memories(ports, scope, [second, first])
    assert made.content == f"{FERRY}. {SAILS}"
    assert (made.version, made.supersedes_id) == (2, second)
    assert await contents(ports, scope) == [made.content]
    assert await by_word(ports, scope, "minutes Piombino") == [made.id]
    assert await by_meaning(ports, scope, "how long is the crossing?") == [made.id]
    assert (await get_memory(ports, scope, first)).state == "superseded"
    [event] = [
        one for one in (await get_history(ports, scope, first)).events if one.type == "merge"
    ]
    assert event.data == {"into": str(made.id)}


async def test_what_was_merged_can_be_said_again(ports: Ports, scope: Scope) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    await merge_memories(ports, scope, [first, second], content=BOTH)
    again = await restore_memory(ports, scope, first)
    assert sorted(await contents(ports, scope)) == sorted([BOTH, FERRY])
    assert again.content == FERRY


async def test_tags_and_sureness_are_those_of_all(ports: Ports, scope: Scope) -> None:
    [one] = await saved(ports, scope, FERRY, tags=["sea", "trip"], confidence=0.4)
    [two] = await saved(ports, scope, SAILS, tags=["trip", "italy"], confidence=0.9)
    made = await merge_memories(ports, scope, [one, two])
    assert (made.tags, made.confidence) == (["sea", "trip", "italy"], pytest.approx(0.9))


async def test_a_model_says_it_shorter(ports: Ports, scope: Scope) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await asked(ports, scope, ids, completion({"text": f" {BOTH} "})) == BOTH


@pytest.mark.parametrize(
    "said",
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
async def test_a_model_that_loses_or_adds_is_not_believed(
    ports: Ports, scope: Scope, said: str
) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await asked(ports, scope, ids, completion({"text": said})) == f"{FERRY}. {SAILS}"


@pytest.mark.parametrize("reply", FAILURES.values(), ids=FAILURES)
async def test_without_an_answer_their_own_words_do(
    ports: Ports, scope: Scope, reply: Page
) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await asked(ports, scope, ids, reply) == f"{FERRY}. {SAILS}"


async def test_a_person_is_asked_nothing_more(ports: Ports, scope: Scope) -> None:
    ids = await saved(ports, scope, FERRY, SAILS)
    assert await asked(ports, scope, ids, completion({"text": "x"}), content=BOTH) == BOTH


async def test_what_cannot_be_merged_says_why(ports: Ports, scope: Scope) -> None:
    first, second = await saved(ports, scope, FERRY, SAILS)
    [elsewhere] = await saved(ports, scope, "Elba has iron", project="iron", create_project=True)
    for ids, fix in [
        ([first], "2 to 10 different"),
        ([first, first], "2 to 10 different"),
        ([new_id() for _ in range(11)], "2 to 10 different"),
        ([first, elsewhere], "move them into one"),
    ]:
        with pytest.raises(Invalid, match=fix):
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


def test_sentences_are_kept_once_and_ended() -> None:
    assert merge_contents(["Ada likes tea", "ada likes tea.", "She lives in Oslo."]) == (
        "Ada likes tea. She lives in Oslo."
    )
    assert merge_contents(["I like tea", "I do not think I like tea"]) == (
        "I like tea. I do not think I like tea"
    )
    assert names_of("The ferry to Elba. It sails, Ada says") == {"Elba", "Ada"}
