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


def words(text: str) -> list[str]:
    return text.split()


def memory(block: "RememMemoryBlock", session: str) -> "Memory":
    """One so short that all but the last few words of a talk leave it."""
    from llama_index.core.memory import Memory

    return Memory.from_defaults(
        session_id=session,
        token_limit=60,
        chat_history_token_ratio=0.3,
        token_flush_size=10,
        tokenizer_fn=words,
        memory_blocks=[block],
    )


def said(role: str, text: str) -> "ChatMessage":
    from llama_index.core.base.llms.types import ChatMessage

    return ChatMessage(role=role, content=text)


def talk() -> "list[ChatMessage]":
    return [
        said("user", "My daughter Greta is allergic to hazelnuts."),
        said("assistant", "Noted: no hazelnuts for Greta."),
        said("user", "Tell me something long about the weather of the coming week, please."),
        said("assistant", "It will rain on Monday and be dry from Tuesday until Sunday."),
        said("user", "What must Greta not eat?"),
    ]


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["remem", "awaited"])
async def test_what_left_the_short_memory_is_recalled(
    remem: Remem, awaited: AsyncRemem, kind: str
) -> None:
    client = remem if kind == "remem" else awaited
    block = block_of(client, project="talks", max_tokens=200)
    short = memory(block, "s1")
    for message in talk():
        await short.aput(message)
    held = await short.aget()
    assert "hazelnuts" not in " ".join(one.content or "" for one in held if one.role != "system")
    system = next(one for one in held if one.role == "system")
    assert "<remem>" in (system.content or "")
    assert "allergic to hazelnuts" in (system.content or "")
    found = await awaited.recall("hazelnuts", project="talks")
    assert found.results[0].metadata["session"] == "s1"


@pytest.mark.anyio
async def test_without_a_question_nothing_is_added(awaited: AsyncRemem) -> None:
    block = block_of(awaited)
    assert await block.aget([]) == ""
    await block.aput([said("system", "You are kind."), said("user", "")])
    assert (await awaited.stats()).total_documents == 0


@pytest.mark.anyio
async def test_too_long_a_context_loses_its_end(awaited: AsyncRemem) -> None:
    block = block_of(awaited)
    assert await block.atruncate("a" * 40, 5) == "a" * 20
    assert await block.atruncate("short", 100) is None


def test_it_works_without_a_loop(remem: Remem) -> None:
    short = memory(block_of(remem, project="talks"), "s2")
    short.put_messages(talk())
    assert "allergic" in " ".join(one.content or "" for one in short.get())
