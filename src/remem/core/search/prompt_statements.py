"""The statements to add to a prompt: few, short, of its projects, none that was switched off."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from remem.core.chunking.token_counter import estimate_tokens
from remem.core.documents.voice import own_speaker
from remem.core.errors import NotFound
from remem.core.language.instructions import may_instruct
from remem.core.language.person import is_user
from remem.core.language.word_keys import query_words
from remem.core.memories.model import Memory
from remem.core.ports import Ports
from remem.core.projects.resolve import default_project, resolve_all
from remem.core.scope import Scope
from remem.core.search.answer import load_hits
from remem.core.search.excerpt import excerpt, readable, statement
from remem.core.search.floor import probability
from remem.core.search.model import Hit, Ranked
from remem.core.search.prompt_calibration import PROMPTS
from remem.core.search.prompted import (
    can_be_helped,
    embed_prompt,
    log_odds,
    prompt_measures,
    read_for_prompt,
    words_of,
)
from remem.core.transaction import Tx

STATEMENTS, TOKENS, STATEMENT_CHARS = 3, 250, 360
# Of a document's metadata or a memory's context: false if the person wants it in no prompt.
SWITCH = "in_prompts"


@dataclass(frozen=True, slots=True)
class PromptStatement:
    """`id` is that of the memory or document; `words` are those that it shares with the prompt."""

    id: UUID
    kind: str
    content: str
    speaker: str | None
    said_at: datetime
    project: str
    title: str
    relevance: float
    words: tuple[str, ...]


async def statements_for(
    ports: Ports, scope: Scope, prompt: str, project: str | None, given: Collection[UUID] = ()
) -> list[PromptStatement]:
    """What helps with the prompt, most relevant first; usually nothing. It is searched for in the
    project and in the default one. What was `given` already is left out."""
    said = words_of(prompt)
    if not said:
        return []
    async with ports.db.transaction(scope) as tx:
        likely = await _likely(ports, tx, said, project)
        hits = await load_hits(tx, [result for result, _ in likely])
    relevance = {result.id: value for result, value in likely}
    found = [
        _statement(hit, said, relevance[result.id]) for result, hit in hits if not _is_unwanted(hit)
    ]
    return _within_budget([item for item in found if item and item.id not in given])


async def _likely(
    ports: Ports, tx: Tx, said: str, project: str | None
) -> list[tuple[Ranked, float]]:
    """The results that are likely to help, with their relevance, most relevant first."""
    embedded = await embed_prompt(ports, tx, said)
    if embedded is None or embedded[0] != PROMPTS.model:
        return []
    asks = float(log_odds(PROMPTS.asks, embedded[1]))
    if not can_be_helped(asks, said):
        return []
    projects = await _projects(tx, project)
    results = await read_for_prompt(ports, tx, said, projects)
    if results is None:
        return []
    lines = log_odds(PROMPTS.by_line, results.measures)
    total = log_odds(PROMPTS.by_prompt, prompt_measures(asks, lines, results.measures, said))
    if float(total) < PROMPTS.least:
        return []
    likely = [
        (result, float(probability(line)))
        for result, line in zip(results.ranked, lines, strict=True)
        if line >= PROMPTS.least_line
    ]
    return sorted(likely, key=lambda item: -item[1])


async def _projects(tx: Tx, project: str | None) -> list[UUID]:
    """Those of other repositories are none of this one's business."""
    default = (await default_project(tx)).id
    try:
        own = await resolve_all(tx, project) if project else []
    except NotFound:
        own = []
    return [*(id for id in own or () if id != default), default]


def _is_unwanted(hit: Hit) -> bool:
    """Whether it is outdated, or switched off as a whole."""
    is_outdated = hit.replaced_by is not None and not hit.memories
    return is_outdated or (hit.chunk is not None and _is_switched_off(hit.chunk.metadata))


def _is_switched_off(fields: Any) -> bool:
    return fields.get(SWITCH) is False


def _statement(hit: Hit, said: str, relevance: float) -> PromptStatement | None:
    memories = [memory for memory in hit.memories if not _is_switched_off(memory.context)]
    is_partly_off = len(memories) < len(hit.memories)
    if hit.lone or is_partly_off or hit.replaced_by or hit.chunk is None:
        return _of_memory(memories[0], said, relevance) if memories else None
    chunk = hit.chunk
    contents = [memory.content for memory in memories]
    text = statement(readable(chunk.content, chunk.content_type), contents, said, STATEMENT_CHARS)
    if text in contents:
        return _of_memory(memories[contents.index(text)], said, relevance)
    speaker = chunk.speaker or own_speaker(
        chunk.content_type, chunk.source_url, chunk.metadata, chunk.title, chunk.file_name
    )
    if not is_user(speaker) and may_instruct(text):
        return None
    said_at = chunk.said_at or chunk.created_at
    return PromptStatement(
        chunk.document_id, "document", text, speaker, said_at, chunk.project_ref, chunk.title,
        relevance, _shared(text, said),
    )  # fmt: skip


def _of_memory(memory: Memory, said: str, relevance: float) -> PromptStatement | None:
    text = excerpt(memory.content, said, STATEMENT_CHARS)
    if not is_user(memory.speaker) and may_instruct(text):
        return None
    said_at = memory.said_at or memory.created_at
    return PromptStatement(
        memory.id, "memory", text, memory.speaker, said_at, memory.project_ref,
        memory.title or "", relevance, _shared(text, said),
    )  # fmt: skip


def _shared(text: str, said: str) -> tuple[str, ...]:
    return tuple(sorted(query_words(said).found_in(text)))


def _within_budget(found: Sequence[PromptStatement]) -> list[PromptStatement]:
    chosen: list[PromptStatement] = []
    tokens_left = TOKENS
    for item in found:
        tokens = estimate_tokens(item.content)
        is_repeated = item.content in {other.content for other in chosen}
        if len(chosen) < STATEMENTS and tokens <= tokens_left and not is_repeated:
            chosen.append(item)
            tokens_left -= tokens
    return chosen
