"""Derive insights from chains of three memories; they are hidden until a user accepts them."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.errors import Conflict
from remem.core.events.record import record
from remem.core.graph.link import add_links, companions_of_each, neighbours_of_each
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.index.match import texts_with
from remem.core.language.everyday import everyday_share
from remem.core.language.person import depends_on_speaker, is_external, is_user
from remem.core.language.tokens import query_terms
from remem.core.language.words import statements, words
from remem.core.memories import memory_store
from remem.core.memories.browse import read_many
from remem.core.memories.consolidation import consolidation_store
from remem.core.memories.model import DERIVE, Memory, MemoryDraft
from remem.core.memories.rules.insight import CHARS_LIMIT, find_chains
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from remem.core.transaction import Tx

COMPANIONS = 8
# How many memories are combined with each other at once.
POOL_LIMIT = 400
# The confidence of an insight, as a share of the lowest one of its memories.
INSIGHT_CONFIDENCE = 0.6
# The most insights that await review in a project; nobody reads a hundred of them.
WAITING_LIMIT = 20


async def derive_insights(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> int:
    """Derive insights from these memories and those that mention the same; returns how many are
    new. Projects where enough insights await review are skipped."""
    count = 0
    for project_id in {memory.project_id for memory in memories}:
        of_project = [memory for memory in memories if memory.project_id == project_id]
        count += await _derive_in_project(ports, scope, project_id, of_project)
    return count


async def _derive_in_project(
    ports: Ports, scope: Scope, project_id: UUID, memories: Sequence[Memory]
) -> int:
    async with ports.db.transaction(scope) as tx:
        waiting = await memory_store.count_waiting(tx, project_id, "insight")
        if waiting >= WAITING_LIMIT:
            return 0
        pool = await _find_pool(tx, project_id, memories)
    chains = await analyse(ports, [], find_chains, [memory.content for memory in pool])
    new_ids = {memory.id for memory in memories}
    count = 0
    for positions in chains:
        chain = [pool[position] for position in positions]
        if waiting + count < WAITING_LIMIT and new_ids & {memory.id for memory in chain}:
            count += await _save(ports, scope, chain)
    return count


async def _find_pool(tx: Tx, project_id: UUID, memories: Sequence[Memory]) -> list[Memory]:
    """The memories and their companions, up to two steps away, that are in force: valid now, not
    planned, not contradicted, and not said by somebody else about themselves."""
    pool = {memory.id: memory for memory in memories[:POOL_LIMIT]}
    frontier = list(pool.values())
    for _ in range(2):
        ids = [id for id in await _find_companions(tx, project_id, frontier) if id not in pool]
        frontier = await _read_shown(tx, ids[: POOL_LIMIT - len(pool)])
        pool |= {memory.id: memory for memory in frontier}
    contradicted = await neighbours_of_each(tx, MEMORY, list(pool), ["contradicts"])
    moment = now()
    return [
        memory
        for memory in pool.values()
        if memory.project_id == project_id
        and memory.source != DERIVE
        and memory.is_shown
        and memory.is_valid_at(moment)
        and memory.due_at is None
        and memory.id not in contradicted
        and not _depends_on_other_speaker(memory)
    ]


async def _read_shown(tx: Tx, ids: Sequence[UUID]) -> list[Memory]:
    return list((await read_many(tx, ids)).values()) if ids else []


async def _find_companions(tx: Tx, project_id: UUID, memories: Sequence[Memory]) -> list[UUID]:
    """The memories that mention the same entities, and those that contain one of the names.

    The second search is needed because a name that begins a sentence is not always recognised."""
    links = await companions_of_each(tx, [memory.id for memory in memories], COMPANIONS)
    terms = list({term for memory in memories for term in _names(memory.content)})
    owners = await texts_with(tx, MEMORY, terms, project_id, COMPANIONS)
    by_entity = (link.to_id for found in links.values() for link in found)
    by_name = (id for ids in owners.values() for id in ids)
    return list(dict.fromkeys((*by_entity, *by_name)))


def _names(content: str) -> list[str]:
    return list(dict.fromkeys(query_terms(" ".join(_capitalised(content)))))


def _capitalised(content: str) -> list[str]:
    """Capitalized words that may be names; common English words at the start of a sentence are
    not."""
    all_words = [word for line in statements(content[:CHARS_LIMIT]) for word in words(line)]
    return [
        word.text
        for word in all_words
        if word.text[:1].isupper() and (word.named or not everyday_share(word.stem))
    ]


def _depends_on_other_speaker(memory: Memory) -> bool:
    """Whether the memory has an "I" that is not the user."""
    return not is_user(memory.speaker) and depends_on_speaker(memory.content)


async def _save(ports: Ports, scope: Scope, chain: Sequence[Memory]) -> bool:
    try:
        saved = await save_memory(ports, scope, _draft(chain))
    except Conflict:
        return False
    if saved.status == "duplicate":
        return False
    async with ports.db.transaction(scope) as tx:
        links = [Link(MEMORY, saved.memory.id, MEMORY, memory.id, "derives") for memory in chain]
        await add_links(tx, links)
        sources = [str(memory.id) for memory in chain]
        await consolidation_store.insert(tx, "derive", saved.memory.id, {"insight_of": sources})
        data = {"from": sources, "kind": "insight"}
        await record(tx, MEMORY, saved.memory.id, "derive", data)
    return True


def _speaker(chain: Sequence[Memory]) -> str | None:
    """The user only if all of it is theirs; what a page or a file says before what people say."""
    others = [memory.speaker for memory in chain if not is_user(memory.speaker)]
    return max(others, key=is_external, default=None)


def _draft(chain: Sequence[Memory]) -> MemoryDraft:
    first = chain[0]
    expiries = [memory.valid_until for memory in chain if memory.valid_until]
    sentences = (memory.content.strip().rstrip(".!") for memory in chain)
    return MemoryDraft(
        content=". ".join(sentences) + ".",
        category="insight",
        project=first.project_id,
        context={"review": "pending"},
        confidence=round(INSIGHT_CONFIDENCE * min(memory.confidence for memory in chain), 4),
        evidence={"memory_ids": [str(memory.id) for memory in chain]},
        valid_until=min(expiries) if expiries else None,
        speaker=_speaker(chain),
        said_at=max((memory.said_at for memory in chain if memory.said_at), default=None),
        dates=(),
        source=DERIVE,
        hidden=True,
        stated_at=max(memory.stated_at for memory in chain),
        derived_from=first.id,
    )
