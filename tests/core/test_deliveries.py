"""Each morning page is sent once: by two workers, after a kill and failures, in any time zone."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from remem.adapters.delivery.mail import MailChannel
from remem.adapters.delivery.ntfy import NtfyChannel
from remem.adapters.delivery.webhook import WebhookChannel
from remem.core.connections.rotate import rotate_secrets
from remem.core.deliveries import delivery_store, send
from remem.core.deliveries.manage import (
    TARGETS,
    change_delivery,
    confirm_delivery,
    create_delivery,
    delivery_log,
    list_deliveries,
    send_test,
)
from remem.core.deliveries.model import Delivery, LoggedMessage, Timing
from remem.core.deliveries.send import schedule_deliveries, send_delivery
from remem.core.deliveries.times import day_there, next_time, next_try
from remem.core.delivery_ports import HandingOver, Letter, Target
from remem.core.documents.ingest import ingest
from remem.core.documents.model import Draft
from remem.core.errors import Conflict, Invalid, RateLimited
from remem.core.memories.model import MemoryDraft
from remem.core.memories.save import save_memory
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.time import now
from tests.conftest import Server, new_scope
from tests.core.scratch import new_store
from tests.tools.push_server import PushServer, push_server, verify
from tests.tools.smtp_server import MailServer, mail_server

pytestmark = pytest.mark.anyio

LOOPBACK = ("127.0.0.0/8",)
ZONE = "Europe/Berlin"
BERLIN = ZoneInfo(ZONE)
PAGE = "https://remem.example.org"


@pytest.fixture
def mailbox() -> Any:
    with mail_server() as server:
        yield server


@pytest.fixture
def push() -> Any:
    with push_server() as server:
        yield server


@pytest.fixture
async def store(
    server: Server, ports: Ports, mailbox: MailServer, push: PushServer
) -> AsyncIterator[Ports]:
    """A store of its own: the server's worker sends nothing of it."""
    channels = {
        "mail": MailChannel("127.0.0.1", mailbox.port, "none", None, None, "remem@mail.test"),
        "ntfy": NtfyChannel(LOOPBACK),
        "webhook": WebhookChannel(LOOPBACK),
    }
    async with new_store(server, ports) as opened:
        yield replace(opened, channels=channels)


@pytest.fixture
async def owner(store: Ports) -> Scope:
    scope = await new_scope(store)
    due = now().astimezone(BERLIN).replace(hour=12, minute=30, second=0, microsecond=0)
    await save_memory(store, scope, MemoryDraft("Dentist, second floor.", due_at=due))
    return scope


async def deliver_to(store: Ports, scope: Scope, channel: Any, address: str) -> Delivery:
    made = await create_delivery(
        store, scope, channel, (address, None), Timing("00:00", ZONE), PAGE
    )
    return made.delivery


async def make_due(store: Ports, scope: Scope, id: UUID, since: timedelta = timedelta()) -> None:
    async with store.db.transaction(scope) as tx:
        await delivery_store.change(tx, id, {"next_at": now() - since})


async def send_all(store: Ports, scope: Scope, id: UUID) -> list[LoggedMessage]:
    """Run the jobs of all messages that are due, as a worker does."""
    for message in await delivery_log(store, scope, id, 100):
        await send_delivery(store, scope, message.id)
    return await delivery_log(store, scope, id, 100)


async def set_message(store: Ports, scope: Scope, id: UUID, **values: Any) -> None:
    columns = ", ".join(f"{name} = ${n}" for n, name in enumerate(values, start=3))
    async with store.db.transaction(scope) as tx:
        await tx.execute(
            f"UPDATE delivery_messages SET {columns} WHERE tenant_id = $1 AND id = $2",
            id,
            *values.values(),
        )


