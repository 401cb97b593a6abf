"""What is specific to Slack: threads, days, marked messages, later edits and deletions."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from remem.adapters.connectors.slack import connector as connector_module
from remem.adapters.connectors.slack.text import message_text
from remem.core.connectors.errors import AskedTooOften, NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid
from tests.tools.mirror import Mirror
from tests.tools.places import SlackPlace, slack_place
from tests.tools.slack import CHANNEL

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> Iterator[SlackPlace]:
    with slack_place(tmp_path) as slack:
        yield slack


@pytest.fixture
async def mirror(place: SlackPlace) -> AsyncIterator[Mirror]:
    connector = place.connector
    yield Mirror(connector, Access({}, place.chosen, place.fields))
    await connector.close()


async def test_threads_and_days_are_conversations(mirror: Mirror, place: SlackPlace) -> None:
    fake = place.fake
    start = fake.clock - timedelta(days=30)
    first = fake.say("Who has the kettle?", start)
    fake.say(
        "Me, <@U0ADA> &amp; <#C1|tea>.", start + timedelta(minutes=1), "U0BOB", thread_ts=first
    )
    fake.say("Good morning.", start + timedelta(minutes=2))
    fake.say("Good evening.", start + timedelta(minutes=3), "U0BOB")
    await mirror.sync()
    assert mirror.texts == [
        "Ada: Good morning.\nBob: Good evening.",
        "Ada: Who has the kettle?\nBob: Me, @Ada & #tea.",
    ]
    reads = mirror.reads
    await mirror.sync(full=True)
    assert mirror.reads == reads
    fake.say("Thanks.", start + timedelta(days=20), thread_ts=first)
    await mirror.sync(full=True)
    assert "Ada: Thanks." in mirror.texts[1]


async def test_new_edited_and_deleted_messages_of_the_last_days(
    mirror: Mirror, place: SlackPlace
) -> None:
    fake = place.fake
    yesterday = fake.clock - timedelta(days=1)
    first = fake.say("First.", yesterday)
    await mirror.sync()
    fake.messages[first]["text"] = "Edited."
    second = fake.say("Second.", fake.clock - timedelta(seconds=1))
    await mirror.sync()
    assert mirror.texts == ["Ada: Edited.", "Ada: Second."]
    fake.say("An answer.", fake.clock, "U0BOB", thread_ts=second)
    await mirror.sync()
    assert mirror.texts == ["Ada: Edited.", "Ada: Second.\nBob: An answer."]
    del fake.messages[first]
    await mirror.sync()
    assert mirror.texts == ["Ada: Second.\nBob: An answer."]


async def test_days_are_complete_with_any_page_size(
    mirror: Mirror, place: SlackPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector_module, "PAGE", 3)
    fake = place.fake
    for day in range(6):
        noon = fake.clock.replace(hour=12, minute=0) - timedelta(days=day + 10)
        for number in range(day + 1):
            fake.say(f"{day} {number}", noon + timedelta(minutes=number))
    await mirror.sync()
    lines = sorted(text.count("Ada:") for text in mirror.texts)
    assert lines == [1, 2, 3, 4, 5, 6]


async def test_only_marked_messages_can_be_chosen(mirror: Mirror, place: SlackPlace) -> None:
    fake = place.fake
    marked = fake.say("Remember the <https://tea.example|tea>.", fake.clock)
    other = fake.say("Not this one.", fake.clock + timedelta(seconds=1))
    fake.mark(marked, "brain")
    fake.mark(other, "tada")
    mirror.choose("marked")
    await mirror.sync()
    assert mirror.texts == ["Ada: Remember the [tea](https://tea.example)."]
    fake.messages[marked]["reactions"] = []
    await mirror.sync(full=True)
    assert mirror.texts == []


async def test_a_left_channel_a_pause_a_missing_scope_and_a_revoked_token(
    mirror: Mirror, place: SlackPlace
) -> None:
    place.write("first", "The kettle.")
    place.fake.limit = 1
    with pytest.raises(AskedTooOften):
        await mirror.sync()
    place.fake.limit = None
    await mirror.sync()
    assert mirror.texts == ["Ada: The kettle."]
    place.fake.channels.clear()
    await mirror.sync(full=True)
    assert mirror.texts == []
    place.fake.missing_scope = "channels:history"
    with pytest.raises(Invalid, match="channels:history"):
        await mirror.sync()
    place.fake.missing_scope, place.fake.token = None, None
    with pytest.raises(NeedsAuth, match="OAuth & Permissions"):
        await mirror.sync()


async def test_what_can_be_chosen(mirror: Mirror) -> None:
    page = await mirror.connector.resources(mirror.access, None, None)
    assert [resource.reference for resource in page.resources] == ["marked", CHANNEL]
    mirror.choose("general")
    with pytest.raises(Invalid, match="not a channel"):
        await mirror.sync()


def test_text_of_blocks_and_of_hostile_ones() -> None:
    inner = {"type": "rich_text_section", "elements": [{"type": "text", "text": "From blocks"}]}
    assert (
        message_text({"blocks": [{"type": "rich_text", "elements": [inner]}]}, {}) == "From blocks"
    )
    deep: dict[str, object] = {}
    for _ in range(5_000):
        deep = {"elements": [deep]}
    assert message_text({"blocks": [deep]}, {}) == ""
    assert message_text({"text": "<" * 100_000}, {}).startswith("<<<")
