"""A query in a small project reads few rows, however large and new the other projects are."""

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
from remem.core.transaction import AnyTx
from remem.core.upkeep import analyze
from remem.core.upkeep.analyze import TABLES, analyze_new_tables
from tests.conftest import Server, new_scope
from tests.core.scratch import new_store

pytestmark = pytest.mark.anyio

TURNS, TEXTS = 200, 3_000
# In the small project a few dozen texts have the words; in the other one thousands do.
MAX_ROWS = 500


async def save_conversation(
    ports: Ports, scope: Scope, project: str, speaker: str, contents: list[str]
) -> None:
    messages = [{"speaker": speaker, "content": text} for text in contents]
    content = json.dumps({"messages": messages})
    draft = Draft(content=content, content_type="json", project=project, create_project=True)
    saved = await ingest(ports, scope, draft)
    if saved.job_id:
        await process_document(ports, scope, saved.document.id)


async def fill(ports: Ports, scope: Scope) -> None:
    contents = [f"the harbor number {n} has a lantern" for n in range(TURNS)]
    await save_conversation(ports, scope, "beside", "Bo", contents)
    async with ports.db.transaction(scope) as tx:
        project = await resolve(tx, "beside", create=True)
        texts = [Text(new_id(), f"harbor lantern of quartz {n}") for n in range(TEXTS)]
        await index_texts(tx, CHUNK, project.id, texts)
    contents = [f"my lantern {n} of the harbor is red" for n in range(20)]
    await save_conversation(ports, scope, "small", "Ann", contents)


async def rows_read(tx: AnyTx, statement: str, values: Any) -> int:
    [plan] = json.loads(
        await tx.connection.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", *values)
    )
    return _scanned_rows(plan["Plan"])


def _scanned_rows(node: dict[str, Any]) -> int:
    """How many rows the table scans read, those that a filter removed included."""
    own = 0
    if "Relation Name" in node:
        own = int(
            node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0))
        )
    return own + sum(_scanned_rows(child) for child in node.get("Plans", ()))


@pytest.fixture
async def new_ports(server: Server, ports: Ports) -> AsyncIterator[Ports]:
    """A store without planner statistics."""
    async with new_store(server, ports) as opened:
        yield opened


async def test_tables_are_analyzed_once_filled_and_a_query_reads_few_rows(
    new_ports: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A low limit, so that the few rows of a test are worth analyzing.
    monkeypatch.setattr(analyze, "WORTH_BYTES", 40_000)
    assert not await analyze_new_tables(new_ports)
    scope = await new_scope(new_ports)
    await fill(new_ports, scope)
    assert not await analyze_new_tables(new_ports), "there are no memories yet"
    known = "SELECT relname::text FROM pg_class WHERE relname = ANY($1) AND reltuples > 0"
    async with new_ports.db.unbound() as connection:
        rows = await connection.fetch(known, list(TABLES))
    assert {row["relname"] for row in rows} >= {"chunks", "embeddings", "postings"}
    await check_rows_read(new_ports, scope, monkeypatch)
    async with new_ports.db.unbound() as connection:
        await connection.execute("ANALYZE")
    assert await analyze_new_tables(new_ports)


async def check_rows_read(ports: Ports, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    queries: list[tuple[str, tuple[Any, ...]]] = []
    fetch = asyncpg.Connection.fetch

    async def record_query(self: Any, statement: str, *values: Any, **more: Any) -> Any:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            queries.append((statement, values))
        return await fetch(self, statement, *values, **more)

    monkeypatch.setattr(asyncpg.Connection, "fetch", record_query)
    query = Query("What did Ann say of the harbor lantern?", "small")
    page = await recall(ports, scope, query)
    monkeypatch.undo()
    assert len(page.results) == 1
    async with ports.db.transaction(scope) as tx:
        read = {sql: await rows_read(tx, sql, values) for sql, values in queries}
    assert len(read) >= 6
    assert {sql: count for sql, count in read.items() if count > MAX_ROWS} == {}
