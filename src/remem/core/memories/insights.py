"""Derive insights from pairs of memories; they await review by a user."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import Conflict, LimitExceeded
from remem.core.events.record import record
from remem.core.graph.link import add_links, companions_of_each
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.index.match import texts_with
from remem.core.language.everyday import everyday_share
from remem.core.language.person import depends_on_speaker, is_user
from remem.core.language.tokens import query_terms
from remem.core.language.words import statements, words
from remem.core.memories import store
from remem.core.memories.browse import read_many
from remem.core.memories.consolidation import store as actions
from remem.core.memories.model import DERIVE, Memory, MemoryDraft
from remem.core.memories.rules.insight import CHARS_LIMIT, find_insights
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

COMPANIONS = 8
PAIRS_AT_ONCE = 100
# The confidence of an insight, as a share of the lower one of its memories.
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
        waiting = await store.count_waiting(tx, scope, project_id, "insight")
        if waiting >= WAITING_LIMIT:
            return 0
        companions = await _find_companions(tx, scope, project_id, memories)
        others = await read_many(tx, scope, list({id for ids in companions.values() for id in ids}))
    pairs = _pairs(memories, companions, others)
    count = 0
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        group = pairs[start : start + PAIRS_AT_ONCE]
        for pair, insight in zip(group, await _insights(ports, group), strict=True):
            if insight and waiting + count < WAITING_LIMIT:
                count += await _save(ports, scope, pair, insight)
    return count


def _pairs(
    memories: Sequence[Memory], companions: dict[UUID, list[UUID]], others: dict[UUID, Memory]
) -> list[tuple[Memory, Memory]]:
    """The pairs to combine, in both orders, each once; without memories whose "I" is somebody
    else."""
    moment = now()
    usable = {
        id: other
        for id, other in others.items()
        if other.source != DERIVE
        and other.is_valid_at(moment)
        and not _depends_on_other_speaker(other)
    }
    pairs: dict[tuple[UUID, UUID], tuple[Memory, Memory]] = {}
    for memory in memories:
        if _depends_on_other_speaker(memory):
            continue
        for other in (usable[id] for id in companions.get(memory.id, []) if id in usable):
            for first, second in ((memory, other), (other, memory)):
                if first.project_id == second.project_id:
                    pairs.setdefault((first.id, second.id), (first, second))
    return list(pairs.values())


async def _insights(ports: Ports, pairs: Sequence[tuple[Memory, Memory]]) -> list[str | None]:
    texts = list(dict.fromkeys(memory.content for pair in pairs for memory in pair))
    positions = {text: position for position, text in enumerate(texts)}
    index_pairs = [(positions[first.content], positions[second.content]) for first, second in pairs]
    insights = await analyse(ports, [], find_insights, texts, index_pairs)
    return insights or [None] * len(pairs)


async def _find_companions(
    tx: Tx, scope: Scope, project_id: UUID, memories: Sequence[Memory]
) -> dict[UUID, list[UUID]]:
    """For each memory, those that mention the same entity, and those that contain one of its names.

    The second search is needed because a name that begins a sentence is not always recognised."""
    links = await companions_of_each(tx, scope, [memory.id for memory in memories], COMPANIONS)
    names = {memory.id: _names(memory.content) for memory in memories}
    terms = list({term for memory_names in names.values() for term in memory_names})
    owners = await texts_with(tx, scope, MEMORY, terms, project_id, COMPANIONS)
    companions: dict[UUID, list[UUID]] = {}
    for memory in memories:
        ids = [link.to_id for link in links.get(memory.id, [])]
        ids += [id for term in names[memory.id] for id in owners.get(term, [])][: 2 * COMPANIONS]
        companions[memory.id] = [id for id in dict.fromkeys(ids) if id != memory.id]
    return companions


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


async def _save(ports: Ports, scope: Scope, pair: Sequence[Memory], content: str) -> bool:
    try:
        saved = await save_memory(ports, scope, _draft(pair, content))
    except (Conflict, LimitExceeded):
        return False
    if saved.status == "duplicate":
        return False
    async with ports.db.transaction(scope) as tx:
        links = [Link(MEMORY, saved.memory.id, MEMORY, memory.id, "derives") for memory in pair]
        await add_links(tx, scope, links)
        sources = [str(memory.id) for memory in pair]
        await actions.insert(tx, scope, "derive", saved.memory.id, {"insight_of": sources})
        data = {"from": sources, "kind": "insight"}
        await record(tx, scope, MEMORY, saved.memory.id, "derive", data)
    return True


def _draft(pair: Sequence[Memory], content: str) -> MemoryDraft:
    expiries = [memory.valid_until for memory in pair if memory.valid_until]
    return MemoryDraft(
        content=content,
        category="insight",
        project=pair[0].project_id,
        context={"review": "pending"},
        confidence=round(INSIGHT_CONFIDENCE * min(memory.confidence for memory in pair), 4),
        evidence={"memory_ids": [str(memory.id) for memory in pair]},
        valid_until=min(expiries) if expiries else None,
        speaker=pair[0].speaker if pair[0].speaker == pair[1].speaker else None,
        said_at=max((memory.said_at for memory in pair if memory.said_at), default=None),
        dates=(),
        source=DERIVE,
        stated_at=max(memory.stated_at for memory in pair),
        derived_from=pair[0].id,
    )
