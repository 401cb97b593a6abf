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
    """A model that makes the given calls one after the other and records their results."""

    def __init__(self, *calls: "ToolCallPart") -> None:
        self._calls: Iterator[ToolCallPart] = iter(calls)
        self.results: list[Any] = []

    def __call__(self, messages: list[Any], info: "AgentInfo") -> "ModelResponse":
        from pydantic_ai import ModelResponse, TextPart

        self.results = [
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


async def run_script(client: Remem | AsyncRemem, *calls: "ToolCallPart") -> list[str]:
    from pydantic_ai import Agent
    from pydantic_ai.models.function import FunctionModel

    from remem.integrations.pydantic_ai import remem_toolset

    script = Script(*calls)
    toolset = remem_toolset(client, project="assistant")
    await Agent(FunctionModel(script), toolsets=[toolset]).run("go")
    return [str(result) for result in script.results]


@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_an_agent_saves_and_recalls(remem: Remem, async_remem: AsyncRemem, kind: str) -> None:
    saved, recalled = await run_script(
        remem if kind == "remem" else async_remem,
        call_of("save_memory", content="Rosa's birthday is on 9 May.", tags=["dates"]),
        call_of("recall_memories", query="when was Rosa born?"),
    )
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    assert "9 May" in recalled
    assert id in recalled
    document = await async_remem.document(id)
    assert document.content == "Rosa's birthday is on 9 May."


async def test_an_agent_forgets_and_gets_errors_as_replies(async_remem: AsyncRemem) -> None:
    (saved,) = await run_script(async_remem, call_of("save_memory", content="A passing thought."))
    id = saved.removeprefix("Saved with the id ").rstrip(".")
    forgotten, forgotten_again, recalled = await run_script(
        async_remem,
        call_of("forget_memory", id=id),
        call_of("forget_memory", id=id),
        call_of("recall_memories", query="passing thought"),
    )
    assert forgotten == "Forgotten."
    assert "There is no memory" in forgotten_again
    assert recalled == "Nothing is known about it."


async def test_the_model_gets_descriptions_of_the_tools(async_remem: AsyncRemem) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from remem.integrations.pydantic_ai import remem_toolset

    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[remem_toolset(async_remem)]).run("hello")
    parameters = model.last_model_request_parameters
    assert parameters is not None
    tools = {tool.name: tool for tool in parameters.function_tools}
    assert set(tools) == {"save_memory", "recall_memories", "forget_memory"}
    properties = tools["save_memory"].parameters_json_schema["properties"]
    assert "understood by itself" in properties["content"]["description"]
