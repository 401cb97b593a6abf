"""Profiles: lasting memories, recent ones, and those relevant to a query."""

import pytest

from remem.core.errors import Invalid
from remem.core.memories.forget import forget_memory
from remem.core.memories.lifecycle import give_feedback
from remem.core.ports import Ports
from remem.core.profiles.build import as_markdown, build_profile
from remem.core.profiles.model import ProfileEntry
from remem.core.projects.manage import create_project
from remem.core.scope import Scope
from tests.conftest import new_scope
from tests.core.memories import save

pytestmark = pytest.mark.anyio


def contents(entries: list[ProfileEntry]) -> list[str]:
    return [entry.content for entry in entries]


async def test_lasting_and_recent_memories_are_separate(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The team deploys on Docker.", confidence=0.5)
    await save(ports, scope, "Prefers dark mode.", category="preference")
    await save(ports, scope, "Met the landlord.", category="episode")
    await save(ports, scope, "Review the contract.", category="task")
    profile = await build_profile(ports, scope, None)
    assert profile.project == "default"
    assert contents(profile.static) == ["Prefers dark mode.", "The team deploys on Docker."]
    assert contents(profile.recent) == ["Review the contract.", "Met the landlord."]
    assert profile.relevant == []


async def test_helpful_memories_come_first_and_wrong_ones_are_left_out(
    ports: Ports, scope: Scope
) -> None:
    good = await save(ports, scope, "The bridge is shut.")
    await save(ports, scope, "Payroll closes on Friday.")
    bad = await save(ports, scope, "Cats sleep a lot.")
    await give_feedback(ports, scope, good.memory.id, "helpful")
    await give_feedback(ports, scope, bad.memory.id, "wrong")
    profile = await build_profile(ports, scope, None)
    assert contents(profile.static) == ["The bridge is shut.", "Payroll closes on Friday."]


async def test_a_query_finds_relevant_memories_by_word_and_by_meaning(
    ports: Ports, scope: Scope
) -> None:
    for content in ("The invoice number is 4711.", "The kitten naps on the couch.", "Tea is hot."):
        await save(ports, scope, content)
    by_word = await build_profile(ports, scope, None, "4711")
    by_meaning = await build_profile(ports, scope, None, "Where does the cat sleep?")
    assert contents(by_word.relevant)[0] == "The invoice number is 4711."
    assert contents(by_meaning.relevant)[0] == "The kitten naps on the couch."


async def test_a_profile_of_all_projects_lists_statements_of_the_user_about_themselves_first(
    ports: Ports, scope: Scope
) -> None:
    await create_project(ports, scope, "garden")
    await save(ports, scope, "The seat model is E712.")
    await save(ports, scope, "My sister lives in Leuven.", project="garden")
    assert contents((await build_profile(ports, scope, None)).static) == ["The seat model is E712."]
    profile = await build_profile(ports, scope, "*", "sister")
    assert contents(profile.static) == ["My sister lives in Leuven.", "The seat model is E712."]
    assert contents(profile.relevant)[0] == "My sister lives in Leuven."
    assert as_markdown(profile).startswith("# Profile")


async def test_forgotten_memories_and_those_of_others_are_in_no_profile(
    ports: Ports, scope: Scope
) -> None:
    await save(ports, await new_scope(ports), "The kitten naps on the couch.")
    saved = await save(ports, scope, "The kitten naps on the sofa.")
    await forget_memory(ports, scope, saved.memory.id)
    profile = await build_profile(ports, scope, None, "kitten")
    assert (profile.static, profile.recent, profile.relevant) == ([], [], [])


async def test_a_profile_is_of_one_project(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "Tea is hot.", project="agent.one", create_project=True)
    await save(ports, scope, "The bridge is shut.")
    profile = await build_profile(ports, scope, "agent.one", "tea")
    assert contents(profile.static) == contents(profile.relevant) == ["Tea is hot."]
    assert not (await build_profile(ports, scope, "nowhere")).static
    with pytest.raises(Invalid, match="query"):
        await build_profile(ports, scope, None, "x" * 1_001)


async def test_a_profile_as_markdown_has_the_id_of_each_memory(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "Prefers tea.\nWithout sugar.", category="preference")
    text = as_markdown(await build_profile(ports, scope, None))
    line = f"- Prefers tea. Without sugar. <!-- {saved.memory.id} -->"
    assert text == f"# default\n\n## What lasts\n\n{line}\n"
