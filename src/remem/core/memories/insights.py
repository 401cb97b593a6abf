"""Keep what follows from several memories together, until somebody says whether it is so."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import Conflict, LimitExceeded
from remem.core.events.record import record
from remem.core.graph.link import companions_of_each, join
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
from remem.core.memories.rules.insight import CHARS_LIMIT, insights_among
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now

COMPANIONS = 8
PAIRS_AT_ONCE = 100
SURE = 0.6
# So many wait for a person's word in a project at most; nobody reads a hundred of them.
WAITING_LIMIT = 20


async def derive_insights(ports: Ports, scope: Scope, memories: Sequence[Memory]) -> int:
    """Insights that follow from one of these and one that mentions the same; says how many are
    new. None are looked for in a project where enough wait."""
    made = 0
    for project_id in {one.project_id for one in memories}:
        of_project = [one for one in memories if one.project_id == project_id]
        made += await _in_project(ports, scope, project_id, of_project)
    return made


async def _in_project(
    ports: Ports, scope: Scope, project_id: UUID, memories: Sequence[Memory]
) -> int:
    async with ports.db.transaction(scope) as tx:
        waiting = await store.count_waiting(tx, scope, project_id, "insight")
        if waiting >= WAITING_LIMIT:
            return 0
        near = await _near(tx, scope, project_id, memories)
        others = await read_many(tx, scope, list({id for ids in near.values() for id in ids}))
    pairs = _pairs(memories, near, others)
    made = 0
    for start in range(0, len(pairs), PAIRS_AT_ONCE):
        group = pairs[start : start + PAIRS_AT_ONCE]
        for pair, insight in zip(group, await _insights(ports, group), strict=True):
            if insight and waiting + made < WAITING_LIMIT:
                made += await _keep(ports, scope, pair, insight)
    return made


def _pairs(
    memories: Sequence[Memory], near: dict[UUID, list[UUID]], others: dict[UUID, Memory]
) -> list[tuple[Memory, Memory]]:
    """In both orders, each once; what only its speaker may say stays alone."""
    moment = now()
    fit = {
        id: one
        for id, one in others.items()
        if one.source != DERIVE and one.is_valid_at(moment) and not _is_somebodys(one)
    }
    found: dict[tuple[UUID, UUID], tuple[Memory, Memory]] = {}
    for memory in memories:
        if _is_somebodys(memory):
            continue
        for other in (fit[id] for id in near.get(memory.id, []) if id in fit):
            for one, two in ((memory, other), (other, memory)):
                if one.project_id == two.project_id:
                    found.setdefault((one.id, two.id), (one, two))
    return list(found.values())


async def _insights(ports: Ports, pairs: Sequence[tuple[Memory, Memory]]) -> list[str | None]:
    texts = list(dict.fromkeys(one.content for pair in pairs for one in pair))
    places = {text: place for place, text in enumerate(texts)}
    asked = [(places[one.content], places[two.content]) for one, two in pairs]
    found = await analyse(ports, [], insights_among, texts, asked)
    return found or [None] * len(pairs)


async def _near(
    tx: Tx, scope: Scope, project_id: UUID, memories: Sequence[Memory]
) -> dict[UUID, list[UUID]]:
    """For each, memories that mention the same, and those in which a name of it stands: a name
    that begins a sentence is not known for one by its capital."""
    links = await companions_of_each(tx, scope, [one.id for one in memories], COMPANIONS)
    names = {one.id: _names(one.content) for one in memories}
    terms = list({term for found in names.values() for term in found})
    owners = await texts_with(tx, scope, MEMORY, terms, project_id, COMPANIONS)
    near: dict[UUID, list[UUID]] = {}
    for memory in memories:
        found = [link.to_id for link in links.get(memory.id, [])]
        found += [id for term in names[memory.id] for id in owners.get(term, [])][: 2 * COMPANIONS]
        near[memory.id] = [id for id in dict.fromkeys(found) if id != memory.id]
    return near


def _names(content: str) -> list[str]:
    return list(dict.fromkeys(query_terms(" ".join(_capitalised(content)))))


def _capitalised(content: str) -> list[str]:
    """Words that may be names; the commonest of English are none."""
    found = [word for line in statements(content[:CHARS_LIMIT]) for word in words(line)]
    return [
        word.text
        for word in found
        if word.text[:1].isupper() and (word.named or not everyday_share(word.stem))
    ]


def _is_somebodys(memory: Memory) -> bool:
    """ "I" of two people is not one person."""
    return not is_user(memory.speaker) and depends_on_speaker(memory.content)


async def _keep(ports: Ports, scope: Scope, pair: Sequence[Memory], said: str) -> bool:
    try:
        saved = await save_memory(ports, scope, _draft(pair, said))
    except (Conflict, LimitExceeded):
        return False
    if saved.status == "duplicate":
        return False
    async with ports.db.transaction(scope) as tx:
        links = [Link(MEMORY, saved.memory.id, MEMORY, one.id, "derives") for one in pair]
        await join(tx, scope, links)
        sources = [str(one.id) for one in pair]
        await actions.insert(tx, scope, "derive", saved.memory.id, {"insight_of": sources})
        data = {"from": sources, "kind": "insight"}
        await record(tx, scope, MEMORY, saved.memory.id, "derive", data)
    return True


def _draft(pair: Sequence[Memory], said: str) -> MemoryDraft:
    ends = [one.valid_until for one in pair if one.valid_until]
    return MemoryDraft(
        content=said,
        category="insight",
        project=pair[0].project_id,
        context={"review": "pending"},
        confidence=round(SURE * min(one.confidence for one in pair), 4),
        evidence={"memory_ids": [str(one.id) for one in pair]},
        valid_until=min(ends) if ends else None,
        speaker=pair[0].speaker if pair[0].speaker == pair[1].speaker else None,
        said_at=max((one.said_at for one in pair if one.said_at), default=None),
        dates=(),
        source=DERIVE,
        stated_at=max(one.stated_at for one in pair),
        derived_from=pair[0].id,
    )
