"""Messages of a conversation become one document, against a real Dovecot: grouped by the messages
they refer to and never by subject, without quotes, and with attachments where requested."""

from dataclasses import replace
from email.message import EmailMessage

import pytest

from remem.adapters.connectors.mail import imap as connector_module
from remem.adapters.connectors.mail import listing, threads
from remem.adapters.connectors.mail.mark import mark_items
from remem.core.errors import Invalid
from tests.conformance.mail.conftest import empty
from tests.tools.mirror import Mirror, text_of
from tests.tools.places import MailPlace

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(place: MailPlace) -> MailPlace:
    with place.server.as_owner() as client:
        client.create("Sent")
    return place


def letter(
    id: str,
    text: str,
    references: str = "",
    subject: str = "Tea",
    sender: str = "Ada",
    day: int = 1,
) -> EmailMessage:
    """A message; `references` are the ids of the messages it answers."""
    message = EmailMessage()
    message["From"] = f"{sender} <{sender.lower()}@example.org>"
    message["Date"] = f"Mon, {day:02} Jun 2026 10:00:00 +0000"
    message["Subject"] = subject
    message["Message-ID"] = f"<{id}@example.org>"
    if references:
        message["References"] = " ".join(
            f"<{reference}@example.org>" for reference in references.split()
        )
        message["In-Reply-To"] = f"<{references.split()[-1]}@example.org>"
    message.set_content(text)
    return message


async def test_replies_are_turns_of_their_conversation(mirror: Mirror, place: MailPlace) -> None:
    place.append(letter("a", "Shall we have tea?").as_bytes())
    place.append(letter("other", "Another one.").as_bytes())
    await mirror.sync()
    assert mirror.texts == ["Ada: Another one.", "Ada: Shall we have tea?"]
    quoted = "On Monday, 1 June 2026 Ada <ada@example.org>\nwrote:\n\n> Shall we have tea?\n"
    reply = f"Yes, at four.\n\n-- \nBob, of the tea house\n\n{quoted}"
    place.append(letter("b", reply, "a", "Re: Tea", "Bob", 2).as_bytes())
    reads = mirror.reads
    await mirror.sync()
    assert mirror.texts == [
        "Ada: Another one.",
        "Ada: Shall we have tea?\nBob: Yes, at four.",
    ]
    assert mirror.reads == reads + 1
    talk = next(item for item in mirror.items.values() if len(item.turns) == 2)
    assert talk.title == "Tea" and talk.metadata["people"] == ["Ada", "Bob"]
    await mirror.sync(full=True)
    assert mirror.reads == reads + 1


async def test_a_deleted_message_leaves_the_rest_of_its_conversation(
    mirror: Mirror, place: MailPlace
) -> None:
    place.append(letter("a", "The first.", subject="one").as_bytes())
    place.append(letter("b", "The second.", "a", "two", day=2).as_bytes())
    place.append(letter("c", "The third.", "a b", "three", day=3).as_bytes())
    await mirror.sync()
    assert mirror.texts == ["Ada: The first.\nAda: The second.\nAda: The third."]
    place.remove("two")
    await mirror.sync()
    assert mirror.texts == ["Ada: The first.\nAda: The third."]
    place.remove("one")
    # Another process knows only what the mark contains.
    mirror.connector = place.connector
    await mirror.sync()
    assert mirror.texts == ["Ada: The third."] and len(mirror.items) == 1
    place.remove("three")
    await mirror.sync()
    assert mirror.items == {}
    await mirror.connector.close()


async def test_conversations_are_merged_by_a_later_message(
    mirror: Mirror, place: MailPlace
) -> None:
    place.append(letter("a", "The first.").as_bytes())
    place.append(letter("c", "The third.", "b", day=3).as_bytes())
    await mirror.sync()
    assert len(mirror.items) == 2
    place.append(letter("b", "The second.", "a", day=2).as_bytes())
    await mirror.sync()
    assert mirror.texts == ["Ada: The first.\nAda: The second.\nAda: The third."]


async def test_a_conversation_in_two_folders_with_a_message_in_both(
    mirror: Mirror, place: MailPlace
) -> None:
    place.append(letter("a", "Shall we?").as_bytes(), "Sent")
    answer = letter("b", "We shall.", "a", sender="Bob", day=2).as_bytes()
    place.append(answer)
    place.append(answer, "Sent")
    mirror.choose("INBOX", "Sent")
    await mirror.sync()
    assert mirror.texts == ["Ada: Shall we?\nBob: We shall."]