async def test_two_workers_send_a_page_once(store: Ports, owner: Scope, push: PushServer) -> None:
    delivery = await deliver_to(store, owner, "ntfy", f"{push.url}/mornings")
    await make_due(store, owner, delivery.id)
    counts = await asyncio.gather(*(schedule_deliveries(store) for _ in range(4)))
    assert sum(counts) == 1
    [message] = await delivery_log(store, owner, delivery.id, 10)
    assert (message.status, message.day) == ("waiting", now().astimezone(BERLIN).date())
    push.answers.clear()
    workers = [asyncio.create_task(send_delivery(store, owner, message.id)) for _ in range(4)]
    await asyncio.to_thread(push.answers.wait, 0.3)
    push.answers.set()
    await asyncio.gather(*workers)
    [published] = push.published
    assert "Due today, or still open\n- 12:30: Dentist, second floor." in published["message"]
    assert published["click"] == f"{PAGE}/today"
    [message] = await send_all(store, owner, delivery.id)
    assert (message.status, message.attempts, message.reason) == ("sent", 1, None)
    # Due again on the same day, at another time: it was sent.
    await change_delivery(store, owner, delivery.id, Timing("23:59", ZONE), None)
    await make_due(store, owner, delivery.id)
    assert await schedule_deliveries(store) == 0
    assert len(push.published) == 1


@pytest.mark.parametrize(
    ("channel", "path", "status"),
    [("ntfy", "/mornings", "unclear"), ("webhook", "/hook", "sent"), ("mail", "", "unclear")],
)
async def test_a_killed_worker(
    store: Ports,
    owner: Scope,
    push: PushServer,
    mailbox: MailServer,
    monkeypatch: pytest.MonkeyPatch,
    *,
    channel: str,
    path: str,
    status: str,
) -> None:
    """It died after the receiver had everything, and before it said so. Only a webhook is repeated,
    with the same id."""
    delivery = await deliver_to(store, owner, channel, f"{push.url}{path}" if path else "a@b.org")
    if channel == "mail":
        await confirm(store, owner, delivery, mailbox)
    message = await send_test(store, owner, delivery.id)
    with monkeypatch.context() as patch:
        # What a process that is killed does with the result.
        patch.setattr(delivery_store, "end_attempt", _die)
        with pytest.raises(_KilledError):
            await send_delivery(store, owner, message.id)
    arrived = _arrived(push, mailbox)
    await send_delivery(store, owner, message.id)
    assert _arrived(push, mailbox) == arrived, "another worker waits for the lease"
    await set_message(store, owner, message.id, lease_until=now() - timedelta(seconds=1))
    await send_delivery(store, owner, message.id)
    [last, *_] = await delivery_log(store, owner, delivery.id, 10)
    assert last.status == status
    if channel == "webhook":
        assert len(push.ids) == 2 and len(set(push.ids)) == 1
    else:
        assert _arrived(push, mailbox) == arrived
        assert last.reason and "may have arrived" in last.reason


class _KilledError(Exception):
    pass


async def _die(*_: Any) -> bool:
    raise _KilledError


def _arrived(push: PushServer, mailbox: MailServer) -> int:
    return len(push.published) + len(push.called) + len(mailbox.letters)


async def test_a_worker_that_dies_before_it_hands_over_loses_nothing(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "ntfy", f"{push.url}/mornings")
    message = await send_test(store, owner, delivery.id)
    gone = now() - timedelta(hours=1)
    async with store.db.transaction(owner) as tx:
        assert await delivery_store.claim(tx, message.id, now(), gone)
    assert await schedule_deliveries(store) == 0, "its own job is still queued"
    async with store.db.transaction(owner) as tx:
        await tx.execute("DELETE FROM jobs WHERE tenant_id = $1")
    assert await schedule_deliveries(store) == 1
    await send_delivery(store, owner, message.id)
    assert len(push.published) == 1


async def test_a_failed_attempt_is_repeated_later_and_later(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "webhook", f"{push.url}/hook")
    message = await send_test(store, owner, delivery.id)
    push.statuses = [503] * 5
    waits = []
    for _ in range(5):
        await send_delivery(store, owner, message.id)
        await send_delivery(store, owner, message.id)
        [failed] = await delivery_log(store, owner, delivery.id, 10)
        assert failed.status == "waiting" and failed.next_try_at
        assert failed.reason == "127.0.0.1 refused it (status 503)."
        waits.append(round((failed.next_try_at - now()).total_seconds() / 60))
        await set_message(store, owner, message.id, next_try_at=now())
    assert waits == [1, 5, 15, 60, 180]
    await send_delivery(store, owner, message.id)
    [sent] = await delivery_log(store, owner, delivery.id, 10)
    assert (sent.status, sent.attempts, sent.reason) == ("sent", 6, None)
    assert len(push.called) == 1
    _, last = await list_deliveries(store, owner)
    assert last[delivery.id].status == "sent"


