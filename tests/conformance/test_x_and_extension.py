"""A post that the browser extension saves and the X connection reads is one document."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine

from remem.core.connections.connect import connect
from remem.core.connections.model import NewConnection
from remem.core.connections.sync import sync_connection
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.tools.idle_queue import IdleQueue
from tests.tools.places import XPlace, x_place

pytestmark = pytest.mark.anyio
TEXT = "The boats sleep in the old hall near the mill."


@pytest.fixture
def place(tmp_path: Path) -> Iterator[XPlace]:
    with x_place(tmp_path) as x:
        yield x


@pytest.fixture
def store(ports: Ports, place: XPlace) -> Ports:
    return replace(ports, connectors={"x": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]


async def save_as_extension(ports: Ports, scope: Scope, place: XPlace) -> None:
    """Save the bookmark in the format that the extension sends."""
    (id,) = place.fake.posts
    draft = Draft(
        content=f"**Bob (@bob)** · 2026-11-02T09:11:00.000Z\n\n{TEXT}",
        title=f"Bob: {TEXT}",
        content_type="tweet",
        source_url=post_url(place),
        metadata={"status_id": id, "bookmarked": True},
        tags=["x-bookmark"],
    )
    await ingest(ports, scope, draft)


def post_url(place: XPlace) -> str:
    (id,) = place.fake.posts
    return f"https://x.com/bob/status/{id}"


async def contents(ports: Ports, scope: Scope, url: str) -> list[str]:
    """The current contents of documents with this URL."""
    async with ports.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT content FROM documents WHERE tenant_id = $1 AND source_url = $2 AND is_latest",
            url,
        )
    return [row["content"] for row in rows]


async def test_a_post_saved_by_the_extension_is_not_saved_again(
    store: Ports, scope: Scope, place: XPlace
) -> None:
    place.write("boats", TEXT)
    url = post_url(place)
    await save_as_extension(store, scope, place)
    connection, _ = await connect(store, scope, NewConnection("x", place.fields, place.chosen))
    await sync_connection(store, scope, connection.id)
    (content,) = await contents(store, scope, url)
    assert content.startswith("**Bob (@bob)**")
    # The user saved it, so it stays when it is no longer a bookmark.
    place.remove("boats")
    with time_machine.travel(now() + timedelta(days=31), tick=True):
        await sync_connection(store, scope, connection.id)
    assert await contents(store, scope, url) == [content]


async def test_a_post_read_by_the_connection_gets_a_version_from_the_extension(
    store: Ports, scope: Scope, place: XPlace
) -> None:
    place.write("boats", TEXT)
    url = post_url(place)
    connection, _ = await connect(store, scope, NewConnection("x", place.fields, place.chosen))
    await sync_connection(store, scope, connection.id)
    assert await contents(store, scope, url) == [TEXT]
    await save_as_extension(store, scope, place)
    (content,) = await contents(store, scope, url)
    assert content.startswith("**Bob (@bob)**")
    await sync_connection(store, scope, connection.id)
    assert await contents(store, scope, url) == [content]
