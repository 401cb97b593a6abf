"""The pydantic-ai toolset, used by an agent whose model follows a script."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from remem import AsyncRemem, Remem
from remem.integrations.pydantic_ai import remem_toolset

pytestmark = pytest.mark.anyio


class Script:
    """A model that makes the calls it is given one after the other, and hears what they give."""

    def __init__(self, *calls: ToolCallPart) -> None:
        self._calls: Iterator[ToolCallPart] = iter(calls)
        self.heard: list[Any] = []

    def __call__(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        self.heard = [
            part.content
            for message in messages
            for part in message.parts
            if part.part_kind in ("tool-return", "retry-prompt")
        ]
        call = next(self._calls, None)
        return ModelResponse(parts=[call or TextPart("done")])


async def follow(client: Remem | AsyncRemem, *calls: ToolCallPart) -> list[str]:
    script = Script(*calls)
    toolset = remem_toolset(client, project="assistant")
    await Agent(FunctionModel(script), toolsets=[toolset]).run("go")
    return [str(one) for one in script.heard]


@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_an_agent_saves_and_recalls(remem: Remem, awaited: AsyncRemem, kind: str) -> None:
    saved, recalled = await follow(
        remem if kind == "remem" else awaited,
        ToolCallPart("save_memory", {"content": "Rosa's birthday is on 9 May.", "tags": ["dates"]}),
        ToolCallPart("recall_memories", {"query": "when was Rosa born?"}),
    )
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    assert "9 May" in recalled
    assert id in recalled
    document = await awaited.document(id)
    assert document.content == "Rosa's birthday is on 9 May."


async def test_an_agent_forgets_and_hears_what_is_wrong(awaited: AsyncRemem) -> None:
    (saved,) = await follow(awaited, ToolCallPart("save_memory", {"content": "A passing thought."}))
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    gone, twice, unknown = await follow(
        awaited,
        ToolCallPart("forget_memory", {"id": id}),
        ToolCallPart("forget_memory", {"id": id}),
        ToolCallPart("recall_memories", {"query": "passing thought"}),
    )
    assert gone == "Forgotten."
    assert "There is no memory" in twice
    assert unknown == "Nothing is known about it."


async def test_the_model_is_told_what_the_tools_are_for(awaited: AsyncRemem) -> None:
    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[remem_toolset(awaited)]).run("hello")
    asked = model.last_model_request_parameters
    assert asked is not None
    tools = {tool.name: tool for tool in asked.function_tools}
    assert set(tools) == {"save_memory", "recall_memories", "forget_memory"}
    properties = tools["save_memory"].parameters_json_schema["properties"]
    assert "understood by itself" in properties["content"]["description"]
