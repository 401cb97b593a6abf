"""What is specific to OneDrive: delta lists, moved folders, downloads from other hosts."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable
from tests.tools.mirror import Mirror
from tests.tools.onedrive import FOLDER, ROOT
from tests.tools.places import OneDrivePlace, onedrive_place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[OneDrivePlace]:
    with onedrive_place(tmp_path) as onedrive:
        yield onedrive


@pytest.fixture
async def mirror(place: OneDrivePlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_files_in_many_pages_and_skipped_files(mirror: Mirror, place: OneDrivePlace) -> None:
    fake = place.fake
    fake.page_size = 3
    for number in range(8):
        place.write(f"note{number}", f"Text {number}.")
    fake.write("drive!e", "empty.md", b"")
    fake.write("drive!l", "large.bin", b"x" * 1_200_000)
    fake.write("drive!o", "outside.md", b"Elsewhere.", ROOT)
    await mirror.sync()
    assert len(mirror.items) == 8 and "Elsewhere." not in mirror.texts
    assert mirror.skipped == {"empty.md": "it is empty", "large.bin": "it is larger than 1 MB"}
    reads = mirror.reads
    await mirror.sync()
    await mirror.sync(full=True)
    assert mirror.reads == reads
    assert len(fake.served) == 8


async def test_a_moved_folder_moves_its_files(mirror: Mirror, place: OneDrivePlace) -> None:
    fake = place.fake
    fake.page_size = 2
    fake.add_folder("drive!in", "Inner", ROOT)
    fake.add_folder("drive!deep", "Deeper", "drive!in")
    for number in range(3):
        fake.write(f"drive!k{number}", f"k{number}.md", f"Kettle {number}.".encode(), "drive!deep")
    place.write("teapot", "The teapot.")
    await mirror.sync()
    assert mirror.texts == ["The teapot."]
    fake.change("drive!in", parent=FOLDER)
    await mirror.sync()
    assert len(mirror.texts) == 4
    fake.change("drive!in", parent=ROOT)
    await mirror.sync()
    assert mirror.texts == ["The teapot."]


async def test_expired_marks_a_pause_and_a_revoked_token(
    mirror: Mirror, place: OneDrivePlace
) -> None:
    for number in range(4):
        place.write(f"note{number}", f"Text {number}.")
    place.fake.limit = 4
    with pytest.raises(AskedTooOften):
        await mirror.sync()
    place.fake.limit = None
    await mirror.sync()
    place.remove("note1")
    place.fake.forgotten = len(place.fake.log)
    await mirror.sync()
    assert len(mirror.texts) == 3
    place.fake.token = None
    with pytest.raises(NeedsAuth, match="connect OneDrive again"):
        await mirror.sync()


async def test_what_can_be_chosen(mirror: Mirror, place: OneDrivePlace) -> None:
    page = await mirror.connector.resources(mirror.access, None, None)
    assert [resource.reference for resource in page.resources] == ["everything", FOLDER]
    mirror.choose("../../users")
    with pytest.raises(Invalid, match="not a folder"):
        await mirror.sync()
    mirror.choose("everything")
    place.fake.write("drive!o", "outside.md", b"Elsewhere.", ROOT)
    await mirror.sync()
    assert mirror.texts == ["Elsewhere."]


async def test_a_download_url_without_tls_is_refused(mirror: Mirror, place: OneDrivePlace) -> None:
    place.write("first", "The kettle.")
    url, place.fake.url = place.fake.url, "http://192.0.2.1"
    with pytest.raises(Unavailable, match="not https"):
        await mirror.sync()
    place.fake.url = url
