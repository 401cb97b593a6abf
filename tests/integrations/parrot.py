"""A fake model for agents of the OpenAI SDK."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

from agents import Model, ModelResponse, Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


class Parrot(Model):
    """Call the first tool it is offered, then reply with the number of items it received."""

    def __init__(self) -> None:
        self.received: list[Any] = []

    async def get_response(
        self,
        system_instructions: Any,
        input: Any,
        model_settings: Any,
        tools: Any,
        *_: Any,
        **__: Any,
    ) -> ModelResponse:
        self.received = list(input)
        last = input[-1]
        if tools and last.get("role") == "user":
            output: Any = ResponseFunctionToolCall(
                type="function_call", call_id=f"c{uuid4()}", name=tools[0].name, arguments="{}"
            )
        else:
            output = _message(f"I was told {len(input)} things.")
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def _message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id=f"m{uuid4()}", content=[content], role="assistant", status="completed", type="message"
    )
