"""A question in a small project reads little, however much there is beside it, and however new."""

import json
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.process import process_document
from remem.core.index.kinds import CHUNK
from remem.core.index.write import Text, index_texts
from remem.core.ports import Ports
from remem.core.projects.resolve import resolve
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import new_id
from remem.core.upkeep import analyze
from remem.core.upkeep.analyze import TABLES, analyze_new_tables
from tests.conftest import Server, new_scope
from tests.core.scratch import new_store

pytestmark = pytest.mark.anyio

TURNS, TEXTS = 200, 3_000
# A few dozen texts have the words in the small project; thousands have them beside it.
FEW = 500


async def keep_talk(ports: Ports, scope: Scope, project: str, who: str, said: list[str]) -> None:
    messages = [{"speaker": who, "content": words} for words in said]
    content = json.dumps({"messages": messages})
    draft = Draft(content=content, content_type="json", project=project, create_project=True)
    saved = await ingest(ports, scope, draft)
    if saved.job_id:
        await process_document(ports, scope, saved.document.id)


async def fill(ports: Ports, scope: Scope) -> None:
    said = [f"the harbor number {n} has a lantern" for n in range(TURNS)]
    await keep_talk(ports, scope, "beside", "Bo", said)
    async with ports.db.transaction(scope) as tx:
        beside = await resolve(tx, scope, "beside", create=True)
        texts = [Text(new_id(), f"harbor lantern of quartz {n}") for n in range(TEXTS)]
        await index_texts(tx, scope, CHUNK, beside.id, texts)
    said = [f"my lantern {n} of the harbor is red" for n in range(20)]
    await keep_talk(ports, scope, "small", "Ann", said)


async def rows_read(tx: Any, statement: str, values: Any) -> int:
    [plan] = json.loads(await tx.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", *values))
    return _read(plan["Plan"])


def _read(node: dict[str, Any]) -> int:
    """What the scans of tables went through, whether it was kept or not."""
    own = 0
    if "Relation Name" in node:
        own = int(
            node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
        )
    return own + sum(_read(below) for below in node.get("Plans", ()))


@pytest.fixture
async def new(server: Server, ports: Ports) -> AsyncIterator[Ports]:
    """A store of which the planner knows nothing yet."""
    async with new_store(server, ports) as opened:
        yield opened


async def test_first_figures_are_taken_of_what_is_filled_and_a_question_reads_little(
    new: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that a store that is filled quickly has enough in it.
    monkeypatch.setattr(analyze, "WORTH_BYTES", 40_000)
    assert not await analyze_new_tables(new)
    scope = await new_scope(new)
    await fill(new, scope)
    assert not await analyze_new_tables(new), "of memories there are none"
    known = "SELECT relname::text FROM pg_class WHERE relname = ANY($1) AND reltuples > 0"
    async with new.db.unbound() as connection:
        rows = await connection.fetch(known, list(TABLES))
    assert {row["relname"] for row in rows} >= {"chunks", "embeddings", "postings"}
    await ask_in_the_small_project(new, scope, monkeypatch)
    async with new.db.unbound() as connection:
        await connection.execute("ANALYZE")
    assert await analyze_new_tables(new)


async def ask_in_the_small_project(
    ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, tuple[Any, ...]]] = []
    fetch = asyncpg.Connection.fetch

    async def watched(self: Any, statement: str, *values: Any, **more: Any) -> Any:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            asked.append((statement, values))
        return await fetch(self, statement, *values, **more)

    monkeypatch.setattr(asyncpg.Connection, "fetch", watched)
    query = Query("What did Ann say of the harbor lantern?", "small")
    found = await recall(ports, scope, query)
    monkeypatch.undo()
    assert len(found.results) == 1
    async with ports.db.transaction(scope) as tx:
        read = {text: await rows_read(tx, text, values) for text, values in asked}
    assert len(read) >= 6
    assert {text: count for text, count in read.items() if count > FEW} == {}
