"""What every connector keeps to, each over a place of its own and the real store."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from remem.core.connections.check import check_account, check_connection
from remem.core.connections.connect import connect
from remem.core.connections.disconnect import disconnect, remove_connection
from remem.core.connections.manage import get_connection, list_connections, list_items
from remem.core.connections.model import NewConnection, SyncRun
from remem.core.connections.sync import request_sync, sync_connection
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access, SeenItem
from remem.core.errors import Invalid
from remem.core.items import Item
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.search.model import Query
from remem.core.search.recall import recall
from remem.core.time import now
from tests.surfaces.rest.rows import rows_of
from tests.tools.idle_queue import IdleQueue
from tests.tools.places import PLACES, FolderPlace, Place, folder_place, github_place

pytestmark = pytest.mark.anyio

IMMUTABLE = ("imap", "x")
# Only a list of everything shows there that something is gone.
NEEDS_WALK = ("x",)


@pytest.fixture(params=list(PLACES))
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(provider: str, tmp_path: Path) -> Iterator[Place]:
    with PLACES[provider](tmp_path) as opened:
        yield opened


@pytest.fixture
async def store(ports: Ports, provider: str, place: Place) -> AsyncIterator[Ports]:
    connectors = {provider: place.connector}
    yield replace(ports, connectors=connectors, queue=IdleQueue())  # type: ignore[arg-type]
    await connectors[provider].close()


async def connected(store: Ports, scope: Scope, provider: str, place: Place) -> UUID:
    new = NewConnection(provider, place.fields, place.chosen)
    return (await connect(store, scope, new))[0].id


async def synced(store: Ports, scope: Scope, id: UUID) -> SyncRun:
    await sync_connection(store, scope, id)
    connection, runs = await get_connection(store, scope, id)
    assert runs[0].outcome == "done", connection.error
    return runs[0]


async def settled(store: Ports, scope: Scope, id: UUID, provider: str) -> SyncRun:
    if provider in NEEDS_WALK:
        await request_sync(store, scope, id, full=True)
    return await synced(store, scope, id)


async def texts(store: Ports, scope: Scope) -> list[str]:
    async with store.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT content FROM documents WHERE tenant_id = $1 AND is_latest ORDER BY content",
            scope.tenant_id,
        )
    # A talk says who speaks.
    return [row["content"].strip().removeprefix("Ada: ") for row in rows]


async def test_what_is_wrong_is_refused_with_what_to_do(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    with pytest.raises((Invalid, NeedsAuth)) as error:
        await connect(store, scope, NewConnection(provider, place.wrong))
    assert ";" in error.value.message
    with pytest.raises(Invalid):
        await connect(store, scope, NewConnection(provider, {**place.fields, "other": "x"}))


async def test_added_changed_renamed_and_removed(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    place.write("second", "The bakery closes on Monday.")
    id = await connected(store, scope, provider, place)
    run = await synced(store, scope, id)
    assert (run.added, run.skipped) == (2, 0)
    run = await synced(store, scope, id)
    assert (run.added, run.updated, run.deleted, run.skipped) == (0, 0, 0, 0)
    place.write("first", "The kettle stands in the cellar now.")
    place.rename("second", "third")
    run = await settled(store, scope, id, provider)
    # What cannot be changed there is another thing instead.
    assert run.updated == 1 or (provider in IMMUTABLE and run.added and run.deleted)
    assert await texts(store, scope) == [
        "The bakery closes on Monday.",
        "The kettle stands in the cellar now.",
    ]
    place.remove("third")
    await settled(store, scope, id, provider)
    assert await texts(store, scope) == ["The kettle stands in the cellar now."]
    assert "bakery" not in str(await recall(store, scope, Query("bakery Monday")))


async def test_the_same_text_twice_is_one_document(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The same words.")
    place.write("second", "The same words.")
    id = await connected(store, scope, provider, place)
    await synced(store, scope, id)
    assert await texts(store, scope) == ["The same words."]
    place.remove("first")
    await settled(store, scope, id, provider)
    assert await texts(store, scope) == ["The same words."]


async def test_a_check_keeps_nothing(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    before = await check_account(store, scope, NewConnection(provider, place.fields, place.chosen))
    assert before.seen == 1 and before.account and await list_connections(store, scope) == []
    unchosen = await check_account(store, scope, NewConnection(provider, place.fields))
    assert unchosen.account == before.account
    id = await connected(store, scope, provider, place)
    assert (await check_connection(store, scope, id)).seen == 1
    assert await texts(store, scope) == []


async def test_removed_and_erased_nothing_is_found(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    id = await connected(store, scope, provider, place)
    await synced(store, scope, id)
    await disconnect(store, scope, id, erase=True)
    await remove_connection(store, scope, id)
    assert await texts(store, scope) == []
    assert "kettle" not in str(await recall(store, scope, Query("kettle")))


async def test_no_secret_stands_in_any_row_or_log(
    store: Ports,
    scope: Scope,
    provider: str,
    place: Place,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    id = await connected(store, scope, provider, place)
    await synced(store, scope, id)
    connection, _ = await get_connection(store, scope, id)
    rows = str(await rows_of(store, str(scope.tenant_id)))
    said = capsys.readouterr()
    secrets = [one for one in place.fields.values() if "xyzzy" in one]
    for secret in secrets:
        for text in (rows, repr(connection), caplog.text, said.out, said.err):
            assert secret not in text
            assert secret.encode().hex() not in text
    assert bool(secrets) == bool(connection.token)


# GitHub


async def test_issues_are_talks_and_an_edited_comment_is_followed(
    ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        place.fake.open_issue(3, "The kettle leaks", "It drips on the shelf.")
        place.fake.comment(11, 3, "Mine too.")
        id = await connected(store, scope, "github", place)
        await synced(store, scope, id)
        assert await texts(store, scope) == ["ada: It drips on the shelf.\n\nbob: Mine too."]
        place.fake.comment(11, 3, "Mine is fixed.", moves=False)
        await synced(store, scope, id)
        assert await texts(store, scope) == ["ada: It drips on the shelf.\n\nbob: Mine is fixed."]
        del place.fake.issues[3]
        await request_sync(store, scope, id, full=True)
        await synced(store, scope, id)
        assert await texts(store, scope) == []


async def test_code_is_read_by_choice(ports: Ports, scope: Scope, tmp_path: Path) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        place.write("README", "How to build it.")
        place.fake.files |= {
            "src/main.py": "def lantern():\n    return 'zq11'\n",
            "vendor/other.py": "print('theirs')\n",
            "package-lock.json": "{}",
        }
        id = await connected(store, scope, "github", place)
        assert (await synced(store, scope, id)).added == 1
        new = NewConnection("github", {**place.fields, "code": "perhaps"}, place.chosen)
        with pytest.raises(Invalid, match="neither yes nor no"):
            await connect(store, scope, new)
        new = replace(new, fields={**place.fields, "code": "yes"})
        assert (await connect(store, scope, new))[0].id == id
        assert (await synced(store, scope, id)).added == 1
        items, _ = await list_items(store, scope, id, False, None, 10)
        files = [one.reference.rpartition(":")[2] for one in items]
        assert files == ["README.md", "src/main.py"]


async def test_a_spent_quota_and_a_revoked_token_of_github(
    ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        for number in range(5):
            place.write(f"note{number}", f"Text {number}.")
        id = await connected(store, scope, "github", place)
        place.fake.limit = 8
        await sync_connection(store, scope, id)
        connection, runs = await get_connection(store, scope, id)
        assert runs[0].outcome == "rate_limited" and connection.failures == 0
        assert connection.next_at and connection.next_at > now() + timedelta(minutes=15)
        place.fake.limit = None
        await synced(store, scope, id)
        assert len(await texts(store, scope)) == 5
        place.fake.token = None
        await sync_connection(store, scope, id)
        connection, _ = await get_connection(store, scope, id)
        assert connection.status == "needs_auth" and "make a new one" in str(connection.error)


# A folder


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[FolderPlace]:
    with folder_place(tmp_path) as place:
        yield place


async def walked(place: FolderPlace) -> list[SeenItem]:
    seen: list[SeenItem] = []
    at: Any = None
    while True:
        page = await place.connector.walk(Access(place.fields), at)
        seen += page.seen
        if page.at is None:
            return seen
        at = page.at


async def test_a_folder_is_walked_page_by_page_while_it_changes(folder: FolderPlace) -> None:
    for number in range(450):
        folder.write(f"deep/note{number:03}", f"Text {number}.")
    first = await folder.connector.walk(Access(folder.fields), None)
    folder.remove("deep/note000")
    folder.write("deep/note0001", "In between.")
    second = await folder.connector.walk(Access(folder.fields), first.at)
    third = await folder.connector.walk(Access(folder.fields), second.at)
    names = [one.reference for page in (first, second, third) for one in page.seen]
    assert third.at is None and len(names) == len(set(names)) == 450


async def test_what_is_hidden_or_leads_out_of_a_folder_is_not_seen(
    folder: FolderPlace, tmp_path: Path
) -> None:
    folder.write("seen", "Text.")
    folder.write(".obsidian/workspace", "Settings.")
    folder.write("node_modules/readme", "Not mine.")
    (tmp_path / "outside.md").write_text("A secret.")
    (folder.root / "link.md").symlink_to(tmp_path / "outside.md")
    (folder.root / "loop").symlink_to(folder.root)
    assert [one.reference for one in await walked(folder)] == ["seen.md"]
    linked = SeenItem("link.md", "1", "link.md")
    assert await folder.connector.read(Access(folder.fields), linked, tmp_path) is None
    above = SeenItem("../outside.md", "1", "../outside.md")
    assert await folder.connector.read(Access(folder.fields), above, tmp_path) is None


async def test_a_note_has_its_front_matter_tags_and_links(
    folder: FolderPlace, tmp_path: Path
) -> None:
    folder.write("daily/2024-02-17", "---\ntags: [tea]\n---\nSaw [[Ada]] today. #walk")
    (seen,) = await walked(folder)
    item = await folder.connector.read(Access(folder.fields), seen, tmp_path)
    assert isinstance(item, Item)
    assert set(item.tags) == {"tea", "walk"} and item.metadata["links"] == ["Ada"]


async def test_a_folder_that_is_not_allowed_or_not_there_is_refused(
    folder: FolderPlace, tmp_path: Path
) -> None:
    from remem.adapters.connectors.folder import FolderConnector
    from remem.core.errors import Unavailable

    none = FolderConnector([], 1_000)
    with pytest.raises(Invalid, match="REMEM_FOLDERS"):
        await none.account(Access(folder.fields))
    with pytest.raises(Unavailable):
        await folder.connector.account(Access({"path": str(tmp_path / "nowhere")}))
    with pytest.raises(Invalid, match="absolute"):
        await folder.connector.account(Access({"path": "Notes"}))
