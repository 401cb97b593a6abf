"""A LlamaIndex memory block: saves what leaves the short memory, recalls what is asked for."""

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
        asked = [one.content for one in messages or [] if one.role == MessageRole.USER]
        question = next((text for text in reversed(asked) if text), None)
        if question is None:
            return ""
        return await call(self.client, lambda remem: self._context(remem, question))

    async def _context(self, remem: AsyncRemem, question: str) -> str:
        return await remem.context(question, max_tokens=self.max_tokens, project=self.project)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        said = [one for one in messages if one.role in _SPEAKERS and one.content]
        if said:
            await call(self.client, lambda remem: self._save(remem, said))

    async def _save(self, remem: AsyncRemem, said: list[ChatMessage]) -> None:
        talk = "\n".join(f"{one.role.value}: {one.content}" for one in said)
        session = next((one.additional_kwargs.get("session_id") for one in said), None)
        body = {"content": talk, "container": self.project, "metadata": {"session": session}}
        await remem.request("POST", "/v1/documents", json=body)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """The best comes first, so the end is what goes; a token has about four letters."""
        return content[: -4 * tokens_to_truncate] or None
