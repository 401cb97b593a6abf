"""The session of the OpenAI Agents SDK: items are exact and in order, and runs continue it."""

from typing import TYPE_CHECKING, Any

import pytest

from remem import AsyncRemem, Remem

if TYPE_CHECKING:
    from remem.integrations.openai_agents import RememSession

pytestmark = pytest.mark.anyio

ITEMS: list[Any] = [
    {"role": "user", "content": "yes"},
    {"role": "user", "content": "yes"},
    {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"n": 1e300}'},
    {"type": "function_call_output", "call_id": "c1", "output": "a\x00b \ud800"},
    {"role": "user", "content": [{"type": "input_text", "text": "and  this?\n"}]},
]


def session_of(name: str, client: Remem | AsyncRemem, **options: Any) -> "RememSession":
    from remem.integrations.openai_agents import RememSession

    return RememSession(name, client, **options)


@pytest.fixture
def session(async_remem: AsyncRemem) -> "RememSession":
    return session_of("Support 42", async_remem)


async def test_it_is_a_session(session: "RememSession") -> None:
    from agents import Session

    assert isinstance(session, Session)


async def test_items_are_returned_unchanged_and_in_order(session: "RememSession") -> None:
    assert await session.get_items() == []
    await session.add_items(ITEMS[:2])
    await session.add_items(ITEMS[2:])
    assert await session.get_items() == ITEMS
    assert await session.get_items(limit=2) == ITEMS[-2:]
    assert await session.get_items(limit=0) == []


async def test_a_large_item_is_stored_whole(session: "RememSession") -> None:
    large: Any = {"type": "function_call_output", "call_id": "c", "output": "row\n" * 30_000}
    await session.add_items([ITEMS[0], large, ITEMS[4]])
    assert await session.get_items() == [ITEMS[0], large, ITEMS[4]]


async def test_the_last_item_can_be_popped(session: "RememSession") -> None:
    await session.add_items(ITEMS)
    for item in reversed(ITEMS):
        assert await session.pop_item() == item
    assert await session.pop_item() is None


async def test_clearing_a_session_leaves_the_others(
    session: "RememSession", async_remem: AsyncRemem
) -> None:
    other = session_of("support 42", async_remem)
    await session.add_items(ITEMS[:2])
    await other.add_items(ITEMS[4:])
    await session.clear_session()
    await session.clear_session()
    assert await session.get_items() == []
    assert await other.get_items() == ITEMS[4:]
    await session.add_items(ITEMS[:1])
    assert await session.get_items() == ITEMS[:1]


async def test_the_settings_limit_what_is_read(async_remem: AsyncRemem) -> None:
    from agents.memory.session_settings import SessionSettings

    session = session_of("short", async_remem, session_settings=SessionSettings(limit=1))
    await session.add_items(ITEMS[:3])
    assert await session.get_items() == ITEMS[2:3]
    assert await session.get_items(limit=3) == ITEMS[:3]


async def test_what_was_said_is_recalled(session: "RememSession", async_remem: AsyncRemem) -> None:
    await session.add_items([{"role": "user", "content": "My dog Bruno is afraid of thunder."}])
    recalled = await async_remem.recall("what frightens the dog?", project="sessions.*")
    assert "thunder" in recalled.results[0].text
    await session.pop_item()
    assert not (await async_remem.recall("what frightens the dog?", project="sessions.*")).results


@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_a_run_continues_where_the_last_one_ended(
    remem: Remem, async_remem: AsyncRemem, kind: str
) -> None:
    from agents import Agent, RunConfig, Runner, function_tool

    from tests.integrations.parrot import Parrot

    @function_tool
    def clock() -> str:
        return "noon"

    parrot = Parrot()
    agent = Agent(name="Parrot", model=parrot, tools=[clock])
    session = session_of("talk", remem if kind == "remem" else async_remem)
    silent = RunConfig(tracing_disabled=True)
    first = await Runner.run(agent, "Remember the milk.", session=session, run_config=silent)
    assert first.final_output == "I was told 3 things."
    second = await Runner.run(agent, "What was it?", session=session, run_config=silent)
    assert second.final_output == "I was told 7 things."
    assert parrot.received[0]["content"] == "Remember the milk."
    assert parrot.received[2]["output"] == "noon"
    assert len(await session.get_items()) == 8
