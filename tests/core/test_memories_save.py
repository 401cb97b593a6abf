"""Saving a memory: each decision, immediate and deferred, plan limits, concurrent saves, errors."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

import pytest

from remem.core.errors import Invalid, LimitExceeded, NotFound, Unavailable
from remem.core.identity.plans import PLANS, get_subscription
from remem.core.judgements import Action, KnownMemory, Relation
from remem.core.judges import by_rules as judging
from remem.core.judges.by_rules import RulesJudge
from remem.core.memories.browse import get_memory
from remem.core.memories.forget import erase_memory, forget_memory
from remem.core.memories.model import MemoryDraft, SavedMemory
from remem.core.memories.process import relate_memory
from remem.core.memories.related import related_memories
from remem.core.memories.save import save_memory
from remem.core.ports import Near, Ports
from remem.core.projects.manage import delete_project
from remem.core.scope import Scope
from remem.core.time import new_id, now
from tests.core.memories import (
    contents,
    count,
    events,
    get_memory_after_jobs,
    match_by_meaning,
    match_by_word,
    relate_by_first_word,
    save,
    save_deferred,
    set_limit,
)
from tests.core.test_documents import with_answers

pytestmark = pytest.mark.anyio

Decide: TypeAlias = Callable[..., None]


@pytest.fixture
def decide(monkeypatch: pytest.MonkeyPatch) -> Iterator[Decide]:
    """Set the answers of the classifier: an action for each known memory, by its first word."""

    def decide(**actions: Action) -> None:
        monkeypatch.setattr(judging, "relate", relate_by_first_word(**actions))

    decide()
    yield decide


async def generation(ports: Ports, scope: Scope) -> int:
    async with ports.db.transaction(scope) as tx:
        return await tx.system.fetchval("SELECT generation FROM projects WHERE is_default")


# Each decision


async def test_a_new_statement_is_saved_and_found(ports: Ports, scope: Scope) -> None:
    saved = await save(ports, scope, "The deploy runs every night at two.", title="Nightly")
    assert (saved.status, saved.superseded, saved.job_id) == ("saved", (), None)
    assert await match_by_word(ports, scope, "deploy") == [saved.memory.id]
    assert await match_by_word(ports, scope, "nightly") == [saved.memory.id]
    assert await match_by_meaning(ports, scope, "when is it released?") == [saved.memory.id]
    assert await events(ports, scope, saved.memory.id) == [
        ("create", {"decision": "new", "relations": [], "given": ["title"]})
    ]


async def test_update_supersedes_the_old_one(ports: Ports, scope: Scope, decide: Decide) -> None:
    old = await save(ports, scope, "Postgres is our database.")
    decide(Postgres="update")
    new = await save(ports, scope, "SQLite is our database.")
    assert (new.status, new.superseded) == ("updated", (old.memory.id,))
    assert (new.memory.version, new.memory.root_id) == (2, old.memory.id)
    assert new.memory.supersedes_id == old.memory.id
    replaced = await get_memory(ports, scope, old.memory.id)
    assert (replaced.is_current, replaced.state, replaced.embedded_with) == (
        False,
        "superseded",
        None,
    )
    assert await contents(ports, scope) == ["SQLite is our database."]
    assert await match_by_word(ports, scope, "postgres database") == [new.memory.id]
    assert await match_by_meaning(ports, scope, "database") == [new.memory.id]
    (link,) = await related_memories(ports, scope, new.memory.id)
    assert (link.memory.id, link.link.relation) == (old.memory.id, "updates")
    recorded = dict(await events(ports, scope, new.memory.id))
    relation = {
        "action": "update",
        "target_id": str(old.memory.id),
        "confidence": 0.9,
        "reasons": ["told"],
    }
    assert recorded["update"] == {"decision": "update", "relations": [relation], "given": []}
    assert recorded["supersede"] == {"by": str(new.memory.id)}


async def test_several_updates_supersede_all_and_continue_the_best(
    ports: Ports, scope: Scope, decide: Decide
) -> None:
    first = await save(ports, scope, "Postgres is our database.")
    second = await save(ports, scope, "MySQL is our database.")
    decide(MySQL="update", Postgres="update")
    new = await save(ports, scope, "SQLite is our database.")
    assert new.superseded == (second.memory.id, first.memory.id)
    assert new.memory.root_id == second.memory.id
    assert await contents(ports, scope) == ["SQLite is our database."]
    related = await related_memories(ports, scope, new.memory.id)
    assert {(item.memory.id, item.link.relation, item.memory.state) for item in related} == {
        (first.memory.id, "updates", "superseded"),
        (second.memory.id, "updates", "superseded"),
    }
    assert await match_by_meaning(ports, scope, "database") == [new.memory.id]


@pytest.mark.parametrize(
    ("action", "status", "relation"),
    [("extend", "extended", "extends"), ("similar", "saved", "similar")],
)
async def test_extend_and_similar_keep_both_and_link_them(
    ports: Ports, scope: Scope, decide: Decide, action: Action, status: str, relation: str
) -> None:
    old = await save(ports, scope, "Postgres is our database.")
    decide(Postgres=action)
    new = await save(ports, scope, "Our database is kept in Frankfurt.")
    assert (new.status, new.superseded) == (status, ())
    assert len(await contents(ports, scope)) == 2
    (link,) = await related_memories(ports, scope, old.memory.id)
    assert (link.memory.id, link.link.relation) == (new.memory.id, relation)


async def test_noop_stores_nothing_and_gives_the_existing_one(
    ports: Ports, scope: Scope, decide: Decide
) -> None:
    old = await save(ports, scope, "Postgres is our database.")
    before = await generation(ports, scope)
    decide(Postgres="noop")
    again = await save(ports, scope, "Our database is Postgres.")
    assert (again.status, again.memory.id) == ("duplicate", old.memory.id)
    assert again.relations[0].reasons == ("told",)
    for table in ("memories", "embeddings", "events"):
        assert await count(ports, scope, table) == 1, table
    assert await generation(ports, scope) == before


async def test_a_paraphrase_below_the_threshold_is_compared_for_its_words(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[KnownMemory] = []

    def relate(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
        seen.extend(known)
        return []

    await save(ports, scope, "Ada lives in Berlin near the old airport with her two cats.")
    monkeypatch.setattr(judging, "relate", relate)
    await save(ports, scope, "In March Ada moved house.")
    assert [memory.content[:20] for memory in seen] == ["Ada lives in Berlin "]
    assert seen[0].cosine < 0.7


async def test_projects_do_not_affect_each_other(
    ports: Ports, scope: Scope, decide: Decide
) -> None:
    decide(Postgres="update")
    for project in ("one", "two"):
        saved = await save(
            ports, scope, "Postgres is our database.", project=project, create_project=True
        )
        assert saved.status == "saved"
    assert len(await contents(ports, scope)) == 2


def without_reader(ports: Ports) -> Ports:
    return replace(ports, reader=None, judge=RulesJudge(ports.analysis))


async def test_a_classifier_that_fails_keeps_both(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def relate(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
        raise ZeroDivisionError

    ports = without_reader(ports)
    await save(ports, scope, "The database is Postgres.")
    monkeypatch.setattr(judging, "relate", relate)
    saved = await save(ports, scope, "The database is PostgreSQL.")
    assert saved.status == "saved"
    assert [relation.action for relation in saved.relations] == ["similar"]
    assert len(await contents(ports, scope)) == 2


async def test_a_relation_to_an_unknown_memory_is_ignored(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def relate(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
        return [Relation("update", new_id(), 1.0, ())]

    ports = without_reader(ports)
    await save(ports, scope, "The database is Postgres.")
    monkeypatch.setattr(judging, "relate", relate)
    assert (await save(ports, scope, "The database is PostgreSQL.")).status == "saved"


async def test_an_expired_memory_is_updated_when_it_is_said_again(
    ports: Ports, scope: Scope
) -> None:
    past = now() - timedelta(days=1)
    old = await save(ports, scope, "The code freeze is on.", valid_until=past)
    assert await contents(ports, scope) == []
    new = await save(ports, scope, "The code freeze is on.")
    assert (new.status, new.superseded) == ("updated", (old.memory.id,))
    assert await contents(ports, scope) == ["The code freeze is on."]
    again = await save(ports, scope, "The code freeze is on.", valid_until=past)
    assert again.status == "duplicate"


async def test_every_write_raises_the_generation(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "First of all.")
    before = await generation(ports, scope)
    await save(ports, scope, "Something else entirely.")
    assert await generation(ports, scope) == before + 1


# Concurrent saves


async def test_twenty_identical_saves_at_once_make_one_memory(ports: Ports, scope: Scope) -> None:
    saved = await asyncio.gather(
        *(save(ports, scope, "Everybody saves this now.") for _ in range(20))
    )
    assert len({result.memory.id for result in saved}) == 1
    assert sorted(result.status for result in saved) == ["duplicate"] * 19 + ["saved"]
    for table in ("memories", "embeddings"):
        assert await count(ports, scope, table) == 1, table
    assert (await get_subscription(ports, scope)).memory_count == 1


async def test_concurrent_updates_make_one_chain(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    def relate(content: str, known: Sequence[KnownMemory], *_: object) -> list[Relation]:
        return [Relation("update", memory.id, 1.0, ()) for memory in known]

    monkeypatch.setattr(judging, "relate", relate)
    await asyncio.gather(*(save(ports, scope, f"The version is {n}.") for n in range(10)))
    assert len(await contents(ports, scope)) == 1
    async with ports.db.transaction(scope) as tx:
        versions = await tx.system.fetch("SELECT version, root_id FROM memories ORDER BY version")
    assert [row["version"] for row in versions] == list(range(1, 11))
    assert len({row["root_id"] for row in versions}) == 1


@pytest.mark.parametrize("limit", [0, 7])
async def test_fifty_saves_at_once_stop_at_the_limit(
    ports: Ports, scope: Scope, decide: Decide, limit: int
) -> None:
    await set_limit(ports, scope, limit)
    saves = [save(ports, scope, f"word{n}x the statement") for n in range(50)]
    results = await asyncio.gather(*saves, return_exceptions=True)
    refused = [result for result in results if isinstance(result, LimitExceeded)]
    assert len(refused) == 50 - limit
    assert refused[0].details == {"count": limit, "limit": limit}
    assert await count(ports, scope, "memories") == limit
    assert (await get_subscription(ports, scope)).memory_count == limit


# Plan limits


@pytest.mark.parametrize("plan", PLANS)
async def test_a_plan_has_its_limit(ports: Ports, scope: Scope, plan: str) -> None:
    async with ports.db.transaction(scope) as tx:
        await tx.system.execute("UPDATE subscriptions SET plan = $1", plan)
    subscription = await get_subscription(ports, scope)
    assert (subscription.plan, subscription.memory_limit) == (plan, PLANS[plan])


async def test_a_duplicate_does_not_count_against_the_limit(ports: Ports, scope: Scope) -> None:
    await set_limit(ports, scope, 1)
    await save(ports, scope, "The only one.")
    assert (await save(ports, scope, "The only one.")).status == "duplicate"
    with pytest.raises(LimitExceeded):
        await save(ports, scope, "One too many.")


async def test_a_duplicate_adds_its_tags(ports: Ports, scope: Scope) -> None:
    await save(ports, scope, "The only one.", tags=["Home"])
    again = await save(ports, scope, "The only one.", tags=["home", "door"])
    assert (again.status, again.memory.tags) == ("duplicate", ["Home", "door"])
    assert (await save(ports, scope, "The only one.")).memory.tags == ["Home", "door"]


async def test_deleting_a_project_uncounts_its_memories(ports: Ports, scope: Scope) -> None:
    for content in ("Ada drinks tea.", "The sky was green on Tuesday."):
        await save(ports, scope, content, project="gone", create_project=True)
    await save(ports, scope, "This one stays.")
    await delete_project(ports, scope, "gone")
    assert (await get_subscription(ports, scope)).memory_count == 1
    assert await count(ports, scope, "memories") == 1
    assert await count(ports, scope, "embeddings") == 1


async def test_saves_during_the_deletion_of_their_project_leave_no_postings(
    ports: Ports, scope: Scope, decide: Decide
) -> None:
    ports = without_reader(ports)
    for turn in range(5):
        fields = {"project": f"gone{turn}", "create_project": True}
        await save(ports, scope, "It begins.", **fields)
        saves = [save(ports, scope, f"word{n}x of many", **fields) for n in range(6)]
        results = await asyncio.gather(
            *saves[:3], delete_project(ports, scope, f"gone{turn}"), *saves[3:],
            return_exceptions=True,
        )  # fmt: skip
        assert {type(result) for result in results} <= {SavedMemory, NotFound, type(None)}
    async with ports.db.transaction(scope) as tx:
        orphans = await tx.system.fetchval(
            "SELECT count(*) FROM postings WHERE owner_id NOT IN (SELECT id FROM memories)"
        )
        memory_count = await tx.system.fetchval("SELECT count(*) FROM memories")
    assert orphans == 0
    assert (await get_subscription(ports, scope)).memory_count == memory_count


# Without an embedder, and deferred


async def test_without_an_embedder_it_is_saved_and_embedded_later(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(with_answers(ports, 0), scope, "The dentist moved to Friday.")
    assert saved.status == "saved"
    assert saved.job_id
    assert await match_by_word(ports, scope, "dentist") == [saved.memory.id]
    memory = await get_memory_after_jobs(ports, scope, saved.memory.id)
    assert memory.embedded_with == ports.embedder.model
    assert await match_by_meaning(ports, scope, "teeth") == [saved.memory.id]


class _UnavailableVectors:
    """A vector index whose server is down."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def search(self, *_: Any) -> list[Near]:
        raise Unavailable("down")

    async def put(self, *_: Any) -> None:
        raise Unavailable("down")


