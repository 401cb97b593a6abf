"""Find the memories a statement resembles, say what it is to each, and act on it."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from remem.core.analysis import analyse
from remem.core.db import Tx
from remem.core.errors import Unavailable
from remem.core.events.record import record
from remem.core.graph.link import join
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.judgements import UNSPOKEN, Action, Known, Relation, Saying
from remem.core.language.tokens import STOP_WORDS, terms
from remem.core.memories import store
from remem.core.memories.index_memory import retire
from remem.core.memories.model import Memory
from remem.core.memories.rules.headings import under_another_heading
from remem.core.memories.rules.relate import may_relate, of_same_matter, other_words
from remem.core.ports import Near, Ports, Vector
from remem.core.scope import Scope
from remem.core.text import shorten

CLOSE = 0.70
CLOSEST = 5
# Of those that are less close so many are read, if they share no word: those that do are found by
# their words.
LESS_CLOSE = 0.45
NEAREST = 3
# As many neighbours tell the cosine of those that are found by their words alone.
NEIGHBOURS = 20
BY_WORDS = 5
# What is of the same matter in other words is asked for by all of them, and read to be sure.
BY_MATTER = 20
# The words of a statement's beginning tell what it is about; more would only cost.
WORDS_FROM = 400

LINKS: dict[Action, RelationName] = {
    "update": "updates",
    "extend": "extends",
    "similar": "similar",
    "noop": "similar",
}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RelatedAhead:
    """What was said of the memories that were asked about."""

    asked: frozenset[UUID]
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class NewStatement:
    """What is to be related: its text and meaning, and when it was said; None is now.

    `own_id` is the memory it is kept as already, or is a part of: it is not related to that."""

    content: str
    vector: Vector | None
    stated_at: datetime | None = None
    own_id: UUID | None = None
    saying: Saying = UNSPOKEN

    def is_before(self, known: Known) -> bool:
        """Whether the other was said later. Of two that were said at once, the ids decide, and
        what is not kept yet is the later one."""
        if self.stated_at is None or known.stated_at is None:
            return False
        if self.stated_at == known.stated_at:
            return self.own_id is not None and self.own_id < known.id
        return self.stated_at < known.stated_at


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a statement is to the memories that are known, most telling first, and which of those
    that were said after it take its place."""

    relations: tuple[Relation, ...] = ()
    replaced_by: tuple[Relation, ...] = ()

    @property
    def duplicate_of(self) -> UUID | None:
        first = self.relations[0] if self.relations else None
        return first.target_id if first and first.action == "noop" else None


async def ask_model(
    ports: Ports, scope: Scope, project_id: UUID, statement: NewStatement
) -> RelatedAhead | None:
    """What a language model says of those that resemble the statement now; asked before the
    transaction that decides, because nobody else can save while that is open."""
    if not ports.judge.asks_model or statement.vector is None:
        return None
    async with ports.db.transaction(scope) as tx:
        known = await _similar(ports, tx, scope, project_id, statement)
    earlier = [one for one in known if not statement.is_before(one)]
    speaker = statement.saying.speaker
    said = await ports.judge.relate_ahead(statement.content, earlier, speaker)
    return None if said is None else RelatedAhead(frozenset(one.id for one in earlier), tuple(said))


async def judge(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    statement: NewStatement,
    ahead: RelatedAhead | None = None,
) -> Judgement:
    """Whatever order statements come in, the one that was said later takes the place of the one
    that was said before it. What was asked ahead counts where it was asked of all earlier ones."""
    known = await _similar(ports, tx, scope, project_id, statement)
    earlier = [one for one in known if not statement.is_before(one)]
    later = [one for one in known if statement.is_before(one)]
    to_earlier = await _to_earlier(ports, statement, earlier, ahead)
    to_later, replaced_by = await _to_later(ports, statement, later)
    again = {one.id for one in known if _happens_again(statement.saying, one)}
    found = [_as_similar(one, again) for one in (*to_earlier, *to_later)]
    relations = sorted(found, key=lambda one: one.action != "noop")
    return Judgement(tuple(relations), tuple(replaced_by))


def _happens_again(said: Saying, known: Known) -> bool:
    """ "I went for a run" of another day: where the words name no date, the time that was given
    with them tells the two apart."""
    given = ((said.occurred_at, known.occurred_at), (said.due_at, known.due_at))
    return not said.dates and any(mine and mine != theirs for mine, theirs in given)


def _as_similar(relation: Relation, again: Set[UUID]) -> Relation:
    if relation.action != "noop" or relation.target_id not in again:
        return relation
    return replace(relation, action="similar", reasons=(*relation.reasons, "of another time"))


async def _to_earlier(
    ports: Ports, statement: NewStatement, earlier: Sequence[Known], ahead: RelatedAhead | None
) -> list[Relation]:
    targets = {one.id for one in earlier}
    if not targets:
        return []
    if ahead and targets <= ahead.asked:
        return [one for one in ahead.relations if one.target_id in targets]
    return await ports.judge.relate(statement.content, earlier, statement.saying)


async def _to_later(
    ports: Ports, statement: NewStatement, later: Sequence[Known]
) -> tuple[list[Relation], list[Relation]]:
    """What it is to those that were said after it, and which of them replace it. It replaces none
    of them itself."""
    replaced_by = [
        replace(relation, target_id=one.id)
        for one in later
        for relation in await ports.judge.relate(
            one.content,
            [_as_known(statement, one)],
            Saying(one.speaker, one.dates, one.heading, one.stated_at),
        )
        if relation.action == "update"
    ]
    replacing = {one.target_id for one in replaced_by}
    relations = [
        replace(one, action="similar", reasons=(*one.reasons, "of an earlier day"))
        if one.action == "update"
        else one
        for one in await ports.judge.relate(statement.content, later, statement.saying)
        if one.target_id not in replacing
    ]
    return relations, replaced_by