async def test_a_long_conversation_is_split(
    mirror: Mirror, place: MailPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "TALK_MESSAGES", 3)
    monkeypatch.setattr(connector_module, "PAGE", 2)
    for number in range(7):
        place.append(letter(f"m{number}", f"Line {number}.", "a", day=number + 1).as_bytes())
    await mirror.sync()
    assert sorted(len(item.turns) for item in mirror.items.values()) == [1, 3, 3]
    place.append(letter("m7", "Line 7.", "a", day=9).as_bytes())
    reads = mirror.reads
    await mirror.sync()
    assert mirror.reads == reads + 1
    assert sorted(len(item.turns) for item in mirror.items.values()) == [2, 3, 3]


async def test_only_the_newest_messages_of_a_very_large_folder(
    mirror: Mirror, place: MailPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector_module, "MESSAGES", 3)
    monkeypatch.setattr(listing, "MESSAGES", 3)
    for number in range(5):
        place.append(letter(f"m{number}", f"Line {number}.").as_bytes())
    await mirror.sync()
    assert mirror.texts == ["Ada: Line 2.", "Ada: Line 3.", "Ada: Line 4."]
    assert mirror.skipped == {"INBOX": "the folder has 2 older messages; the newest 3 are read"}
    place.append(letter("m5", "Line 5.").as_bytes())
    await mirror.sync()
    await mirror.sync(full=True)
    # Messages that were already read stay.
    assert len(mirror.items) == 4


async def test_a_mark_of_an_earlier_release_starts_a_full_walk(
    mirror: Mirror, place: MailPlace
) -> None:
    place.append(letter("a", "The first.").as_bytes())
    await mirror.sync()
    mark = await mirror.connector.begin(mirror.access)
    assert list(mark_items(mark)) == list(mirror.items)
    mirror._mark = {"INBOX": {"validity": 1, "uids": "1"}}
    await mirror.sync()
    assert len(mirror.items) == 1


# Attachments


def with_files(id: str, *files: tuple[str, bytes]) -> bytes:
    message = letter(id, "See the plans.")
    for name, data in files:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


async def sync_with_attachments(mirror: Mirror, setting: str = "yes") -> None:
    mirror.access = replace(
        mirror.access, settings={**mirror.access.settings, "attachments": setting}
    )
    await mirror.sync(full=True)


async def test_attachments_are_listed_and_read_on_request(mirror: Mirror, place: MailPlace) -> None:
    place.append(with_files("a", ("plan.txt", b"Two floors."), ("größe.md", b"# Sizes")))
    await mirror.sync()
    assert mirror.texts == ["Ada: See the plans.\n\nAttachments: plan.txt, größe.md"]
    await sync_with_attachments(mirror)
    files = {item.title: item for item in mirror.items.values() if item.kind == "document"}
    assert set(files) == {"plan.txt", "größe.md"}
    assert files["plan.txt"].content == "Two floors." and files["plan.txt"].created_at
    await sync_with_attachments(mirror, "no")
    assert len(mirror.items) == 1
    with pytest.raises(Invalid, match="neither yes nor no"):
        await sync_with_attachments(mirror, "some")


async def test_attachments_are_limited_and_their_names_are_safe(
    mirror: Mirror, place: MailPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "ATTACHMENTS", 3)
    names = ["../../etc/passwd", "C:\\boot.ini", "x" * 5_000 + ".pdf", "fourth.txt"]
    place.append(with_files("a", *((name, b"Words.") for name in names)))
    place.append(with_files("b", ("large.bin", b"x" * 1_100_000), ("empty.txt", b"")))
    await sync_with_attachments(mirror)
    titles = sorted(str(item.title) for item in mirror.items.values() if item.kind == "document")
    assert titles == ["boot.ini", "passwd", "x" * 100 + ".pdf"]
    reasons = sorted(mirror.skipped.values())
    assert reasons == [
        "it has 4 attachments; the first 3 are read",
        "it is empty",
        "it is larger than 1 MB",
    ]
    with place.server.as_owner() as client:
        empty(client)
    await mirror.sync()
    assert mirror.items == {}


async def test_a_forwarded_message_is_an_attachment(mirror: Mirror, place: MailPlace) -> None:
    message = letter("a", "For you.")
    message.add_attachment(letter("inner", "The forwarded words."))
    place.append(message.as_bytes())
    await sync_with_attachments(mirror)
    assert [text_of(item) for item in mirror.items.values() if item.kind == "talk"] == [
        "Ada: For you.\n\nAttachments: forwarded message.eml"
    ]
    (file,) = [item for item in mirror.items.values() if item.kind == "document"]
    assert "The forwarded words." in file.content
