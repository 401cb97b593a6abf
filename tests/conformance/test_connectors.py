"""The contract of connectors, tested for each with its own service and the real store."""

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
# Only a full walk shows that something was deleted.
NEEDS_WALK = ("x",)


@pytest.fixture(params=list(PLACES))
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def place(provider: str, tmp_path: Path) -> Iterator[Place]:
    with PLACES[provider](tmp_path) as service:
        yield service


@pytest.fixture
async def store(ports: Ports, provider: str, place: Place) -> AsyncIterator[Ports]:
    connectors = {provider: place.connector}
    yield replace(ports, connectors=connectors, queue=IdleQueue())  # type: ignore[arg-type]
    await connectors[provider].close()


async def connect_place(store: Ports, scope: Scope, provider: str, place: Place) -> UUID:
    new = NewConnection(provider, place.fields, place.chosen)
    return (await connect(store, scope, new))[0].id


async def sync(store: Ports, scope: Scope, id: UUID) -> SyncRun:
    await sync_connection(store, scope, id)
    connection, runs = await get_connection(store, scope, id)
    assert runs[0].outcome == "done", connection.error
    return runs[0]


async def sync_with_deletions(store: Ports, scope: Scope, id: UUID, provider: str) -> SyncRun:
    if provider in NEEDS_WALK:
        await request_sync(store, scope, id, full=True)
    return await sync(store, scope, id)


async def texts(store: Ports, scope: Scope) -> list[str]:
    async with store.db.transaction(scope) as tx:
        rows = await tx.fetch(
            "SELECT content FROM documents WHERE tenant_id = $1 AND is_latest ORDER BY content"
        )
    # A conversation names its speakers.
    return [row["content"].strip().removeprefix("Ada: ") for row in rows]


