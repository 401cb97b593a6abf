"""What is specific to Notion: rows with properties, omitted blocks, quick edits, choices."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid
from remem.core.time import now
from tests.tools.mirror import Mirror
from tests.tools.notion import Page, page_id, text
from tests.tools.places import NotionPlace, notion_place

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[NotionPlace]:
    with notion_place(tmp_path) as notion:
        yield notion


@pytest.fixture
async def mirror(place: NotionPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_a_row_has_its_properties_and_its_body(mirror: Mirror, place: NotionPlace) -> None:
    source = place.fake.add_database("Books")
    row = place.fake.add_row(
        source,
        "Dune",
        "Read it twice. ![cover](https://files.example/c.png?X-Amz-Expires=1&X-Amz-Signature=a)",
        Pages={"id": "a", "type": "number", "number": 412},
        Author={"id": "b", "type": "rich_text", "rich_text": text("Frank Herbert")},
        Lent={"id": "c", "type": "checkbox", "checkbox": False},
        Read={
            "id": "d",
            "type": "date",
            "date": {"start": "2026-01-02", "end": "2026-01-09", "time_zone": None},
        },
        Series={
            "id": "e",
            "type": "relation",
            "relation": [{"id": page_id("Messiah")}],
        },
        Empty={"id": "f", "type": "url", "url": None},
    )
    place.fake.unlisted.add(row.id)
    place.fake.write("Other", "A page.")
    await mirror.sync()
    (row_text,) = [
        document_text for document_text in mirror.texts if "Read it twice" in document_text
    ]
    linked_id = page_id("Messiah").replace("-", "")
    assert row_text == (
        "- **Author**: Frank Herbert\n- **Lent**: no\n- **Pages**: 412\n"
        f"- **Read**: 2026-01-02 → 2026-01-09\n- **Series**: https://www.notion.so/{linked_id}\n\n"
        "Read it twice. ![cover](https://files.example/c.png)"
    )


async def test_an_edit_in_the_minute_of_a_sync_is_found(mirror: Mirror, place: NotionPlace) -> None:
    page = place.fake.write("first", "Before.")
    await mirror.sync()
    place.fake.edit("first", "After.", at=page.edited)
    place.fake.tick()
    await mirror.sync()
    assert mirror.texts == ["After."]
    reads = mirror.reads
    await mirror.sync()
    assert mirror.reads == reads


async def test_omitted_blocks_are_requested_once_each(mirror: Mirror, place: NotionPlace) -> None:
    """Also when blocks refer to each other."""
    block, other = page_id("block"), page_id("other block")
    place.fake.write("first", "The beginning.", unknown=[block])
    parent = {"type": "page_id", "page_id": page_id("first")}
    place.fake.blocks[block] = Page(block, "", "The middle.", "", parent, unknown=[other])
    place.fake.blocks[other] = Page(other, "", "The end.", "", parent, unknown=[block, other])
    await mirror.sync()
    assert mirror.texts == ["The beginning.\n\nThe middle.\n\nThe end."]


async def test_only_pages_below_the_chosen_one_are_read(mirror: Mirror, place: NotionPlace) -> None:
    fake = place.fake
    top = fake.write("top", "Chosen.")
    toggle = page_id("toggle")
    fake.blocks[toggle] = Page(toggle, "", "", top.edited, {"type": "page_id", "page_id": top.id})
    inside = fake.write("inside", "Below.", parent={"type": "block_id", "block_id": toggle})
    fake.write("deep", "Further below.", parent={"type": "page_id", "page_id": inside.id})
    fake.write("beside", "Not chosen.")
    mirror.choose(top.id.replace("-", ""))
    await mirror.sync()
    assert mirror.texts == ["Below.", "Chosen.", "Further below."]
    inside.parent = {"type": "workspace", "workspace": True}
    fake.edit("inside", "Moved away.")
    await mirror.sync(full=True)
    assert mirror.texts == ["Chosen."]


async def test_an_expired_cursor_starts_the_list_again(mirror: Mirror, place: NotionPlace) -> None:
    place.fake.page_size = 3
    for number in range(10):
        place.fake.write(f"note {number}", f"Text {number}.")
    place.fake.expired.add("cursor-6")
    await mirror.sync()
    assert len(mirror.texts) == 10


async def test_a_page_that_is_no_longer_shared_is_removed_by_the_next_full_walk(
    mirror: Mirror, place: NotionPlace
) -> None:
    place.fake.write("first", "Stays.")
    place.fake.write("second", "Goes.")
    await mirror.sync()
    del place.fake.pages[page_id("second")]
    await mirror.sync()
    assert len(mirror.texts) == 2
    await mirror.sync(full=True)
    assert mirror.texts == ["Stays."]


async def test_nothing_shared_a_pause_and_a_revoked_token(
    mirror: Mirror, place: NotionPlace
) -> None:
    with pytest.raises(Invalid, match="••• → Connections"):
        await mirror.connector.account(mirror.access)
    for number in range(5):
        place.write(f"note {number}", f"Text {number}.")
    place.fake.limit = 6
    with pytest.raises(AskedTooOften) as error:
        await mirror.sync()
    assert error.value.until > now() + timedelta(minutes=15)
    place.fake.limit = None
    await mirror.sync()
    assert len(mirror.texts) == 5
    place.fake.token = None
    with pytest.raises(NeedsAuth, match=r"notion\.so/profile/integrations"):
        await mirror.sync()


async def test_what_can_be_chosen(place: NotionPlace) -> None:
    source = place.fake.add_database("Books")
    place.fake.add_row(source, "Dune", "A row is chosen with its database.")
    place.fake.write("Garden", "Plans.")
    access = Access({}, (), place.fields)
    connector = place.connector
    first = await connector.resources(access, None, None)
    assert [resource.name for resource in first.resources] == [
        "Everything that is shared",
        "Untitled",
    ]
    second = await connector.resources(access, None, first.next)
    assert [resource.name for resource in second.resources] == ["Garden"] and second.next is None
    with pytest.raises(NeedsAuth):
        await connector.account(Access({}, (), place.wrong_fields))
    await connector.close()
