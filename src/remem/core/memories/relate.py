"""Find the memories that a statement resembles, judge how it relates to each, and act on it.

`rules/relate.py` has the rules."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog

from remem.core.analysis import analyse
from remem.core.errors import Unavailable
from remem.core.events.record import record
from remem.core.graph.link import add_links
from remem.core.graph.model import Link, RelationName
from remem.core.index.kinds import MEMORY
from remem.core.index.match import match_words
from remem.core.judgements import (
    MAY_REPLACE,
    NO_CONTEXT,
    Action,
    KnownMemory,
    Relation,
    StatementContext,
)
from remem.core.language.tokens import STOP_WORDS, terms
from remem.core.memories import memory_store
from remem.core.memories.index_memory import retire
from remem.core.memories.model import Memory
from remem.core.memories.rules.headings import ids_under_different_heading
from remem.core.memories.rules.relate import (
    alternative_words,
    ids_with_same_slot,
    keep_others,
    speakers_may_relate,
)
from remem.core.ports import ModelVector, Near, Ports
from remem.core.scope import Scope
from remem.core.text import shorten
from remem.core.transaction import Tx

# Memories above this cosine are candidates, at most `MAX_CLOSE` of them.
CLOSE_COSINE = 0.70
MAX_CLOSE = 5
# The language model is asked about the first ones.
MAX_ASKED = 5
# Below that, so many are candidates if they share no word with the statement. Those that share
# words are found by word search.
LESS_CLOSE_COSINE = 0.45
MAX_LESS_CLOSE = 3
# The reader is asked about so many memories above this, whatever words they share.
READ_COSINE, MAX_READ = 0.25, 6
# How many neighbours are fetched, so that the cosine of memories found by word is known.
NEIGHBOURS = 20
MAX_BY_WORD = 5
# How many matches of a search with alternative words are checked for the same slot.
MAX_BY_SLOT = 20
# Word search uses only the beginning of a statement; more would be slower and no better.
SEARCH_CHARS = 400

RELATION_NAMES: dict[Action, RelationName] = {
    "update": "updates",
    "extend": "extends",
    "similar": "similar",
    "noop": "similar",
}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RelatedAhead:
    """The model's relations to the memories `asked`, judged before the transaction."""

    asked: frozenset[UUID] = frozenset()
    relations: tuple[Relation, ...] = ()


