"""What is specific to Google Drive: kinds of files, moved folders, service accounts and quotas."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid
from tests.tools.google_drive import GOOGLE, ROOT
from tests.tools.mirror import Mirror
from tests.tools.places import DrivePlace, drive_place

pytestmark = pytest.mark.anyio

DOCUMENT, FOLDER = f"{GOOGLE}document", f"{GOOGLE}folder"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[DrivePlace]:
    with drive_place(tmp_path) as drive:
        yield drive


@pytest.fixture
async def mirror(place: DrivePlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_documents_sheets_files_and_shortcuts(mirror: Mirror, place: DrivePlace) -> None:
    fake = place.fake
    text = b"The kettle.\n\n![][image1]\n\n[image1]: <data:image/png;base64,AAAA>\n"
    fake.add("d1", "Kettle", text, DOCUMENT, ROOT)
    fake.add("s1", "Prices", b"PK sheet", f"{GOOGLE}spreadsheet", ROOT)
    fake.add("f1", "note.txt", "Plain café.".encode(), "text/plain", ROOT)
    fake.add("o1", "outside.txt", b"Elsewhere.", "text/plain", None)
    fake.add("c1", "to it", b"", f"{GOOGLE}shortcut", ROOT).target = "o1"
    fake.add("c2", "to nothing", b"", f"{GOOGLE}shortcut", ROOT).target = "gone"
    fake.add("q1", "Survey", b"", f"{GOOGLE}form", ROOT)
    fake.add("b1", "big", b"x" * 2_000_000, "text/plain", ROOT)
    fake.add("l1", "long", b"x" * 10_000_001, DOCUMENT, ROOT)
    await mirror.sync()
    assert mirror.texts[:3] == ["Elsewhere.", "PK sheet", "Plain café."]
    assert mirror.texts[3].startswith("The kettle.") and "base64" not in mirror.texts[3]
    assert mirror.items["s1"].title == "Prices.xlsx" and mirror.items["d1"].title == "Kettle"
    assert mirror.skipped == {
        "Survey": "a Google form has no text to export",
        "big": "it is larger than 1 MB",
        "long": "Google exports at most 10 MB of it, or it may not be exported",
    }


async def test_a_moved_folder_moves_its_files(mirror: Mirror, place: DrivePlace) -> None:
    fake = place.fake
    fake.add("inner", "Inner", b"", FOLDER, None)
    fake.add("deeper", "Deeper", b"", FOLDER, "inner")
    fake.add("d1", "Kettle", b"The kettle.", DOCUMENT, "deeper")
    fake.add("d2", "Teapot", b"The teapot.", DOCUMENT, ROOT)
    await mirror.sync()
    assert mirror.texts == ["The teapot."]
    fake.change("inner", parent=ROOT)
    await mirror.sync()
    assert mirror.texts == ["The kettle.", "The teapot."]
    fake.change("inner", parent=None)
    await mirror.sync()
    assert mirror.texts == ["The teapot."]
    fake.change("inner", parent=ROOT)
    await mirror.sync()
    fake.change("inner", trashed=True)
    fake.files["d1"].trashed = True
    await mirror.sync()
    assert mirror.texts == ["The teapot."]


async def test_expired_marks_and_small_pages(mirror: Mirror, place: DrivePlace) -> None:
    place.fake.page_size = 2
    for number in range(7):
        place.write(f"note{number}", f"Text {number}.")
    await mirror.sync()
    place.remove("note3")
    place.write("note7", "Text 7.")
    place.fake.forgotten = len(place.fake.log)
    await mirror.sync()
    assert len(mirror.texts) == 7


@pytest.mark.parametrize("reason", [None, "userRateLimitExceeded"])
async def test_an_exhausted_quota(mirror: Mirror, place: DrivePlace, reason: str | None) -> None:
    for number in range(4):
        place.write(f"note{number}", f"Text {number}.")
    place.fake.limit, place.fake.limit_reason = 5, reason
    with pytest.raises(AskedTooOften):
        await mirror.sync()
    place.fake.limit = None
    await mirror.sync()
    assert len(mirror.texts) == 4


async def test_an_expired_token_is_replaced_and_a_revoked_key_is_reported(
    mirror: Mirror, place: DrivePlace
) -> None:
    place.write("first", "The kettle.")
    await mirror.sync()
    assert place.fake.grants == 1
    place.fake.token = "ya29.second"
    await mirror.sync()
    assert place.fake.grants == 2
    place.fake.token, place.fake.is_key_revoked = "ya29.third", True
    with pytest.raises(NeedsAuth, match="Service accounts"):
        await mirror.sync()


async def test_everything_that_is_shared_can_be_chosen(mirror: Mirror, place: DrivePlace) -> None:
    mirror.choose("everything")
    place.fake.add("d1", "Alone", b"Shared by itself.", DOCUMENT, None)
    place.write("first", "In a folder.")
    await mirror.sync()
    assert mirror.texts == ["In a folder.", "Shared by itself."]
    place.fake.delete("d1")
    await mirror.sync()
    assert mirror.texts == ["In a folder."]
    reads = mirror.reads
    await mirror.sync(full=True)
    assert mirror.reads == reads and mirror.texts == ["In a folder."]


async def test_what_can_be_chosen(place: DrivePlace) -> None:
    place.fake.add("inner", "Inner", b"", FOLDER, ROOT)
    access = Access({}, (), place.fields)
    connector = place.connector
    page = await connector.resources(access, None, None)
    assert [resource.reference for resource in page.resources] == ["everything", ROOT]
    inner = await connector.resources(access, ROOT, None)
    assert [resource.name for resource in inner.resources] == ["Inner"]
    with pytest.raises(Invalid, match="not a folder"):
        await connector.begin(replace(access, chosen=("' or 1=1",)))
    await connector.close()
