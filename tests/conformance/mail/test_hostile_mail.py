"""Hostile mail and hostile servers: each affects at most its own item, and takes little time."""

import base64
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from remem.adapters.connectors.mail import dial
from remem.adapters.connectors.mail.imap import ImapConnector
from remem.adapters.connectors.mail.threads import Head, conversations, parse_message_ids
from remem.adapters.connectors.mail.turns import Conversation
from remem.adapters.connectors.mail.wire import parse_answers, parse_parts
from remem.core.connections.connect import connect
from remem.core.connections.manage import get_connection, list_items
from remem.core.connections.model import NewConnection
from remem.core.connections.sync import sync_connection
from remem.core.connectors.model import Access
from remem.core.documents.process import process_document
from remem.core.errors import Unavailable, Unreadable
from remem.core.ports import Ports
from remem.core.scope import Scope
from tests.conformance.test_hostile_files import zip_bomb
from tests.tools.idle_queue import IdleQueue
from tests.tools.imap_server import scripted_imap_server
from tests.tools.mirror import Mirror
from tests.tools.places import MailPlace

pytestmark = pytest.mark.anyio

ADA = b"From: Ada <ada@example.org>\r\n"
PLAIN = b"The kettle is blue.\r\n"


def nested(depth: int) -> bytes:
    """A message with multiparts inside each other and a text in the innermost one."""
    head = b"Subject: %d deep\r\nMIME-Version: 1.0\r\n" % depth
    for level in range(depth):
        head += b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
    closing = b"".join(b"--b%d--\r\n" % level for level in reversed(range(depth)))
    return head + b"Content-Type: text/plain\r\n\r\nInmost.\r\n" + closing


def attached(name: bytes, data: bytes) -> bytes:
    head = b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    text = b"--b\r\nContent-Type: text/plain\r\n\r\nSee this.\r\n"
    kind = b"--b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n"
    disposition = b'Content-Disposition: attachment; filename="' + name + b'"\r\n\r\n'
    return ADA + head + text + kind + disposition + base64.encodebytes(data) + b"--b--\r\n"


# Name: the message, and the text that is read from it, or None when it is skipped.
MESSAGES: dict[str, tuple[bytes, str | None]] = {
    "a subject of 10 MB": (
        b"Subject: " + b"x " * 5_000_000 + b"\r\n" + ADA + b"\r\n" + PLAIN, "blue",
    ),
    "parts a thousand deep": (nested(1_000), None),
    "parts thirty deep": (nested(30), "Inmost."),
    "100,000 recipients": (
        ADA + b"To: " + b",\r\n ".join(b"<p%d@example.org>" % n for n in range(100_000))
        + b"\r\n\r\n" + PLAIN,
        "blue",
    ),
    "a charset that nobody knows": (
        ADA + b"Content-Type: text/plain; charset=martian-7\r\n\r\n" + PLAIN, "blue",
    ),
    "a charset that runs code": (
        ADA + b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n" + PLAIN, "blue",
    ),
    "bytes of another charset": (
        ADA + b"Content-Type: text/plain; charset=utf-8\r\n\r\nThe caf\xe9 is blue.\r\n", "The caf",
    ),
    "a broken encoding": (
        ADA + b"Content-Transfer-Encoding: base64\r\n\r\nVGhlIGtldHRsZSBpcyBibHVl*!\r\n", "blue",
    ),
    "names in a circle": (
        ADA + b"Message-ID: <a@b>\r\nReferences: <c@d> <a@b>\r\nIn-Reply-To: <a@b>\r\n\r\n" + PLAIN,
        "blue",
    ),
    "the other end of the circle": (
        ADA + b"Message-ID: <c@d>\r\nReferences: <a@b>\r\n\r\nIt is round.\r\n", "It is round.",
    ),
    "a million references": (
        ADA + b"References: " + b"\r\n ".join(b"<%d@x>" % n for n in range(100_000))
        + b"\r\n\r\nMany names.\r\n",
        "Many names.",
    ),
    "the year 9999": (ADA + b"Date: Fri, 31 Dec 9999 23:59:59 -1400\r\n\r\nLate.\r\n", "Late."),
    "the year 0": (ADA + b"Date: Mon, 01 Jan 0000 00:00:00 +9999\r\n\r\nEarly.\r\n", "Early."),
    "a date of words": (ADA + b"Date: " + b"Mon, " * 50_000 + b"\r\n\r\nWords.\r\n", "Words."),
    "encoded words without an end": (
        ADA + b"Subject: " + b"=?utf-8?q?" * 1_000 + b"\r\n\r\nEncoded.\r\n", "Encoded.",
    ),
    "brackets without an end": (
        b"From: " + b"<" * 9_000 + b"(" * 9_000 + b"\r\n\r\nBrackets.\r\n", "Brackets.",
    ),
    "quotes without an end": (ADA + b"\r\n" + b">" * 900_000 + b"\r\n", ">"),
    "lines that are all alike": (ADA + b"\r\n" + b"From: x\r\n" * 100_000, "From: x"),
    "HTML that nests": (
        ADA + b"Content-Type: text/html\r\n\r\n" + b"<div>" * 50_000 + b"<p>Nested.", "Nested.",
    ),
    "10,000 empty parts": (
        ADA + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + b"--b\r\n\r\n" * 10_000,
        None,
    ),
    "nothing": (b"\r\n", None),
}  # fmt: skip


