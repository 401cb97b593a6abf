"""remem with a PgBouncer that gives each transaction another connection."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from remem.adapters.database.embedded.cluster import SUPERUSER
from remem.bootstrap import open_ports
from remem.core.errors import CannotStart
from remem.settings import load
from tests.conftest import Server, start_server, stop_server
from tests.core.scratch import scratch_database, socket_dir, url
from tests.tools.pgbouncer import Pooler, pooler_of
from tests.tools.waiting import until

pytestmark = pytest.mark.anyio

# More clients than the pooler has connections to PostgreSQL.
CLIENTS, SAVES = 8, 20


async def test_users_see_only_their_own_data_and_jobs_are_done(
    server: Server, data_dir: Path
) -> None:
    async with scratch_database(server) as name:
        with pooler_of(socket_dir(server), SUPERUSER, {name: name}) as pooler:
            running = start_server(
                data_dir,
                REMEM_DATABASE_URL=url(server, name, SUPERUSER),
                REMEM_POOLER_URL=pooler.url(name),
                REMEM_DISTIL="false",
            )
            try:
                _use(running)
                _stop_pooler(running, pooler)
            finally:
                stop_server(running)


def _use(running: Server) -> None:
    ada, bob = (_client(running, email) for email in ("ada@example.org", "bob@example.org"))
    with ada, bob, ThreadPoolExecutor(CLIENTS) as threads:
        notes = [
            (client, f"{who} keeps parcel {number} in the shed.")
            for number in range(SAVES)
            for client, who in ((ada, "Ada"), (bob, "Bob"))
        ]
        for reply in threads.map(lambda note: _save(*note), notes):
            assert reply.status_code == 202, reply.text
        for client, who in ((ada, "Ada"), (bob, "Bob")):
            until(lambda client=client: _count_done(client) == SAVES)
            body = {"query": "who keeps parcels in the shed?", "limit": 50}
            results = client.post("/v3/recall", json=body).json()["results"]
            assert len(results) == SAVES
            assert all(f"{who} keeps parcel" in str(result) for result in results)


def _stop_pooler(running: Server, pooler: Pooler) -> None:
    """Without the pooler, requests are refused as without a database; they work again after it
    returns."""
    headers = {"Authorization": f"Bearer {running.owner_key}"}
    with httpx2.Client(base_url=running.url, headers=headers, timeout=60) as owner:
        pooler.stop()
        assert owner.get("/v3/documents").status_code == 503
        pooler.start()
        until(lambda: owner.get("/v3/documents").status_code == 200)


def _client(running: Server, email: str) -> httpx2.Client:
    with httpx2.Client(base_url=running.url, timeout=60) as browser:
        credentials = {"email": email, "password": "correct horse"}
        account = browser.post("/v3/auth/register", json=credentials).json()
        key = browser.post(
            "/v3/api-keys",
            json={"name": "test", "scopes": ["read", "write"]},
            headers={"X-CSRF-Token": account["csrf_token"]},
        ).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    return httpx2.Client(base_url=running.url, headers=headers, timeout=60)


def _save(client: httpx2.Client, content: str) -> httpx2.Response:
    return client.post("/v3/memory?async=true", json={"content": content})


def _count_done(client: httpx2.Client) -> int:
    documents = client.get("/v3/documents", params={"limit": 100}).json()["documents"]
    return sum(document["status"] == "done" for document in documents)


async def test_a_pooler_of_another_database_is_refused(server: Server, data_dir: Path) -> None:
    async with scratch_database(server) as name, scratch_database(server) as other:
        with pooler_of(socket_dir(server), SUPERUSER, {name: other}) as pooler:
            settings = load(
                data_dir=data_dir,
                database_url=url(server, name, SUPERUSER),
                pooler_url=pooler.url(name),
            )
            with pytest.raises(CannotStart, match="another database"):
                async with open_ports(settings):
                    pass


async def test_a_pooler_that_is_not_there_is_named(server: Server, data_dir: Path) -> None:
    async with scratch_database(server) as name:
        settings = load(
            data_dir=data_dir,
            database_url=url(server, name, SUPERUSER),
            pooler_url="postgresql://anyone@127.0.0.1:9/remem",
        )
        with pytest.raises(CannotStart, match="REMEM_POOLER_URL does not answer"):
            async with open_ports(settings):
                pass