async def test_without_a_vector_index_it_is_saved_and_indexed_later(
    ports: Ports, scope: Scope
) -> None:
    down = replace(ports, vectors=_UnavailableVectors(ports.vectors))
    saved = await save(down, scope, "The dentist moved to Friday.")
    assert saved.job_id
    assert await match_by_word(ports, scope, "dentist") == [saved.memory.id]
    await get_memory_after_jobs(ports, scope, saved.memory.id)
    assert await match_by_meaning(ports, scope, "teeth") == [saved.memory.id]


async def test_a_deferred_save_stores_at_once_and_relates_in_the_background(
    ports: Ports, scope: Scope
) -> None:
    saved = await save(ports, scope, "The deploy runs at two.", defer=True)
    assert saved.job_id
    assert await match_by_word(ports, scope, "deploy") == [saved.memory.id]
    await get_memory_after_jobs(ports, scope, saved.memory.id)
    assert await match_by_meaning(ports, scope, "release") == [saved.memory.id]


@pytest.mark.parametrize("action", ["update", "extend", "similar", "noop"])
async def test_a_deferred_memory_is_decided_like_any_other(
    ports: Ports, scope: Scope, decide: Decide, action: Action
) -> None:
    old = (await save(ports, scope, "Postgres is our database.")).memory
    late = await save_deferred(ports, scope, "SQLite is our database.")
    decide(Postgres=action, SQLite=action)
    await relate_memory(ports, scope, late.id)
    await relate_memory(ports, scope, late.id)
    old, late = await get_memory(ports, scope, old.id), await get_memory(ports, scope, late.id)
    match action:
        case "update":
            assert (old.state, late.state) == ("superseded", "active")
            assert (late.root_id, late.version, late.supersedes_id) == (old.id, 2, old.id)
        case "noop":
            assert (old.state, late.state) == ("active", "superseded")
        case _:
            assert (old.state, late.state) == ("active", "active")
    expected = {"update": "updates", "extend": "extends", "noop": "merged_into"}
    (link,) = await related_memories(ports, scope, late.id)
    assert link.link.relation == expected.get(action, "similar")


