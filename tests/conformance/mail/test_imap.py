"""What is specific to mail, against a real Dovecot: folders, expunged messages, new UIDVALIDITY."""

import pytest

from remem.adapters.connectors.mail import imap as connector_module
from remem.adapters.connectors.mail.imap import ImapConnector
from remem.adapters.connectors.mail.names import decode_folder_name, format_ranges, parse_ranges
from remem.core.connectors.errors import NeedsAuth
from remem.core.connectors.model import Access
from remem.core.errors import Invalid, Unavailable
from tests.tools.dovecot import USER
from tests.tools.mirror import Mirror
from tests.tools.places import MailPlace

pytestmark = pytest.mark.anyio

HTML = b"Subject: Page\r\nContent-Type: text/html\r\n\r\n<p>The kettle.</p>\r\n"


async def test_messages_come_and_go_and_are_never_marked_as_read(
    mirror: Mirror, place: MailPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connector_module, "PAGE", 3)
    for number in range(7):
        place.write(f"note{number}", f"Text {number}.")
    await mirror.sync()
    assert len(mirror.texts) == 7
    place.remove("note2")
    for number in range(10, 15):
        place.write(f"note{number}", f"Text {number}.")
    reads = mirror.reads
    await mirror.sync()
    assert len(mirror.texts) == 11 and mirror.reads == reads + 5
    await mirror.sync(full=True)
    assert len(mirror.texts) == 11 and mirror.reads == reads + 5
    with place.server.as_owner() as client:
        client.select("INBOX", readonly=True)
        assert client.uid("SEARCH", "SEEN")[1] == [b""]


async def test_html_large_and_headerless_messages(mirror: Mirror, place: MailPlace) -> None:
    place.append(HTML)
    place.append(b"Subject: Large\r\n\r\n" + b"x" * 1_200_000)
    place.append(b"\xff\xfe\x00 no header at all \xe9\r\n")
    await mirror.sync()
    assert mirror.texts == ["unknown: The kettle."]
    assert sorted(mirror.skipped.values()) == [
        "it has no text that can be read",
        "its text is larger than 1 MB",
    ]


async def test_a_folder_with_a_new_uidvalidity_is_listed_again(
    mirror: Mirror, place: MailPlace
) -> None:
    with place.server.as_owner() as client:
        client.create("Tea")
    place.append(HTML, "Tea")
    mirror.choose("Tea")
    await mirror.sync()
    before = set(mirror.items)
    with place.server.as_owner() as client:
        client.delete("Tea")
        client.create("Tea")
    place.append(HTML.replace(b"Page", b"Other"), "Tea")
    await mirror.sync()
    assert [item.title for item in mirror.items.values()] == ["Other"]
    assert not before & set(mirror.items)


async def test_folder_names_are_decoded_and_checked(mirror: Mirror, place: MailPlace) -> None:
    with place.server.as_owner() as client:
        client.create("Entw&APw-rfe")
    page = await mirror.connector.resources(mirror.access, None, None)
    assert ("Entw&APw-rfe", "Entwürfe") in [
        (folder.reference, folder.name) for folder in page.resources
    ]
    mirror.choose("Nowhere")
    with pytest.raises(Invalid, match="no folder"):
        await mirror.sync()
    mirror.choose('INBOX"\r\nA1 LOGOUT')
    with pytest.raises(Invalid, match="not the name"):
        await mirror.sync()


async def test_a_password_that_is_no_longer_valid_and_a_server_that_is_gone(
    mirror: Mirror, place: MailPlace
) -> None:
    await mirror.sync()
    wrong_password = Mirror(
        mirror.connector, Access(place.fields, ("INBOX",), {"password": "other"})
    )
    with pytest.raises(NeedsAuth, match="app password"):
        await wrong_password.sync()
    unreachable = Access({"host": "127.0.0.1:1", "user": USER}, ("INBOX",), {"password": "x"})
    with pytest.raises(Unavailable):
        await mirror.connector.account(unreachable)


async def test_a_private_address_is_not_connected_to(place: MailPlace) -> None:
    guarded = ImapConnector([], tls=place.server.tls)
    with pytest.raises(Invalid, match="public internet"):
        await guarded.account(Access(place.fields, (), {"password": "x"}))


async def test_a_self_signed_certificate_is_refused(place: MailPlace) -> None:
    strict = ImapConnector(["127.0.0.1"])
    with pytest.raises(Invalid, match="certificate"):
        await strict.account(Access(place.fields, (), {"password": "x"}))


def test_ranges_and_names() -> None:
    assert parse_ranges("1:3,7,9:8") == [1, 2, 3, 7, 8, 9]
    assert format_ranges({9, 1, 3, 2}) == "1:3,9"
    assert decode_folder_name("Entw&APw-rfe &- &AAA") == "Entwürfe & &AAA"
    with pytest.raises(Unavailable):
        parse_ranges("1:99999999999")