async def test_after_the_last_attempt_it_has_failed(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "webhook", f"{push.url}/hook")
    message = await send_test(store, owner, delivery.id)
    push.statuses = [500]
    await set_message(store, owner, message.id, attempts=5)
    [failed] = await send_all(store, owner, delivery.id)
    assert (failed.status, failed.next_try_at) == ("failed", None)
    assert failed.ended_at and failed.reason


async def test_a_day_that_was_missed_is_left_out(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "ntfy", f"{push.url}/mornings")
    await make_due(store, owner, delivery.id, timedelta(days=2))
    assert await schedule_deliveries(store) == 0
    [again], _ = await list_deliveries(store, owner)
    assert again.next_at and again.next_at > now()


async def test_nothing_to_say_is_not_sent(store: Ports, push: PushServer) -> None:
    scope = await new_scope(store)
    delivery = await deliver_to(store, scope, "ntfy", f"{push.url}/mornings")
    await make_due(store, scope, delivery.id)
    assert await schedule_deliveries(store) == 1
    [message] = await send_all(store, scope, delivery.id)
    assert message.status == "nothing" and not push.published


async def test_what_is_off_or_gone_is_not_sent(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "ntfy", f"{push.url}/mornings")
    await make_due(store, owner, delivery.id)
    await schedule_deliveries(store)
    await change_delivery(store, owner, delivery.id, None, is_on=False)
    [message] = await send_all(store, owner, delivery.id)
    assert (message.status, message.reason) == ("failed", "It was switched off.")
    await make_due(store, owner, delivery.id)
    assert await schedule_deliveries(store) == 0
    test = await send_test(store, owner, delivery.id)
    async with store.db.transaction(owner) as tx:
        await tx.execute("DELETE FROM members WHERE tenant_id = $1")
    await send_delivery(store, owner, test.id)
    assert not push.published