@pytest.fixture
def mirror(mirror: Mirror) -> Mirror:
    mirror.access = replace(
        mirror.access, settings={**mirror.access.settings, "attachments": "yes"}
    )
    return mirror


async def test_hostile_messages_do_not_affect_the_others(mirror: Mirror, place: MailPlace) -> None:
    for data, _ in MESSAGES.values():
        place.append(data)
    place.append(ADA + b"\r\nThe last one is as any other.\r\n")
    started_s = time.monotonic()
    await mirror.sync()
    text = "\n".join(mirror.texts)
    for name, (_, expected) in MESSAGES.items():
        assert expected is None or expected in text, name
    assert "as any other" in text
    skipped_count = sum(expected is None for _, expected in MESSAGES.values())
    assert len(mirror.skipped) == skipped_count, mirror.skipped
    assert time.monotonic() - started_s < 60
    talks = [talk for talk in mirror.items.values() if talk.kind == "talk"]
    assert all(len(str(talk.title)) <= 200 for talk in talks)
    assert all(talk.created_at is None or talk.created_at.year < 2100 for talk in talks)
    reads = mirror.reads
    await mirror.sync()
    assert mirror.reads == reads


async def test_a_zip_bomb_is_not_unpacked(
    ports: Ports, scope: Scope, place: MailPlace, tmp_path: Path
) -> None:
    zip_bomb(tmp_path / "plan.docx")
    place.append(attached(b"plan.docx", (tmp_path / "plan.docx").read_bytes()))
    place.append(ADA + b"\r\n" + PLAIN)
    connector = ImapConnector(["127.0.0.1"], tls=place.server.tls)
    store = replace(ports, connectors={"imap": connector}, queue=IdleQueue())  # type: ignore[arg-type]
    new = NewConnection("imap", {**place.fields, "attachments": "yes"}, place.chosen)
    id = (await connect(store, scope, new))[0].id
    await sync_connection(store, scope, id)
    _, runs = await get_connection(store, scope, id)
    assert (runs[0].outcome, runs[0].added) == ("done", 3)
    items, _ = await list_items(store, scope, id, False, None, 10)
    (file,) = [item.document_id for item in items if "#" in item.reference]
    assert file
    with pytest.raises(Unreadable, match="would unpack to 310 MB"):
        await process_document(store, scope, file)
    await connector.close()


# Servers


def listing(command: str) -> Iterator[bytes]:
    """Replies of a server with one folder and three messages."""
    upper = command.upper()
    if upper.startswith("EXAMINE"):
        yield b"* 3 EXISTS\r\n* OK [UIDVALIDITY 7] fine\r\n"
    elif "SEARCH" in upper:
        yield b"* SEARCH 1 2 3\r\n"
    elif upper.startswith("LIST"):
        yield b'* LIST () "/" INBOX\r\n'


def access(host: str) -> Access:
    return Access({"host": host, "user": "ada"}, ("INBOX",), {"password": "x"})


async def test_thread_ids_of_the_server_are_used() -> None:
    threads = {1: 10, 2: 10, 3: 11}

    def gmail(command: str) -> Iterator[bytes]:
        yield from listing(command)
        if "X-GM-THRID" in command:
            header_fields = b"Message-ID: <a@b>\r\nReferences: <same@b>\r\n\r\n"
            section = b"BODY[HEADER.FIELDS (MESSAGE-ID IN-REPLY-TO REFERENCES)]<0>"
            for uid, thread in threads.items():
                yield b"* %d FETCH (X-GM-THRID %d UID %d " % (uid, thread, uid)
                yield b'INTERNALDATE "17-Jul-2026 02:44:25 +0000" '
                yield section + b" {%d}\r\n%s)\r\n" % (len(header_fields), header_fields)

    with scripted_imap_server(gmail, "IMAP4rev1 X-GM-EXT-1") as (host, tls):
        connector = ImapConnector(["127.0.0.1"], tls=tls)
        page = await connector.walk(access(host), None)
        assert [item.revision for item in page.seen] == ["1", "INBOX/7/1:2"]
        await connector.close()