async def test_a_deferred_memory_does_not_replace_a_newer_one(
    ports: Ports, scope: Scope, decide: Decide
) -> None:
    late = await save_deferred(ports, scope, "Postgres is our database.")
    newer = await save(ports, scope, "SQLite is our database.")
    decide(SQLite="update")
    await relate_memory(ports, scope, late.id)
    assert (await get_memory(ports, scope, newer.memory.id)).is_current


async def test_a_deferred_memory_that_was_deleted_is_not_processed(
    ports: Ports, scope: Scope
) -> None:
    late = await save_deferred(ports, scope, "Postgres is our database.")
    await forget_memory(ports, scope, late.id)
    await relate_memory(ports, scope, late.id)
    assert await match_by_meaning(ports, scope, "database") == []
    await erase_memory(ports, scope, late.id)
    await relate_memory(ports, scope, late.id)
    assert await count(ports, scope, "embeddings") == 0


# Invalid input


@pytest.mark.parametrize(
    ("field", "draft"),
    [
        ("content", MemoryDraft("")),
        ("content", MemoryDraft(" \n\t")),
        ("content", MemoryDraft("x" * 10_001)),
        ("content", MemoryDraft("a\x00b")),
        ("content", MemoryDraft("a\ud800b")),
        ("title", MemoryDraft("x", title="t" * 501)),
        ("category", MemoryDraft("x", category="spell")),
        ("tags", MemoryDraft("x", tags=["t"] * 101)),
        ("tags", MemoryDraft("x", tags=[""])),
        ("context", MemoryDraft("x", context={"k": "v" * 64_000})),
        ("confidence", MemoryDraft("x", confidence=1.1)),
        ("source", MemoryDraft("x", source="")),
        ("valid_until", MemoryDraft("x", valid_from=now(), valid_until=now() - timedelta(days=1))),
    ],
)
async def test_invalid_input_names_its_field(
    ports: Ports, scope: Scope, field: str, draft: MemoryDraft
) -> None:
    with pytest.raises(Invalid) as refused:
        await save_memory(ports, scope, draft)
    assert refused.value.field == field
    assert await count(ports, scope, "memories") == 0


@pytest.mark.parametrize("field", ["project", "session_id", "document_id"])
async def test_unknown_ids_are_not_found(ports: Ports, scope: Scope, field: str) -> None:
    with pytest.raises(NotFound):
        await save(ports, scope, "x", **{field: new_id()})


async def test_a_statement_is_classified_unless_the_caller_did(ports: Ports, scope: Scope) -> None:
    said_at = datetime(2026, 11, 15, 12, tzinfo=UTC)
    text = "Need to review PR #42 by Friday"
    task = (await save(ports, scope, text, said_at=said_at)).memory
    assert (task.content, task.category) == (text, "task")
    assert task.due_at == datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    assert [date["text"] for date in task.dates] == ["Friday"]
    assert (await save(ports, scope, "I prefer tabs over spaces")).memory.category == "preference"
    note = await save(ports, scope, "We decided to use Postgres", category="note")
    assert note.memory.category == "note"
    moved = "The dentist moved my appointment to Friday at nine"
    dentist = (await save(ports, scope, moved, said_at=said_at)).memory
    assert dentist.content == moved
    assert dentist.due_at == datetime(2026, 11, 20, 9, tzinfo=UTC)