async def test_wrong_fields_are_refused_with_advice(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    with pytest.raises((Invalid, NeedsAuth)) as error:
        await connect(store, scope, NewConnection(provider, place.wrong_fields))
    assert ";" in error.value.message
    with pytest.raises(Invalid):
        await connect(store, scope, NewConnection(provider, {**place.fields, "other": "x"}))


async def test_added_changed_renamed_and_removed_items(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    place.write("second", "The bakery closes on Monday.")
    id = await connect_place(store, scope, provider, place)
    run = await sync(store, scope, id)
    assert (run.added, run.skipped) == (2, 0)
    run = await sync(store, scope, id)
    assert (run.added, run.updated, run.deleted, run.skipped) == (0, 0, 0, 0)
    place.write("first", "The kettle stands in the cellar now.")
    place.rename("second", "third")
    run = await sync_with_deletions(store, scope, id, provider)
    # Where items cannot be changed, the changed one is a new item.
    assert run.updated == 1 or (provider in IMMUTABLE and run.added and run.deleted)
    assert await texts(store, scope) == [
        "The bakery closes on Monday.",
        "The kettle stands in the cellar now.",
    ]
    place.remove("third")
    await sync_with_deletions(store, scope, id, provider)
    assert await texts(store, scope) == ["The kettle stands in the cellar now."]
    assert "bakery" not in str(await recall(store, scope, Query("bakery Monday")))


async def test_the_same_text_twice_is_one_document(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The same words.")
    place.write("second", "The same words.")
    id = await connect_place(store, scope, provider, place)
    await sync(store, scope, id)
    assert await texts(store, scope) == ["The same words."]
    place.remove("first")
    await sync_with_deletions(store, scope, id, provider)
    assert await texts(store, scope) == ["The same words."]


async def test_a_check_saves_nothing(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    account_check = await check_account(
        store, scope, NewConnection(provider, place.fields, place.chosen)
    )
    assert (
        account_check.seen == 1
        and account_check.account
        and await list_connections(store, scope) == []
    )
    check_without_choice = await check_account(store, scope, NewConnection(provider, place.fields))
    assert check_without_choice.account == account_check.account
    id = await connect_place(store, scope, provider, place)
    assert (await check_connection(store, scope, id)).seen == 1
    assert await texts(store, scope) == []


async def test_an_erased_connection_leaves_nothing_to_find(
    store: Ports, scope: Scope, provider: str, place: Place
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    id = await connect_place(store, scope, provider, place)
    await sync(store, scope, id)
    await disconnect(store, scope, id, erase=True)
    await remove_connection(store, scope, id)
    assert await texts(store, scope) == []
    assert "kettle" not in str(await recall(store, scope, Query("kettle")))


async def test_no_secret_is_in_any_row_or_log(
    store: Ports,
    scope: Scope,
    provider: str,
    place: Place,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place.write("first", "The kettle stands on the shelf.")
    id = await connect_place(store, scope, provider, place)
    await sync(store, scope, id)
    connection, _ = await get_connection(store, scope, id)
    rows = str(await rows_of(store, str(scope.tenant_id)))
    output = capsys.readouterr()
    secrets = [value for value in place.fields.values() if "xyzzy" in value]
    for secret in secrets:
        for text in (rows, repr(connection), caplog.text, output.out, output.err):
            assert secret not in text
            assert secret.encode().hex() not in text
    assert bool(secrets) == bool(connection.token)


# GitHub


async def test_issues_are_conversations_and_edited_comments_are_updated(
    ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        place.fake.open_issue(3, "The kettle leaks", "It drips on the shelf.")
        place.fake.comment(11, 3, "Mine too.")
        id = await connect_place(store, scope, "github", place)
        await sync(store, scope, id)
        assert await texts(store, scope) == ["ada: It drips on the shelf.\n\nbob: Mine too."]
        place.fake.comment(11, 3, "Mine is fixed.", moves=False)
        await sync(store, scope, id)
        assert await texts(store, scope) == ["ada: It drips on the shelf.\n\nbob: Mine is fixed."]
        del place.fake.issues[3]
        await request_sync(store, scope, id, full=True)
        await sync(store, scope, id)
        assert await texts(store, scope) == []


async def test_code_is_read_on_request(ports: Ports, scope: Scope, tmp_path: Path) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        place.write("README", "How to build it.")
        place.fake.files |= {
            "src/main.py": "def lantern():\n    return 'zq11'\n",
            "vendor/other.py": "print('theirs')\n",
            "package-lock.json": "{}",
        }
        id = await connect_place(store, scope, "github", place)
        assert (await sync(store, scope, id)).added == 1
        new = NewConnection("github", {**place.fields, "code": "perhaps"}, place.chosen)
        with pytest.raises(Invalid, match="neither yes nor no"):
            await connect(store, scope, new)
        new = replace(new, fields={**place.fields, "code": "yes"})
        assert (await connect(store, scope, new))[0].id == id
        assert (await sync(store, scope, id)).added == 1
        items, _ = await list_items(store, scope, id, False, None, 10)
        files = [item.reference.rpartition(":")[2] for item in items]
        assert files == ["README.md", "src/main.py"]


async def test_an_exhausted_quota_and_a_revoked_token_of_github(
    ports: Ports, scope: Scope, tmp_path: Path
) -> None:
    with github_place(tmp_path) as place:
        store = replace(ports, connectors={"github": place.connector}, queue=IdleQueue())  # type: ignore[arg-type]
        for number in range(5):
            place.write(f"note{number}", f"Text {number}.")
        id = await connect_place(store, scope, "github", place)
        place.fake.limit = 8
        await sync_connection(store, scope, id)
        connection, runs = await get_connection(store, scope, id)
        assert runs[0].outcome == "rate_limited" and connection.failures == 0
        assert connection.next_at and connection.next_at > now() + timedelta(minutes=15)
        place.fake.limit = None
        await sync(store, scope, id)
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


async def walk_all(place: FolderPlace) -> list[SeenItem]:
    seen: list[SeenItem] = []
    position: Any = None
    while True:
        page = await place.connector.walk(Access(place.fields), position)
        seen += page.seen
        if page.at is None:
            return seen
        position = page.at


async def test_a_folder_is_walked_page_by_page_while_it_changes(folder: FolderPlace) -> None:
    for number in range(450):
        folder.write(f"deep/note{number:03}", f"Text {number}.")
    first = await folder.connector.walk(Access(folder.fields), None)
    folder.remove("deep/note000")
    folder.write("deep/note0001", "In between.")
    second = await folder.connector.walk(Access(folder.fields), first.at)
    third = await folder.connector.walk(Access(folder.fields), second.at)
    names = [item.reference for page in (first, second, third) for item in page.seen]
    assert third.at is None and len(names) == len(set(names)) == 450


async def test_hidden_files_and_links_out_of_a_folder_are_ignored(
    folder: FolderPlace, tmp_path: Path
) -> None:
    folder.write("seen", "Text.")
    folder.write(".obsidian/workspace", "Settings.")
    folder.write("node_modules/readme", "Not mine.")
    (tmp_path / "outside.md").write_text("A secret.")
    (folder.root / "link.md").symlink_to(tmp_path / "outside.md")
    (folder.root / "loop").symlink_to(folder.root)
    assert [item.reference for item in await walk_all(folder)] == ["seen.md"]
    linked = SeenItem("link.md", "1", "link.md")
    assert await folder.connector.read(Access(folder.fields), linked, tmp_path) is None
    above = SeenItem("../outside.md", "1", "../outside.md")
    assert await folder.connector.read(Access(folder.fields), above, tmp_path) is None


async def test_tags_and_links_of_a_note_are_read(folder: FolderPlace, tmp_path: Path) -> None:
    folder.write("daily/2024-02-17", "---\ntags: [tea]\n---\nSaw [[Ada]] today. #walk")
    (seen,) = await walk_all(folder)
    item = await folder.connector.read(Access(folder.fields), seen, tmp_path)
    assert isinstance(item, Item)
    assert set(item.tags) == {"tea", "walk"} and item.metadata["links"] == ["Ada"]


async def test_a_folder_that_is_not_allowed_or_missing_is_refused(
    folder: FolderPlace, tmp_path: Path
) -> None:
    from remem.adapters.connectors.folder import FolderConnector
    from remem.core.errors import Unavailable

    no_folders = FolderConnector([], 1_000)
    with pytest.raises(Invalid, match="REMEM_FOLDERS"):
        await no_folders.account(Access(folder.fields))
    with pytest.raises(Unavailable):
        await folder.connector.account(Access({"path": str(tmp_path / "nowhere")}))
    with pytest.raises(Invalid, match="absolute"):
        await folder.connector.account(Access({"path": "Notes"}))
