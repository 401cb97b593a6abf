"""The LlamaIndex memory block, in the library's own memory."""

from typing import TYPE_CHECKING, Any

import pytest

from remem import AsyncRemem, Remem

if TYPE_CHECKING:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import Memory

    from remem.integrations.llama_index import RememMemoryBlock


def block_of(client: Remem | AsyncRemem, **options: Any) -> "RememMemoryBlock":
    from remem.integrations.llama_index import RememMemoryBlock

    return RememMemoryBlock(client=client, **options)


def split_words(text: str) -> list[str]:
    return text.split()


def memory(block: "RememMemoryBlock", session: str) -> "Memory":
    """A memory so short that only the last few words of a conversation stay in it."""
    from llama_index.core.memory import Memory

    return Memory.from_defaults(
        session_id=session,
        token_limit=60,
        chat_history_token_ratio=0.3,
        token_flush_size=10,
        tokenizer_fn=split_words,
        memory_blocks=[block],
    )


def message_of(role: str, text: str) -> "ChatMessage":
    from llama_index.core.base.llms.types import ChatMessage

    return ChatMessage(role=role, content=text)


def conversation() -> "list[ChatMessage]":
    return [
        message_of("user", "My daughter Greta is allergic to hazelnuts."),
        message_of("assistant", "Noted: no hazelnuts for Greta."),
        message_of("user", "Tell me something long about the weather of the coming week, please."),
        message_of("assistant", "It will rain on Monday and be dry from Tuesday until Sunday."),
        message_of("user", "What must Greta not eat?"),
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_messages_that_left_the_short_memory_are_recalled(
    remem: Remem, async_remem: AsyncRemem, kind: str
) -> None:
    client = remem if kind == "remem" else async_remem
    block = block_of(client, project="talks", max_tokens=200)
    short = memory(block, "s1")
    for message in conversation():
        await short.aput(message)
    messages = await short.aget()
    assert "hazelnuts" not in " ".join(
        held_message.content or "" for held_message in messages if held_message.role != "system"
    )
    system = next(held_message for held_message in messages if held_message.role == "system")
    assert "<remem>" in (system.content or "")
    assert "allergic to hazelnuts" in (system.content or "")
    recalled = await async_remem.recall("hazelnuts", project="talks")
    assert recalled.results[0].metadata["session"] == "s1"


@pytest.mark.anyio
async def test_without_a_question_nothing_is_added(async_remem: AsyncRemem) -> None:
    block = block_of(async_remem)
    assert await block.aget([]) == ""
    await block.aput([message_of("system", "You are kind."), message_of("user", "")])
    assert (await async_remem.stats()).total_documents == 0


@pytest.mark.anyio
async def test_a_context_that_is_too_long_is_cut_at_its_end(async_remem: AsyncRemem) -> None:
    block = block_of(async_remem)
    assert await block.atruncate("a" * 40, 5) == "a" * 20
    assert await block.atruncate("short", 100) is None


def test_it_works_without_an_event_loop(remem: Remem) -> None:
    short = memory(block_of(remem, project="talks"), "s2")
    short.put_messages(conversation())
    assert "allergic" in " ".join(message.content or "" for message in short.get())
