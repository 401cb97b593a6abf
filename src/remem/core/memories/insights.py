"""Keep what follows from several memories together, until somebody says whether it is so."""

from collections.abc import Sequence
from uuid import UUID

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import Conflict, LimitExceeded
from remem.core.events.record import record
from remem.core.graph.link import companions_of, join
from remem.core.graph.model import Link
from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.language.everyday import everyday_share
from remem.core.language.person import depends_on_speaker, is_user
from remem.core.language.words import statements, words
from remem.core.memories import store
from remem.core.memories.browse import find_shown
from remem.core.memories.model import DERIVE, Memory, MemoryDraft
from remem.core.memories.rules.insight import CHARS_LIMIT, insights_of
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope

COMPANIONS = 8
SURE = 0.6
# So many wait for a person's word in a project at most; nobody reads a hundred of them.
WAITING_LIMIT = 20


async def derive_insights(ports: Ports, scope: Scope, id: UUID) -> int:
    """Insights that follow from a memory and one that mentions the same; says how many are new."""
    async with ports.db.transaction(scope) as tx:
        found = await find_shown(tx, scope, [id])
        if not found or found[0].source == DERIVE:
            return 0
        others = await find_shown(tx, scope, await _near(tx, scope, found[0]))
        if await store.count_waiting(tx, scope, found[0].project_id, "insight") >= WAITING_LIMIT:
            return 0
    memory = found[0]
    pairs = [
        pair
        for other in others
        if other.source != DERIVE and other.project_id == memory.project_id
        for pair in ((memory, other), (other, memory))
        if not any(_is_somebodys(one) for one in pair)
    ]
    texts = [(first.content, second.content) for first, second in pairs]
    said = await analyse(ports, [], insights_of, texts) if texts else []
    made = 0
    for pair, insight in zip(pairs, said, strict=False):
        made += bool(insight) and await _keep(ports, scope, pair, insight or "")
    return made


async def _near(tx: Tx, scope: Scope, memory: Memory) -> list[UUID]:
    """Memories that mention the same, and those in which a name of this one stands: a name that
    begins a sentence is not known for one by its capital."""
    links = await companions_of(tx, scope, [memory.id])
    near = [link.to_id for link in links[:COMPANIONS]]
    names = _capitalised(memory.content)
    if names:
        query = " ".join(names)
        found = await match_words(tx, scope, MEMORY, query, [memory.project_id], 2 * COMPANIONS)
        near += [match.id for match in found.found[:COMPANIONS]]
    return [id for id in dict.fromkeys(near) if id != memory.id]


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
        data = {"from": [str(one.id) for one in pair], "kind": "insight"}
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
