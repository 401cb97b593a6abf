"""The database itself hides the rows of other tenants, whatever a query asks for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg
import pytest

from remem.core.identity.operate import list_tenants
from remem.core.ports import Ports
from remem.core.scope import Bound
from remem.core.time import new_id
from remem.core.transaction import SystemTx
from tests.conftest import Server
from tests.core.scratch import connected

pytestmark = pytest.mark.anyio

# Tables that belong to no tenant, and why.
OPEN = {
    "users": "a person belongs to several tenants",
    "oauth_clients": "a client registers before anybody has let it in",
    "global_arms": "sums over all tenants, of numbers alone",
    "schedules": "what is done by the clock, for everybody",
    "vector_copies": "names the index of vectors outside PostgreSQL",
    "erased_tenants": "ids of tenants that are no more",
    "backups": "when the whole store was backed up, and how large that was",
    "rate_counters": "counts callers, by a name that tells nothing",
    "access_version": "one random id, for all keys",
    "token_use": "what the models of the server cost, by month",
    "schema_migrations": "the ledger of the schema itself",
    "pgqueuer": "ids of jobs; whom they are for is bound when they are done",
    "pgqueuer_log": "what became of queued jobs",
    "pgqueuer_schedules": "what is done by the clock",
    "pgqueuer_statistics": "counts of queued jobs",
}

# One row of every tenant table, in the order in which they refer to each other.
ROWS = {
    "tenants": "(id, kind, name, slug) VALUES ('{tenant}', 'org', 'T', 'slug-{tenant}')",
    "members": "(tenant_id, id, user_id, role) VALUES ('{tenant}', '{id}', '{user}', 'owner')",
    "api_keys": "(tenant_id, id, user_id, prefix, hash, name, scopes)"
    " VALUES ('{tenant}', '{id}', '{user}', 'mc_', '{key_hash}', 'key', '{{read}}')",
    "sign_ins": "(tenant_id, id, user_id, hash, expires_at)"
    " VALUES ('{tenant}', '{id}', '{user}', '{sign_in_hash}', now() + interval '1 day')",
    "sign_in_links": "(tenant_id, id, user_id, hash, expires_at)"
    " VALUES ('{tenant}', '{id}', '{user}', '{link_hash}', now() + interval '1 day')",
    "oauth_grants": "(tenant_id, id, user_id, client_id, scopes, resource)"
    " VALUES ('{tenant}', '{grant}', '{user}', '{client}', '{{read}}', 'here')",
    "oauth_codes": "(tenant_id, id, grant_id, hash, redirect_uri, challenge, expires_at)"
    " VALUES ('{tenant}', '{id}', '{grant}', '{code_hash}', 'there', 'x',"
    " now() + interval '1 day')",
    "oauth_tokens": "(tenant_id, id, grant_id, kind, hash, scopes, resource, expires_at)"
    " VALUES ('{tenant}', '{id}', '{grant}', 'access', '{token_hash}', '{{read}}', 'here',"
    " now() + interval '1 day')",
    "subscriptions": "(tenant_id, id) VALUES ('{tenant}', '{id}')",
    "projects": "(tenant_id, id, slug, name) VALUES ('{tenant}', '{project}', 'slug', 'P')",
    "sessions": "(tenant_id, id, project_id, user_id)"
    " VALUES ('{tenant}', '{session}', '{project}', '{user}')",
    "turns": "(tenant_id, id, session_id, role, content)"
    " VALUES ('{tenant}', '{turn}', '{session}', 'user', 'said')",
    "turn_sources": "(tenant_id, source_id, turn_id) VALUES ('{tenant}', '{document}', '{turn}')",
    "calendars": "(tenant_id, id, user_id, name, hash)"
    " VALUES ('{tenant}', '{id}', '{user}', 'Due', '{calendar_hash}')",
    "deliveries": "(tenant_id, id, user_id, channel, shown, target, page_url, minute, time_zone)"
    " VALUES ('{tenant}', '{delivery}', '{user}', 'ntfy', 'ntfy.sh', 'x', 'here', 420, 'UTC')",
    "delivery_messages": "(tenant_id, id, delivery_id, kind)"
    " VALUES ('{tenant}', '{id}', '{delivery}', 'test')",
    "save_keys": "(tenant_id, user_id, key, document_id)"
    " VALUES ('{tenant}', '{user}', 'key', '{document}')",
    "standing_instructions": "(tenant_id, id, user_id, content)"
    " VALUES ('{tenant}', '{id}', '{user}', 'Be brief.')",
    "feeds": "(tenant_id, id, project_id, user_id, kind, url)"
    " VALUES ('{tenant}', '{feed}', '{project}', '{user}', 'research', 'https://x.org')",
    "feed_entries": "(tenant_id, id, feed_id, key) VALUES ('{tenant}', '{id}', '{feed}', 'key')",
    "blobs": "(tenant_id, id, key, media_type, size, sha256)"
    " VALUES ('{tenant}', '{id}', 'key', 'text/plain', 1, 'sum')",
    "documents": "(tenant_id, id, project_id, user_id, title, content, content_type, content_hash,"
    " root_id) VALUES ('{tenant}', '{document}', '{project}', '{user}', 'title', 'content', 'text',"
    " 'hash', '{document}')",
    "connections": "(tenant_id, id, user_id, project_id, provider, account_key, account, status,"
    " interval_s) VALUES ('{tenant}', '{connection}', '{user}', '{project}', 'folder', 'key', 'me',"
    " 'active', 900)",
    "connection_items": "(tenant_id, connection_id, reference)"
    " VALUES ('{tenant}', '{connection}', 'note')",
    "connection_starts": "(tenant_id, id, user_id, provider, hash, sealed, expires_at)"
    " VALUES ('{tenant}', '{id}', '{user}', 'github', '{start_hash}', 'x',"
    " now() + interval '1 day')",
    "connection_hooks": "(tenant_id, connection_id, hash, secret)"
    " VALUES ('{tenant}', '{connection}', '{hook_hash}', 'x')",
    "connection_runs": "(tenant_id, id, connection_id, trigger)"
    " VALUES ('{tenant}', '{id}', '{connection}', 'clock')",
    "chunks": "(tenant_id, id, document_id, project_id, content, chunk_index, start_offset,"
    " end_offset) VALUES ('{tenant}', '{id}', '{document}', '{project}', 'content', 0, 0, 7)",
    "deleted_rows": "(tenant_id, deletion_id, kind, id, project_id, content, expires_at)"
    " VALUES ('{tenant}', '{id}', 'document', '{id}', '{project}', '{{}}', now())",
    "memories": "(tenant_id, id, project_id, user_id, content, root_id, content_hash)"
    " VALUES ('{tenant}', '{memory}', '{project}', '{user}', 'content', '{memory}', 'hash')",
    "consolidations": "(tenant_id, id, action, memory_id)"
    " VALUES ('{tenant}', '{id}', 'decay', '{memory}')",
    "evolution_marks": "(tenant_id, memory_id, step) VALUES ('{tenant}', '{memory}', 'graph')",
    "evolution_jobs": "(tenant_id, id, job_type, priority)"
    " VALUES ('{tenant}', '{id}', 'learning_propagation', 1)",
    "signals": "(tenant_id, id, project_id, user_id, type, subject_ids)"
    " VALUES ('{tenant}', '{id}', '{project}', '{user}', 'used', '{{}}')",
    "arena_results": "(tenant_id, episode_id, arm, project_id, reward, recall, precision_at,"
    " document_recall, latency, diversity, took_ms)"
    " VALUES ('{tenant}', '{id}', 'fast_memories', '{project}', 1, 1, 1, 1, 1, 1, 1)",
    "policies": "(tenant_id, id, arm) VALUES ('{tenant}', '{id}', 'fast_memories')",
    "arm_shares": "(tenant_id, arm, pulls, reward_sum, reward_squares)"
    " VALUES ('{tenant}', 'fast_memories', 1, 1, 1)",
    "entities": "(tenant_id, id, project_id, type, name, name_normalized)"
    " VALUES ('{tenant}', '{id}', '{project}', 'person', 'Ada', 'ada')",
    "entity_names": "(tenant_id, id, project_id, name, target_name, target_normalized, target_type)"
    " VALUES ('{tenant}', '{id}', '{project}', 'ada', 'Ada', 'ada', 'person')",
    "entity_edits": "(tenant_id, id, user_id, project_id, kind, summary, entity_ids, before)"
    " VALUES ('{tenant}', '{id}', '{user}', '{project}', 'rename', 'Ada', '{{}}', '{{}}')",
    "links": "(tenant_id, id, from_kind, from_id, to_kind, to_id, relation)"
    " VALUES ('{tenant}', '{id}', 'memory', '{id}', 'document', '{document}', 'derives')",
    "postings": "(tenant_id, term, owner_kind, owner_id, project_id, tf, length)"
    " VALUES ('{tenant}', 'term', 'chunk', '{id}', '{project}', 1, 1)",
    "text_totals": "(tenant_id, project_id, owner_kind) VALUES ('{tenant}', '{project}', 'chunk')",
    "documents_to_index": "(tenant_id, document_id) VALUES ('{tenant}', '{document}')",
    "vector_models": "(tenant_id, model) VALUES ('{tenant}', 'model')",
    "keys_to_index": "(tenant_id, owner_kind, done_until) VALUES ('{tenant}', 'chunk', '{id}')",
    "vector_changes": "(tenant_id, owner_kind, owner_id, model, dimensions)"
    " VALUES ('{tenant}', 'chunk', '{id}', 'model', 3)",
    "embeddings": "(tenant_id, owner_kind, owner_id, project_id, model, vector)"
    " VALUES ('{tenant}', 'chunk', '{id}', '{project}', 'model', '[1,2,3]')",
    "jobs": "(tenant_id, id, user_id, name, subject_id)"
    " VALUES ('{tenant}', '{id}', '{user}', 'job', '{document}')",
    "imports": "(tenant_id, id, total) VALUES ('{tenant}', '{id}', 2)",
    "events": "(tenant_id, id, subject_kind, subject_id, type, actor)"
    " VALUES ('{tenant}', '{id}', 'document', '{document}', 'create', 'test')",
}


@dataclass(frozen=True)
class Tenant:
    """A tenant, with the ids that its rows share."""

    id: UUID = field(default_factory=new_id)
    user: UUID = field(default_factory=new_id)
    project: UUID = field(default_factory=new_id)
    session: UUID = field(default_factory=new_id)
    turn: UUID = field(default_factory=new_id)
    feed: UUID = field(default_factory=new_id)
    document: UUID = field(default_factory=new_id)
    memory: UUID = field(default_factory=new_id)
    connection: UUID = field(default_factory=new_id)
    delivery: UUID = field(default_factory=new_id)
    client: UUID = field(default_factory=new_id)
    grant: UUID = field(default_factory=new_id)
    code_hash: str = field(default_factory=lambda: new_id().hex)
    token_hash: str = field(default_factory=lambda: new_id().hex)
    key_hash: str = field(default_factory=lambda: new_id().hex)
    sign_in_hash: str = field(default_factory=lambda: new_id().hex)
    link_hash: str = field(default_factory=lambda: new_id().hex)
    calendar_hash: str = field(default_factory=lambda: new_id().hex)
    start_hash: str = field(default_factory=lambda: new_id().hex)
    hook_hash: str = field(default_factory=lambda: new_id().hex)

    @property
    def bound(self) -> Bound:
        return Bound(tenant_id=self.id)

    def insert(self, table: str) -> str:
        return f"INSERT INTO {table} " + ROWS[table].format(
            tenant=self.id,
            user=self.user,
            project=self.project,
            session=self.session,
            turn=self.turn,
            feed=self.feed,
            document=self.document,
            memory=self.memory,
            connection=self.connection,
            delivery=self.delivery,
            client=self.client,
            grant=self.grant,
            code_hash=self.code_hash,
            token_hash=self.token_hash,
            key_hash=self.key_hash,
            sign_in_hash=self.sign_in_hash,
            link_hash=self.link_hash,
            calendar_hash=self.calendar_hash,
            start_hash=self.start_hash,
            hook_hash=self.hook_hash,
            id=new_id(),
        )


async def fill(ports: Ports) -> Tenant:
    """Make a tenant with one row in every table."""
    tenant = Tenant()
    async with ports.db.transaction(tenant.bound) as tx:
        await tx.execute(
            "INSERT INTO users (id, email, name) VALUES ($1, $2, 'U')",
            tenant.user,
            f"{tenant.user}@x",
        )
        await tx.execute(
            "INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, 'C', '{x}')",
            tenant.client,
        )
        for table in ROWS:
            await tx.execute(tenant.insert(table))
    return tenant


@pytest.fixture
async def tenant(ports: Ports) -> Tenant:
    return await fill(ports)


@pytest.fixture
async def other(ports: Ports) -> Tenant:
    return await fill(ports)


def key_of(table: str) -> str:
    return "id" if table == "tenants" else "tenant_id"


async def visible_rows_of(tx: SystemTx, tenant: Tenant) -> dict[str, int]:
    """Number of rows of a tenant in each table, when a query asks for that tenant."""
    return {
        table: await tx.fetchval(
            f"SELECT count(*) FROM {table} WHERE {key_of(table)} = $1", tenant.id
        )
        for table in ROWS
    }


async def visible_rows(tx: SystemTx) -> dict[str, int]:
    """Number of rows in each table, when a query asks for everything."""
    return {table: await tx.fetchval(f"SELECT count(*) FROM {table}") for table in ROWS}


EVERYTHING = dict.fromkeys(ROWS, 1)
NOTHING = dict.fromkeys(ROWS, 0)


@asynccontextmanager
async def rolled_back(tx: SystemTx) -> AsyncIterator[None]:
    await tx.execute("SAVEPOINT before")
    try:
        yield
    finally:
        await tx.execute("ROLLBACK TO before")


async def changed_rows(tx: SystemTx, statement: str) -> dict[str, int]:
    """Number of rows of each table that a statement changes; every change is rolled back."""
    counts = {}
    for table in ROWS:
        async with rolled_back(tx):
            status = await tx.execute(statement.format(table=table, key=key_of(table)))
            counts[table] = int(status.split()[-1])
    return counts


@asynccontextmanager
async def refused(
    tx: SystemTx, error: type[asyncpg.PostgresError] = asyncpg.InsufficientPrivilegeError
) -> AsyncIterator[None]:
    """Expect an error, and roll back to before it so that the transaction can continue."""
    async with rolled_back(tx):
        with pytest.raises(error):
            yield


# Every table


async def tables(tx: SystemTx) -> dict[str, asyncpg.Record]:
    rows = await tx.fetch(
        "SELECT relname, relkind::text, relrowsecurity, relforcerowsecurity,"
        " pg_get_userbyid(relowner) AS owner, exists (SELECT FROM pg_attribute a"
        "  WHERE a.attrelid = c.oid AND attname = 'tenant_id' AND NOT attisdropped) AS owned,"
        " ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid) AS policies"
        " FROM pg_class c WHERE relnamespace = 'public'::regnamespace"
        " AND relkind IN ('r', 'p', 'v', 'm', 'f')"
    )
    return {row["relname"]: row for row in rows}


async def test_every_table_belongs_to_tenants_or_is_listed_as_open(ports: Ports) -> None:
    async with ports.db.transaction(Bound()) as tx:
        rows = await tables(tx)
    tenant_tables = {name for name, row in rows.items() if row["owned"]} | {"tenants"}
    assert set(rows) - tenant_tables == set(OPEN)
    assert tenant_tables == set(ROWS), "add a row for the new table, so that it is tested"
    assert {row["relkind"] for row in rows.values()} == {"r"}, "a view would need its own tests"


async def test_every_tenant_table_has_row_security_even_for_its_owner(ports: Ports) -> None:
    async with ports.db.transaction(Bound()) as tx:
        rows = await tables(tx)
    for name in ROWS:
        assert rows[name]["relrowsecurity"], name
        assert rows[name]["relforcerowsecurity"], name
        assert "bound_tenant" in rows[name]["policies"], name


async def test_our_role_owns_the_tables_and_cannot_bypass_row_security(ports: Ports) -> None:
    async with ports.db.transaction(Bound()) as tx:
        role = await tx.fetchrow("SELECT * FROM pg_roles WHERE rolname = current_user")
        owners = {row["owner"] for row in (await tables(tx)).values()}
        security_definers = await tx.fetch(
            "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
        )
    assert owners == {role["rolname"]}, "only the owner of a table needs FORCE"
    assert not role["rolsuper"]
    assert not role["rolbypassrls"]
    assert not security_definers, (
        "a function that runs as another role would see what that role sees"
    )


async def test_a_tenant_sees_its_own_rows_and_no_other(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    async with ports.db.transaction(tenant.bound) as tx:
        assert await visible_rows(tx) == EVERYTHING
        assert await visible_rows_of(tx, tenant) == EVERYTHING
        assert await visible_rows_of(tx, other) == NOTHING


async def test_without_a_tenant_no_row_is_seen_or_changed(ports: Ports, tenant: Tenant) -> None:
    async with ports.db.transaction(Bound()) as tx:
        assert await visible_rows(tx) == NOTHING
        assert await changed_rows(tx, "UPDATE {table} SET {key} = {key}") == NOTHING
        assert await changed_rows(tx, "DELETE FROM {table}") == NOTHING
    async with ports.db.transaction(tenant.bound) as tx:
        assert await visible_rows_of(tx, tenant) == EVERYTHING


async def test_on_a_connection_that_was_never_bound_no_row_is_seen(
    server: Server, ports: Ports, tenant: Tenant
) -> None:
    async with connected(server, "remem") as connection:
        assert {
            table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in ROWS
        } == NOTHING


async def test_rows_of_another_tenant_cannot_be_changed(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    of_other = f"WHERE {{key}} = '{other.id}'"
    async with ports.db.transaction(tenant.bound) as tx:
        assert await changed_rows(tx, "UPDATE {table} SET {key} = {key} " + of_other) == NOTHING
        assert await changed_rows(tx, "DELETE FROM {table} " + of_other) == NOTHING
    async with ports.db.transaction(other.bound) as tx:
        assert await visible_rows_of(tx, other) == EVERYTHING


async def test_a_row_for_another_tenant_is_refused(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    new = Tenant(user=other.user, project=other.project, session=other.session)
    async with ports.db.transaction(tenant.bound) as tx:
        for table in ROWS:
            # No constraint is violated: only the policy refuses the row.
            owner = new if table == "tenants" else other
            async with refused(tx):
                await tx.execute(owner.insert(table))
    async with ports.db.transaction(Bound()) as tx:
        for table in ROWS:
            async with refused(tx):
                await tx.execute(Tenant(user=other.user).insert(table))


async def test_a_row_cannot_be_moved_to_another_tenant(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    async with ports.db.transaction(tenant.bound) as tx:
        for table in ROWS:
            final = table == "events"
            expected = asyncpg.RaiseError if final else asyncpg.InsufficientPrivilegeError
            async with refused(tx, expected):
                await tx.execute(f"UPDATE {table} SET {key_of(table)} = $1", new_id())


# Before a tenant is known


async def test_a_secret_shows_only_the_row_that_contains_it(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    for secret, table in (
        (tenant.key_hash, "api_keys"),
        (tenant.sign_in_hash, "sign_ins"),
        (tenant.link_hash, "sign_in_links"),
        (tenant.calendar_hash, "calendars"),
        (tenant.start_hash, "connection_starts"),
        (tenant.hook_hash, "connection_hooks"),
        (tenant.code_hash, "oauth_codes"),
        (tenant.token_hash, "oauth_tokens"),
    ):
        async with ports.db.transaction(Bound(secret=secret)) as tx:
            assert await visible_rows(tx) == {**NOTHING, table: 1}
            assert await visible_rows_of(tx, tenant) == {**NOTHING, table: 1}
            assert await changed_rows(tx, "UPDATE {table} SET {key} = {key}") == NOTHING
            assert await changed_rows(tx, "DELETE FROM {table}") == NOTHING


async def test_an_unknown_secret_shows_nothing(ports: Ports, tenant: Tenant) -> None:
    async with ports.db.transaction(Bound(secret="00")) as tx:
        assert await visible_rows(tx) == NOTHING


async def test_a_secret_must_be_a_digest(ports: Ports) -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        async with ports.db.transaction(Bound(secret="'; SET remem.tenant_id = ''")):
            pass


async def test_a_user_sees_their_tenants_and_memberships_and_nothing_else(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    async with ports.db.transaction(other.bound) as tx:
        await tx.execute(
            "INSERT INTO members (tenant_id, id, user_id, role) VALUES ($1, $2, $3, 'member')",
            other.id,
            new_id(),
            tenant.user,
        )
    async with ports.db.transaction(Bound(user_id=tenant.user)) as tx:
        assert await visible_rows(tx) == {**NOTHING, "tenants": 2, "members": 2, "sign_ins": 1}
        users = await tx.fetch("SELECT DISTINCT user_id FROM members")
        assert [row["user_id"] for row in users] == [tenant.user], "other members are hidden"
    async with ports.db.transaction(Bound(user_id=other.user)) as tx:
        assert await visible_rows(tx) == {**NOTHING, "tenants": 1, "members": 1, "sign_ins": 1}


async def test_a_user_changes_only_their_sign_ins(ports: Ports, tenant: Tenant) -> None:
    only_sign_in = {**NOTHING, "sign_ins": 1}
    async with ports.db.transaction(Bound(user_id=tenant.user)) as tx:
        assert await changed_rows(tx, "UPDATE {table} SET {key} = {key}") == only_sign_in
        assert await changed_rows(tx, "DELETE FROM {table}") == only_sign_in


async def test_a_user_cannot_grant_themselves_access(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    """A connection bound to a user alone cannot insert a membership, key, grant or sign-in."""
    intruder = Tenant(id=other.id, user=tenant.user)
    async with ports.db.transaction(Bound(user_id=tenant.user)) as tx:
        for table in ("members", "api_keys", "oauth_grants"):
            async with refused(tx):
                await tx.execute(intruder.insert(table))
        async with refused(tx, asyncpg.ForeignKeyViolationError):
            await tx.execute(intruder.insert("sign_ins"))


async def test_the_binding_ends_with_the_transaction(ports: Ports, tenant: Tenant) -> None:
    bound = Bound(tenant_id=tenant.id, user_id=tenant.user, secret=tenant.key_hash)
    async with ports.db.pool.acquire() as connection:
        pid = connection.get_server_pid()
    async with ports.db.transaction(bound) as tx:
        assert tx.connection.get_server_pid() == pid
        assert await visible_rows_of(tx, tenant) == EVERYTHING
    async with ports.db.pool.acquire() as connection:
        assert connection.get_server_pid() == pid, "the connection is reused"
        assert {
            table: await connection.fetchval(f"SELECT count(*) FROM {table}") for table in ROWS
        } == NOTHING


# Events


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET type = 'edited'",
        "DELETE FROM events",
        "TRUNCATE events",
    ],
)
async def test_events_cannot_be_changed(ports: Ports, tenant: Tenant, statement: str) -> None:
    async with ports.db.transaction(tenant.bound) as tx:
        async with refused(tx, asyncpg.RaiseError):
            await tx.execute(statement)
        assert await tx.fetchval("SELECT type FROM events") == "create"


async def test_events_outlive_their_subjects(ports: Ports, tenant: Tenant) -> None:
    async with ports.db.transaction(tenant.bound) as tx:
        await tx.execute("DELETE FROM postings")
        await tx.execute("DELETE FROM tenants")
    async with ports.db.transaction(tenant.bound) as tx:
        assert await visible_rows(tx) == {**NOTHING, "events": 1}


async def test_key_shown_returns_the_row_of_a_key_for_one_statement(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    async with ports.db.pool.acquire() as connection:
        rows = await connection.fetch("SELECT tenant_id FROM key_shown($1)", tenant.key_hash)
        assert [row["tenant_id"] for row in rows] == [tenant.id]
        assert await connection.fetch("SELECT FROM key_shown($1)", new_id().hex) == []
        assert await visible_rows(connection) == NOTHING, "the key is still bound"


async def test_the_operator_sees_tenants_but_none_of_their_data(
    ports: Ports, tenant: Tenant, other: Tenant
) -> None:
    async with ports.db.transaction(Bound(operator=True)) as tx:
        rows = await tx.fetch("SELECT id FROM tenants")
        assert {tenant.id, other.id} <= {row["id"] for row in rows}
        for table in ROWS.keys() - {"tenants"}:
            assert await tx.fetchval(f"SELECT count(*) FROM {table}") == 0, table
        assert await tx.execute("UPDATE tenants SET name = 'mine'") == "UPDATE 0"
    async with ports.db.transaction(Bound()) as tx:
        assert await tx.fetchval("SELECT count(*) FROM tenants") == 0


async def test_a_page_of_tenants_reads_no_more_than_the_page(
    ports: Ports, tenant: Tenant, other: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound: list[object] = []
    transaction = ports.db.transaction
    monkeypatch.setattr(
        ports.db, "transaction", lambda scope: bound.append(scope) or transaction(scope)
    )
    (first,) = await list_tenants(ports, limit=1)
    (second,) = await list_tenants(ports, after=first.tenant.id, limit=1)
    assert first.tenant.id < second.tenant.id
    assert len(bound) == 4