NOT_ASKED = RelatedAhead()


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A statement to relate: its text, its vector, and when it was stated; None is now.

    `own_id` is the memory that already stores it or contains it; it is not related to that one."""

    content: str
    vector: ModelVector | None
    stated_at: datetime | None = None
    own_id: UUID | None = None
    context: StatementContext = NO_CONTEXT

    def is_before(self, known: KnownMemory) -> bool:
        """Whether the known memory was stated later.

        The ids decide between two of the same moment; a statement without an id is later."""
        if self.stated_at is None or known.stated_at is None:
            return False
        if self.stated_at == known.stated_at:
            return self.own_id is not None and self.own_id < known.id
        return self.stated_at < known.stated_at


@dataclass(frozen=True, slots=True)
class Judgement:
    """The relations of a statement to known memories, strongest first, and those later memories
    that replace it."""

    relations: tuple[Relation, ...] = ()
    replaced_by: tuple[Relation, ...] = ()

    @property
    def duplicate_of(self) -> UUID | None:
        first = self.relations[0] if self.relations else None
        return first.target_id if first and first.action == "noop" else None


async def relate_with_model(
    ports: Ports, scope: Scope, project_id: UUID, statement: NewStatement
) -> RelatedAhead:
    """Ask the language model how a statement relates to the memories it resembles.

    Runs before the transaction that decides, because that one blocks all other saves of the
    project."""
    if not ports.judge.asks_model or statement.vector is None:
        return NOT_ASKED
    async with ports.db.transaction(scope) as tx:
        known = await _find_candidates(ports, tx, project_id, statement)
    asked = [replace(memory, is_later=statement.is_before(memory)) for memory in known[:MAX_ASKED]]
    speaker = statement.context.speaker
    relations = await ports.judge.relate_ahead(statement.content, asked, speaker)
    checked = relations and await analyse(
        ports, None, keep_others, statement.content, asked, relations
    )
    if checked is None:
        return NOT_ASKED
    return RelatedAhead(frozenset(memory.id for memory in asked), tuple(checked))


async def judge(
    ports: Ports, tx: Tx, project_id: UUID, statement: NewStatement, ahead: RelatedAhead = NOT_ASKED
) -> Judgement:
    """Judge a statement; the later stated of two replaces the earlier, in whatever order they are
    saved.

    Rules judge what the model was not asked about, or did not answer. They replace nothing then:
    both are kept until a model has read them."""
    known = await _find_candidates(ports, tx, project_id, statement)
    by_model = _relations_by_model(statement, known, ahead)
    others = [memory for memory in known if memory.id not in ahead.asked]
    if ports.judge.asks_model:
        relations = await ports.judge.relate(statement.content, others, statement.context)
        by_rules = Judgement(_as_similar(relations, "no answer of the model"))
    else:
        by_rules = await _relate_by_rules(ports, statement, others)
    repeated = {memory.id for memory in known if _is_repeated_event(statement.context, memory)}
    relations = [
        _weaken_duplicate(relation, repeated)
        for relation in (*by_model.relations, *by_rules.relations)
    ]
    relations.sort(key=lambda relation: relation.action != "noop")
    return Judgement(tuple(relations), (*by_model.replaced_by, *by_rules.replaced_by))


def _relations_by_model(
    statement: NewStatement, known: Sequence[KnownMemory], ahead: RelatedAhead
) -> Judgement:
    """What the model said about memories that are still candidates."""
    is_later = {memory.id: statement.is_before(memory) for memory in known}
    relations = [relation for relation in ahead.relations if relation.target_id in is_later]
    replaced_by = [
        relation
        for relation in relations
        if relation.action == "update" and is_later[relation.target_id]
    ]
    return Judgement(
        tuple(relation for relation in relations if relation not in replaced_by),
        tuple(replaced_by),
    )


def _is_repeated_event(context: StatementContext, known: KnownMemory) -> bool:
    """Whether the same event happened at another time: "I went for a run" on another day.

    Compares the times that were sent with the statement, if its text names no date."""
    times = ((context.occurred_at, known.occurred_at), (context.due_at, known.due_at))
    return not context.dates and any(new and new != old for new, old in times)


def _weaken_duplicate(relation: Relation, repeated: Set[UUID]) -> Relation:
    """`similar` instead of `noop` for a repeated event, so that both are stored."""
    if relation.action != "noop" or relation.target_id not in repeated:
        return relation
    return replace(relation, action="similar", reasons=(*relation.reasons, "at another time"))


def _as_similar(relations: Sequence[Relation], reason: str) -> tuple[Relation, ...]:
    """`similar` instead of `update`, so that both are kept."""
    return tuple(
        replace(relation, action="similar", reasons=(*relation.reasons, reason))
        if relation.action == "update"
        else relation
        for relation in relations
    )


async def _relate_by_rules(
    ports: Ports, statement: NewStatement, known: Sequence[KnownMemory]
) -> Judgement:
    """The statement replaces no memory that was stated later, but may be replaced by it."""
    earlier = [memory for memory in known if not statement.is_before(memory)]
    later = [memory for memory in known if statement.is_before(memory)]
    replaced_by = [
        replace(relation, target_id=memory.id)
        for memory in later
        for relation in await ports.judge.relate(
            memory.content,
            [_as_known_memory(statement, memory)],
            StatementContext(memory.speaker, memory.dates, memory.heading, memory.stated_at),
        )
        if relation.action == "update"
    ]
    replacing = {relation.target_id for relation in replaced_by}
    others = [memory for memory in later if memory.id not in replacing]
    relate = ports.judge.relate
    to_earlier = await relate(statement.content, earlier, statement.context)
    to_later = await relate(statement.content, others, statement.context)
    return Judgement((*to_earlier, *_as_similar(to_later, "stated earlier")), tuple(replaced_by))


def _as_known_memory(statement: NewStatement, other: KnownMemory) -> KnownMemory:
    """The statement as a known memory, to relate a later one to it."""
    moment = statement.stated_at or other.created_at
    return KnownMemory(
        id=statement.own_id or _NO_ID,
        content=statement.content,
        cosine=other.cosine,
        created_at=moment,
        valid_since=moment,
        stated_at=moment,
        speaker=statement.context.speaker,
        dates=statement.context.dates,
        heading=statement.context.heading,
    )


_NO_ID = UUID(int=0)


async def _find_candidates(
    ports: Ports, tx: Tx, project_id: UUID, statement: NewStatement
) -> list[KnownMemory]:
    """The memories that the statement is compared with: those with the same slot, then those close
    in meaning or sharing words, nearest first."""
    near = await _find_neighbours(ports, tx, project_id, statement.vector)
    query = shorten(statement.content, SEARCH_CHARS)
    word_matches = await match_words(tx, MEMORY, query, [project_id], MAX_BY_WORD + 1)
    farthest = near[-1].cosine if near else 0.0
    cosines = {
        neighbour.id: neighbour.cosine for neighbour in near if neighbour.id != statement.own_id
    }
    close = [id for id, cosine in cosines.items() if cosine > CLOSE_COSINE][:MAX_CLOSE]
    has_reader = ports.reader is not None
    least, most = (READ_COSINE, MAX_READ) if has_reader else (LESS_CLOSE_COSINE, MAX_LESS_CLOSE)
    less_close = [id for id, cosine in cosines.items() if cosine > least][:most]
    by_word = [match.id for match in word_matches.matches if match.id != statement.own_id][
        :MAX_BY_WORD
    ]
    by_slot = await _find_by_slot(ports, tx, project_id, statement, list(cosines))
    ids = {*close, *by_word, *by_slot}
    candidates = {id: cosines.get(id, farthest) for id in (*ids, *less_close)}
    known = await memory_store.find_known(tx, candidates) if candidates else []
    known = [
        memory
        for memory in known
        if speakers_may_relate(statement.context.speaker, memory.speaker)
        and (has_reader or memory.id in ids or _share_no_word(memory.content, query))
    ]
    known.sort(key=lambda memory: (memory.id not in by_slot, -memory.cosine))
    return await _without_other_headings(ports, statement, known)


def _share_no_word(first: str, second: str) -> bool:
    return not (set(terms(first)) & set(terms(second))) - STOP_WORDS


async def _without_other_headings(
    ports: Ports, statement: NewStatement, known: Sequence[KnownMemory]
) -> list[KnownMemory]:
    """Leave out memories under another heading: one medicine's dose never updates another's."""
    heading = statement.context.heading
    if not heading:
        return list(known)
    arguments = (statement.content, heading, known)
    excluded = await analyse(ports, [], ids_under_different_heading, *arguments)
    return [memory for memory in known if memory.id not in excluded]


async def _find_by_slot(
    ports: Ports, tx: Tx, project_id: UUID, statement: NewStatement, neighbour_ids: Sequence[UUID]
) -> list[UUID]:
    """Memories with the same slot, found by other words.

    "I moved to Berlin" and "I live in Paris" share no word and are not close in meaning."""
    speaker = statement.context.speaker
    start = shorten(statement.content, SEARCH_CHARS)
    words = await analyse(ports, "", alternative_words, start, speaker)
    if not words:
        return []
    matched = await match_words(tx, MEMORY, words, [project_id], MAX_BY_SLOT)
    ids = dict.fromkeys((*neighbour_ids, *(match.id for match in matched.matches)))
    ids.pop(statement.own_id, None)  # type: ignore[arg-type]
    known = await memory_store.find_known(tx, dict.fromkeys(ids, 0.0))
    return await analyse(ports, [], ids_with_same_slot, statement.content, known, speaker)


async def _find_neighbours(
    ports: Ports, tx: Tx, project_id: UUID, vector: ModelVector | None
) -> list[Near]:
    if vector is None:
        return []
    try:
        return await ports.vectors.search(
            tx, vector.model, MEMORY, vector.values, [project_id], NEIGHBOURS
        )
    except Unavailable as error:
        log.warning("neighbours_unknown", error=error.code)
        return []


async def retire_replaced(ports: Ports, tx: Tx, relations: Sequence[Relation]) -> list[Memory]:
    """Retire the memories that a statement updates; returns them, strongest relation first."""
    ids = [relation.target_id for relation in relations if relation.action == "update"]
    old = await memory_store.find_many(tx, list(dict.fromkeys(ids))) if ids else []
    for memory in old:
        await retire(ports, tx, memory)
    return old


async def store_relations(
    tx: Tx, memory: Memory, judgement: Judgement, replaced: Sequence[Memory] = ()
) -> None:
    """Link a memory to those it relates to, and record the replacements in the audit trail."""
    newer = await memory_store.find_many(
        tx, [relation.target_id for relation in judgement.replaced_by]
    )
    links = [
        _link(memory, relation.target_id, relation, memory.valid_since)
        for relation in judgement.relations
    ]
    for later, relation in zip(newer, judgement.replaced_by, strict=True):
        links.append(_link(later, memory.id, relation, later.stated_at))
    await add_links(tx, links)
    for old in replaced:
        await record(tx, MEMORY, old.id, "supersede", {"by": str(memory.id)})
    for later in newer[:1]:
        await record(tx, MEMORY, memory.id, "supersede", {"by": str(later.id)})


def _link(memory: Memory, to_id: UUID, relation: Relation, valid_from: datetime) -> Link:
    return Link(
        from_kind=MEMORY,
        from_id=memory.id,
        to_kind=MEMORY,
        to_id=to_id,
        relation=_relation_name(relation),
        confidence=min(max(relation.confidence, 0.0), 1.0),
        valid_from=valid_from,
    )


def _relation_name(relation: Relation) -> RelationName:
    return "contradicts" if MAY_REPLACE in relation.reasons else RELATION_NAMES[relation.action]


def describe_relations(relations: Sequence[Relation]) -> dict[str, Any]:
    """The decision as JSON for the audit trail."""
    return {
        "decision": relations[0].action if relations else "new",
        "relations": [
            {
                "action": relation.action,
                "target_id": str(relation.target_id),
                "confidence": round(relation.confidence, 4),
                "reasons": list(relation.reasons),
            }
            for relation in relations
        ],
    }
