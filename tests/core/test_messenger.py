"""Exports of messengers are conversations, in every form and locale."""

from datetime import UTC, datetime

import pytest

from remem.adapters.extractors import talk
from remem.core.chunking.messenger import messages_of
from remem.core.chunking.split import split
from remem.core.documents.distil import passages_of
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.documents.read import get_document
from remem.core.ports import Ports
from remem.core.scope import Scope

# Each line begins with the time 2026-11-02 17:03 in another form.
STAMPS = {
    "android de": "02.11.26, 17:03 - {}: ",
    "android en-us": "11/2/26, 5:03\u202fPM - {}: ",
    "android en-gb": "02/11/2026, 17:03 - {}: ",
    "android en-in": "02/11/26, 5:03 pm - {}: ",
    "android es": "2/11/26 5:03 p.\u00a0m. - {}: ",
    "android fr": "02/11/2026 à 17:03 - {} : ",
    "android nl": "02-11-2026 17:03 - {}: ",
    "android sv": "2026-11-02 17:03 - {}: ",
    "android fi": "2.11.2026 klo 17.03 - {}: ",
    "android hu": "2026. 11. 02. 17:03 - {}: ",
    "android ko": "2026년 11월 2일 오후 5:03, {} : ",
    "android zh": "2026/11/2 下午5:03 - {}: ",
    "android ja": "2026/11/02 17:03 - {}: ",
    "android ar": "٢‏/١١‏/٢٠٢٦, ٥:٠٣ م - {}: ",
    "android th": "2/11/2569 17:03 - {}: ",
    "android vi": "17:03, 02/11/2026 - {}: ",
    "ios de": "[02.11.26, 17:03:00] {}: ",
    "ios en-us": "\u200e[11/2/26, 5:03:00\u202fPM] {}: \u200e",
    "ios en-gb": "[02/11/2026, 17:03:00] {}: ",
    "ios da": "[02.11.2026 17.03.00] {}: ",
    "ios zh": "[2026/11/2 下午5:03:00] {}: ",
    "ios named month": "[2 Nov 2026 at 5:03:00 PM] {}: ",
    "signal": "[2026-11-02 17:03] {}: ",
    "telegram": "{}, [02.11.2026 17:03]\n",
    "telegram with seconds": "{}, [02.11.26 17:03:00]:\n",
}
MOMENT = datetime(2026, 11, 2, 17, 3, tzinfo=UTC)


@pytest.mark.parametrize("names", [("Anna Bauer", "Tom"), ("Mum 💕", "+49 170 1234567")])
@pytest.mark.parametrize("form", STAMPS)
def test_messages_of_every_form(form: str, names: tuple[str, str]) -> None:
    first, second = (STAMPS[form].format(name) for name in names)
    # Later days decide whether the day or the month comes first.
    text = f"{first}The boiler leaks.\nBadly.\n{second}I call the plumber.\n"
    pieces = split(text)
    assert [piece.speaker for piece in pieces] == [*names]
    assert [piece.said_at_s for piece in pieces] == [MOMENT.timestamp()] * 2
    assert "Badly." in pieces[0].content
    assert [text[message.said_from :].lstrip()[:6] for message in messages_of(text)] == [
        "\u200eThe b" if "\u200e[" in first else "The bo",
        "\u200eI cal" if "\u200e[" in first else "I call",
    ]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("2/3/26", "14/3/26"), ("2026-03-02", "2026-03-14")),
        (("2/3/26", "2/14/26"), ("2026-02-03", "2026-02-14")),
        (("12/1/26", "1/2/26", "3/2/26"), ("2026-01-12", "2026-02-01", "2026-02-03")),
    ],
)
def test_the_whole_export_decides_the_order_of_day_and_month(
    days: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    lines = [f"{day}, 17:03 - {'AB'[at % 2]}: Hello." for at, day in enumerate(days)]
    times = [message.at_s or 0 for message in messages_of("\n".join(lines))]
    assert tuple(datetime.fromtimestamp(at, UTC).date().isoformat() for at in times) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-02 17:03:45,120 - server - INFO: started\n2026-11-02 17:03:46 - db - ERROR: lost",
        "2026-11-02 17:03:45 - INFO: started\n2026-11-02 17:03:46 - WARNING: slow",
        "[2026-11-02 17:03:45] production.ERROR: lost\n[2026-11-02 17:03:46] production.INFO: ok",
        "[2026-11-02 17:03:45] nginx: started\n[2026-11-02 17:03:46] nginx: ready",
        "Dentist: 02.11.26, 17:03\nBring: the card",
        "02.11.26 - Tom: cake\n03.11.26 - Anna: tea",
    ],
)
def test_what_is_no_conversation(text: str) -> None:
    assert messages_of(text) == []


def test_the_json_of_telegram_is_a_conversation() -> None:
    messages = [
        {"id": 1, "type": "service", "date": "2026-11-02T17:00:00", "actor": "Anna"},
        {
            "id": 2,
            "type": "message",
            "date": "2026-11-02T17:03:00",
            "from": "Anna",
            "from_id": "user1",
            "text": ["Look at ", {"type": "link", "text": "heron.example"}, " now."],
        },
        {
            "id": 3,
            "type": "message",
            "date_unixtime": "1793639040",
            "from": "Tom",
            "from_id": "user2",
            "text": "I have moved.",
            "reply_to_message_id": 2,
        },
    ]
    extracted = talk.write({"name": "Anna", "type": "personal_chat", "messages": messages})
    assert extracted.content == "Anna: Look at heron.example now.\n\nTom: I have moved."
    assert [mark.label for mark in extracted.marks] == ["Anna", "Tom"]
    assert extracted.marks[0].number == MOMENT.timestamp()


@pytest.mark.anyio
async def test_an_export_is_saved_as_a_conversation(ports: Ports, scope: Scope) -> None:
    text = (
        "02.11.26, 17:01 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.\n"
        "02.11.26, 17:03 - Anna Bauer: I have moved to Graz.\n"
        "02.11.26, 17:04 - Tom hat die Gruppe verlassen\n"
        "03.11.26, 08:15 - Tom: My sister works at the mill.\nShe likes it.\n"
    )
    saved = await ingest(ports, scope, Draft(text))
    full = await get_document(ports, scope, saved.document.id)
    assert full.document.title == "Anna Bauer, Tom"
    assert full.document.metadata["category"] == "conversation"
    assert (
        full.document.summary == "I have moved to Graz. My sister works at the mill. She likes it."
    )
    assert [
        (passage.speaker, passage.text.strip(), passage.said_at)
        for passage in passages_of(full.document, full.chunks)
    ] == [
        ("Anna Bauer", "I have moved to Graz.", datetime(2026, 11, 2, 17, 3, tzinfo=UTC)),
        (
            "Tom",
            "My sister works at the mill.\nShe likes it.",
            datetime(2026, 11, 3, 8, 15, tzinfo=UTC),
        ),
    ]