def _as_known(statement: NewStatement, other: Known) -> Known:
    """A statement as one that is said later finds it."""
    moment = statement.stated_at or other.created_at
    return Known(
        id=statement.own_id or _NOBODY,
        content=statement.content,
        cosine=other.cosine,
        created_at=moment,
        valid_since=moment,
        stated_at=moment,
        speaker=statement.saying.speaker,
        dates=statement.saying.dates,
        heading=statement.saying.heading,
    )


_NOBODY = UUID(int=0)


async def _similar(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, statement: NewStatement
) -> list[Known]:
    near = await _near(ports, tx, scope, project_id, statement.vector)
    words = shorten(statement.content, WORDS_FROM)
    found_by_word = await match_words(tx, scope, MEMORY, words, [project_id], BY_WORDS + 1)
    farthest = near[-1].cosine if near else 0.0
    cosines = {one.id: one.cosine for one in near if one.id != statement.own_id}
    close = [id for id, cosine in cosines.items() if cosine > CLOSE][:CLOSEST]
    nearest = [id for id, cosine in cosines.items() if cosine > LESS_CLOSE][:NEAREST]
    by_words = [one.id for one in found_by_word.found if one.id != statement.own_id][:BY_WORDS]
    by_matter = await _in_other_words(ports, tx, scope, project_id, statement, list(cosines))
    ids = {*close, *by_words, *by_matter}
    found = {id: cosines.get(id, farthest) for id in (*ids, *nearest)}
    known = await store.known(tx, scope, found) if found else []
    known = [
        one
        for one in known
        if may_relate(statement.saying.speaker, one.speaker)
        and (one.id in ids or _share_no_word(one.content, words))
    ]
    return await _of_same_heading(ports, statement, known)


def _share_no_word(one: str, other: str) -> bool:
    return not (set(terms(one)) & set(terms(other))) - STOP_WORDS


async def _of_same_heading(
    ports: Ports, statement: NewStatement, known: Sequence[Known]
) -> list[Known]:
    """No judge is asked whether the dose of one medicine takes the place of another's."""
    heading = statement.saying.heading
    if not heading:
        return list(known)
    asked = (statement.content, heading, known)
    apart = await analyse(ports, [], under_another_heading, *asked)
    return [one for one in known if one.id not in apart]


async def _in_other_words(
    ports: Ports,
    tx: Tx,
    scope: Scope,
    project_id: UUID,
    statement: NewStatement,
    near: Sequence[UUID],
) -> list[UUID]:
    """ "I moved to Berlin" and "I live in Paris" share no word, and are not close in meaning."""
    speaker = statement.saying.speaker
    start = shorten(statement.content, WORDS_FROM)
    words = await analyse(ports, "", other_words, start, speaker)
    if not words:
        return []
    matched = await match_words(tx, scope, MEMORY, words, [project_id], BY_MATTER)
    ids = dict.fromkeys((*near, *(one.id for one in matched.found)))
    ids.pop(statement.own_id, None)  # type: ignore[arg-type]
    known = await store.known(tx, scope, dict.fromkeys(ids, 0.0))
    return await analyse(ports, [], of_same_matter, statement.content, known, speaker)


async def _near(
    ports: Ports, tx: Tx, scope: Scope, project_id: UUID, vector: Vector | None
) -> list[Near]:
    if vector is None:
        return []
    try:
        return await ports.vectors.search(
            tx, scope, ports.embedder.model, MEMORY, vector, [project_id], NEIGHBOURS
        )
    except Unavailable as error:
        log.warning("neighbours_unknown", error=error.code)
        return []


async def replaced_by(
    ports: Ports, tx: Tx, scope: Scope, relations: Sequence[Relation]
) -> list[Memory]:
    """Retire what a statement updates; the most telling comes first."""
    ids = [one.target_id for one in relations if one.action == "update"]
    old = await store.find_many(tx, scope, list(dict.fromkeys(ids))) if ids else []
    for memory in old:
        await retire(ports, tx, scope, memory)
    return old


async def keep_relations(
    tx: Tx,
    scope: Scope,
    memory: Memory,
    judgement: Judgement,
    replaced: Sequence[Memory] = (),
) -> None:
    """Link a memory to what it relates to, and tell those that were replaced."""
    newer = await store.find_many(tx, scope, [one.target_id for one in judgement.replaced_by])
    links = [_link(memory, one.target_id, one, memory.valid_since) for one in judgement.relations]
    for later, relation in zip(newer, judgement.replaced_by, strict=True):
        links.append(_link(later, memory.id, relation, later.stated_at))
    await join(tx, scope, links)
    for old in replaced:
        await record(tx, scope, MEMORY, old.id, "supersede", {"by": str(memory.id)})
    for later in newer[:1]:
        await record(tx, scope, MEMORY, memory.id, "supersede", {"by": str(later.id)})


def _link(memory: Memory, to_id: UUID, relation: Relation, valid_from: datetime) -> Link:
    return Link(
        from_kind=MEMORY,
        from_id=memory.id,
        to_kind=MEMORY,
        to_id=to_id,
        relation=LINKS[relation.action],
        confidence=min(max(relation.confidence, 0.0), 1.0),
        valid_from=valid_from,
    )


def describe_relations(relations: Sequence[Relation]) -> dict[str, Any]:
    """A decision as the audit trail keeps it."""
    return {
        "decision": relations[0].action if relations else "new",
        "relations": [
            {
                "action": one.action,
                "target_id": str(one.target_id),
                "confidence": round(one.confidence, 4),
                "reasons": list(one.reasons),
            }
            for one in relations
        ],
    }
