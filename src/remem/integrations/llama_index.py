"""A LlamaIndex memory block: saves messages that leave short-term memory, recalls context."""

from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field

from remem.client import AsyncRemem
from remem.integrations.call import Client, call

_SPEAKERS = (MessageRole.USER, MessageRole.ASSISTANT)


class RememMemoryBlock(BaseMemoryBlock[str]):
    """`Memory.from_defaults(memory_blocks=[RememMemoryBlock(client=Remem())])`."""

    name: str = "remem"
    client: Client = Field(exclude=True)
    project: str | None = None
    max_tokens: int = 1_000

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        questions = [
            message.content for message in messages or [] if message.role == MessageRole.USER
        ]
        question = next((text for text in reversed(questions) if text), None)
        if question is None:
            return ""
        return await call(self.client, lambda remem: self._context(remem, question))

    async def _context(self, remem: AsyncRemem, question: str) -> str:
        return await remem.context(question, max_tokens=self.max_tokens, project=self.project)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns = [message for message in messages if message.role in _SPEAKERS and message.content]
        if turns:
            await call(self.client, lambda remem: self._save(remem, turns))

    async def _save(self, remem: AsyncRemem, turns: list[ChatMessage]) -> None:
        text = "\n".join(f"{message.role.value}: {message.content}" for message in turns)
        session = next((message.additional_kwargs.get("session_id") for message in turns), None)
        body = {"content": text, "container": self.project, "metadata": {"session": session}}
        await remem.request("POST", "/v1/documents", json=body)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The best comes first, so the end is cut; a token has about four letters."""
        return content[: -4 * tokens_to_truncate] or None