async def test_the_page_says_what_changed_a_year_ago_and_one_question(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    await save_memory(store, owner, MemoryDraft("I live in Paris."))
    await save_memory(store, owner, MemoryDraft("I moved to Berlin."))
    await ingest(store, owner, Draft("The ferry leaves at nine.", title="Timetable"))
    old = await ingest(store, owner, Draft("We planted the apple tree.", title="Garden"))
    then = now() - timedelta(days=365)
    async with store.db.transaction(owner) as tx:
        await tx.execute(
            "UPDATE documents SET created_at = $3 WHERE tenant_id = $1 AND id = $2",
            old.document.id,
            then,
        )
        await tx.execute(
            'UPDATE memories SET context = \'{"review": "pending"}\', confidence = 0.3,'
            " category = 'insight' WHERE tenant_id = $1 AND content = 'Dentist, second floor.'"
        )
    delivery = await create_delivery(
        store, owner, "webhook", (f"{push.url}/hook", None), Timing("07:30", ZONE), PAGE
    )
    assert delivery.secret and delivery.delivery.at == "07:30"
    await send_test(store, owner, delivery.delivery.id)
    await send_all(store, owner, delivery.delivery.id)
    [(headers, body)] = push.called
    assert verify(delivery.secret, headers, body)
    data = json.loads(body)["data"]
    assert {"before": "I live in Paris.", "now": "I moved to Berlin."} in data["changed"]
    assert "Timetable" in data["saved"] and "Garden" not in data["saved"]
    assert data["year_ago"]["title"] == "Garden"
    assert data["due"][0]["content"] == "Dentist, second floor."
    assert data["question"] == {"content": "Dentist, second floor.", "older": None}
    text = data["text"]
    assert "Changed since yesterday\n- I moved to Berlin. (was: I live in Paris.)" in text
    assert "A year ago\n- Garden: We planted the apple tree." in text
    assert text.endswith(f"{PAGE}/today")


# Mail is confirmed first


async def confirm(store: Ports, owner: Scope, delivery: Delivery, mailbox: MailServer) -> Delivery:
    await send_all(store, owner, delivery.id)
    letter = mailbox.letters[-1]
    return await confirm_delivery(store, owner, delivery.id, letter["Subject"].split(" ")[0])


async def test_a_mail_address_gets_only_a_code_until_it_is_confirmed(
    store: Ports, owner: Scope, mailbox: MailServer
) -> None:
    delivery = await deliver_to(store, owner, "mail", "you@example.org")
    await make_due(store, owner, delivery.id)
    assert await schedule_deliveries(store) == 0
    [message] = await send_all(store, owner, delivery.id)
    assert (message.kind, message.status) == ("code", "sent")
    assert "Dentist" not in mailbox.letters[0].get_content()
    with pytest.raises(Invalid, match="code"):
        await confirm_delivery(store, owner, delivery.id, "wrong")
    assert (await confirm(store, owner, delivery, mailbox)).is_confirmed
    assert await schedule_deliveries(store) == 1
    await send_all(store, owner, delivery.id)
    assert "Dentist, second floor." in mailbox.letters[-1].get_content()


async def test_a_code_cannot_be_guessed(store: Ports, owner: Scope, mailbox: MailServer) -> None:
    delivery = await deliver_to(store, owner, "mail", "you@example.org")
    for number in range(5):
        with pytest.raises(Invalid):
            await confirm_delivery(store, owner, delivery.id, f"x{number}")
    with pytest.raises(Conflict, match="Too many wrong codes"):
        await confirm(store, owner, delivery, mailbox)


async def test_codes_and_tests_are_counted(store: Ports, owner: Scope) -> None:
    with pytest.raises(RateLimited, match="requests an hour"):
        for number in range(11):
            await deliver_to(store, owner, "mail", f"someone{number}@example.org")


# Times


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


@pytest.mark.parametrize(
    ("after", "minute", "expected"),
    [
        ("2026-11-19T06:59", 420, "2026-11-19T07:00"),
        ("2026-11-19T07:00", 420, "2026-11-20T07:00"),
        ("2026-11-19T23:59", 0, "2026-11-20T00:00"),
        # Clocks go forward at 2:00, and back at 3:00.
        ("2026-03-28T12:00", 420, "2026-03-29T07:00"),
        ("2026-10-24T12:00", 420, "2026-10-25T07:00"),
    ],
)
def test_the_next_time(after: str, minute: int, expected: str) -> None:
    assert next_time(minute, BERLIN, berlin(after)) == berlin(expected)


def test_an_hour_that_is_left_out_or_happens_twice() -> None:
    half_past_two = 150
    left_out = next_time(half_past_two, BERLIN, berlin("2026-03-29T00:00"))
    assert left_out == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert day_there(left_out, BERLIN) == datetime(2026, 3, 29).date()
    twice = next_time(half_past_two, BERLIN, berlin("2026-10-25T00:00"))
    assert twice == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert next_time(half_past_two, BERLIN, twice) == berlin("2026-10-26T02:30")


def test_a_receiver_may_ask_for_a_longer_wait_up_to_a_limit() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert next_try(1, 1_800, moment) == moment + timedelta(minutes=30)
    assert next_try(1, 10.0**12, moment) == moment + timedelta(hours=3)
    assert next_try(6, None, moment) is None


# Keys


async def test_targets_are_sealed_again_with_a_new_key(
    store: Ports, owner: Scope, push: PushServer
) -> None:
    delivery = await deliver_to(store, owner, "ntfy", f"{push.url}/mornings")
    assert push.url.encode() not in delivery.target
    report = await rotate_secrets(store, (TARGETS,))
    assert (report.sealed, report.lost) == (1, 0)
    await send_test(store, owner, delivery.id)
    [message] = await send_all(store, owner, delivery.id)
    assert message.status == "sent"


async def test_an_attempt_that_takes_too_long_after_it_was_handed_over_is_not_repeated(
    store: Ports, owner: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        recognises_repeats = False

        def check(self, target: Target) -> None: ...

        async def send(self, target: Target, message: Letter, handing_over: HandingOver) -> None:
            await handing_over()
            await asyncio.Event().wait()

        async def close(self) -> None: ...

    monkeypatch.setattr(send, "SEND_S", 0.2)
    slow = replace(store, channels={"ntfy": Slow()})
    delivery = await deliver_to(slow, owner, "ntfy", "https://ntfy.example.org/mornings")
    await send_test(slow, owner, delivery.id)
    [message] = await send_all(slow, owner, delivery.id)
    assert message.status == "unclear"
