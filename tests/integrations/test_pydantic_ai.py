"""The pydantic-ai toolset, used by an agent whose model follows a script."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from remem import AsyncRemem, Remem

if TYPE_CHECKING:
    from pydantic_ai import ModelResponse, ToolCallPart
    from pydantic_ai.models.function import AgentInfo

pytestmark = pytest.mark.anyio


class Script:
    """A model that makes the calls it is given one after the other, and hears what they give."""

    def __init__(self, *calls: "ToolCallPart") -> None:
        self._calls: Iterator[ToolCallPart] = iter(calls)
        self.heard: list[Any] = []

    def __call__(self, messages: list[Any], info: "AgentInfo") -> "ModelResponse":
        from pydantic_ai import ModelResponse, TextPart

        self.heard = [
            part.content
            for message in messages
            for part in message.parts
            if part.part_kind in ("tool-return", "retry-prompt")
        ]
        call = next(self._calls, None)
        return ModelResponse(parts=[call or TextPart("done")])


def call_of(tool: str, **arguments: Any) -> "ToolCallPart":
    from pydantic_ai import ToolCallPart

    return ToolCallPart(tool, arguments)


async def follow(client: Remem | AsyncRemem, *calls: "ToolCallPart") -> list[str]:
    from pydantic_ai import Agent
    from pydantic_ai.models.function import FunctionModel

    from remem.integrations.pydantic_ai import remem_toolset

    script = Script(*calls)
    toolset = remem_toolset(client, project="assistant")
    await Agent(FunctionModel(script), toolsets=[toolset]).run("go")
    return [str(one) for one in script.heard]


@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_an_agent_saves_and_recalls(remem: Remem, awaited: AsyncRemem, kind: str) -> None:
    saved, recalled = await follow(
        remem if kind == "remem" else awaited,
        call_of("save_memory", content="Rosa's birthday is on 9 May.", tags=["dates"]),
        call_of("recall_memories", query="when was Rosa born?"),
    )
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    assert "9 May" in recalled
    assert id in recalled
    document = await awaited.document(id)
    assert document.content == "Rosa's birthday is on 9 May."


async def test_an_agent_forgets_and_hears_what_is_wrong(awaited: AsyncRemem) -> None:
    (saved,) = await follow(awaited, call_of("save_memory", content="A passing thought."))
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    gone, twice, unknown = await follow(
        awaited,
        call_of("forget_memory", id=id),
        call_of("forget_memory", id=id),
        call_of("recall_memories", query="passing thought"),
    )
    assert gone == "Forgotten."
    assert "There is no memory" in twice
    assert unknown == "Nothing is known about it."


async def test_the_model_is_told_what_the_tools_are_for(awaited: AsyncRemem) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from remem.integrations.pydantic_ai import remem_toolset

    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[remem_toolset(awaited)]).run("hello")
    asked = model.last_model_request_parameters
    assert asked is not None
    tools = {tool.name: tool for tool in asked.function_tools}
    assert set(tools) == {"save_memory", "recall_memories", "forget_memory"}
    properties = tools["save_memory"].parameters_json_schema["properties"]
    assert "understood by itself" in properties["content"]["description"]