@pytest.mark.parametrize("trick", ["endless", "large", "long line"])
async def test_an_endless_response_ends_the_connection(
    trick: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dial, "ANSWER_BYTES", 1_000_000)
    monkeypatch.setattr("remem.adapters.connectors.mail.client.ANSWER_BYTES", 1_000_000)

    def hostile(command: str) -> Iterator[bytes]:
        yield from listing(command)
        if "FETCH" in command:
            if trick == "large":
                yield b"* 1 FETCH (UID 1 BODY[HEADER.FIELDS (X)] {2147483648}\r\n"
            while trick == "endless":
                yield b"* 1 FETCH (UID 1)\r\n" * 1_000
            while True:
                yield b"x" * 100_000

    with scripted_imap_server(hostile) as (host, tls):
        connector = ImapConnector(["127.0.0.1"], tls=tls)
        with pytest.raises(Unavailable, match="ended the connection"):
            await connector.walk(access(host), None)
        await connector.close()


@pytest.mark.parametrize(
    "response",
    [
        b"* 1 FETCH (UID 1 BODYSTRUCTURE " + b"(" * 100_000 + b"\r\n",
        b'* 1 FETCH (UID 1 BODYSTRUCTURE NIL X "unfinished\r\n',
        b"* 1 FETCH (UID 99999999999999999999)\r\n",
        b'* 1 FETCH (UID 1 INTERNALDATE "31-Dec-9999 23:59:59 -2359")\r\n',
        b'* 1 FETCH (UID 1 INTERNALDATE "no date")\r\n',
        b"* 1 FETCH )(\r\n",
    ],
)
async def test_a_malformed_response_is_not_a_failure(response: bytes) -> None:
    def odd(command: str) -> Iterator[bytes]:
        yield from listing(command)
        if "FETCH" in command:
            yield response

    with scripted_imap_server(odd) as (host, tls):
        connector = ImapConnector(["127.0.0.1"], tls=tls)
        page = await connector.walk(access(host), None)
        assert len(page.seen) == 3 and page.at is None
        await connector.close()


def test_body_structures_are_parsed() -> None:
    response = (
        b'1 (UID 5 BODYSTRUCTURE (("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 12 1 NIL NIL)'
        b'("application" "pdf" ("name*0" "long " "name*1" "name.pdf") NIL NIL "base64" 400 NIL'
        b' ("attachment" ("filename*" "utf-8\'\'caf%C3%A9.pdf")))'
        b' "mixed" ("boundary" "x" "a" "b" "c" "d" "e" "f" "g" "h") NIL NIL))'
    )
    (fields,) = parse_answers([response])
    plain, pdf = parse_parts(fields["BODYSTRUCTURE"])
    assert (plain.number, plain.kind, plain.size, plain.is_attached) == (
        "1",
        "text/plain",
        12,
        False,
    )
    assert (pdf.number, pdf.name, pdf.is_attached, pdf.is_base64) == ("2", "café.pdf", True, True)
    assert parse_answers([(b"1 (UID 5 BODY[1]<0> {3}", b"a)b"), b")"]) == [
        {"UID": b"5", "BODY[1]": b"a)b"}
    ]


def test_circular_references_are_one_conversation() -> None:
    ring = [
        Head(
            n,
            n,
            parse_message_ids(b"<%03d@x>" % n)[0],
            parse_message_ids(b"<%03d@x>" % ((n + 1) % 150)),
        )
        for n in range(150)
    ]
    assert [len(messages) for messages in conversations({"INBOX/1": ring})] == [150]
    assert conversations({"INBOX/1": [Head(1, 0), Head(2, 0)]})


def test_quotes_and_signatures_are_removed() -> None:
    conversation = Conversation()
    first = "Shall we meet at the old mill?\nI can bring the tea.\n\nBest,\nAda"
    assert conversation.own_text(first) == first
    outlook = (
        "At four, then.\n\n________________________________\nVon: Ada <ada@example.org>\n"
        "Gesendet: Montag, 1. Juni 2026 10:00\nAn: Bob\nBetreff: Tee\n\n" + first
    )
    assert conversation.own_text(outlook) == "At four, then."
    gmail = (
        "Good.\n\nOn Mon, Jun 1, 2026 at 10:00 AM Bob <bob@example.org>\nwrote:\n\n"
        "> At four, then.\n>\n>> Shall we meet at the old mill?\n"
    )
    assert conversation.own_text(gmail) == "Good."
    inline = "> Shall we meet at the old mill?\n\nYes.\n\n> I can bring the tea.\n\nPlease do."
    assert conversation.own_text(inline) == "Yes.\n\n\nPlease do."
    assert conversation.own_text("Thanks!\n-- \nBob\nTea house\n") == "Thanks!"
    # A message that consists only of quotes is kept.
    assert conversation.own_text("Please do.") == "Please do."
    assert conversation.own_text("> all quoted") == "> all quoted"
    assert Conversation().own_text("Bring these:\n- milk\n- tea") == "Bring these:\n- milk\n- tea"
