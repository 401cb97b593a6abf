"""Channels hand a message over once, and say truthfully what became of it."""

import json
import socket
import ssl
import time
from typing import Any

import pytest

from remem.adapters.delivery import mail
from remem.adapters.delivery.mail import MailChannel
from remem.adapters.delivery.ntfy import NtfyChannel
from remem.adapters.delivery.webhook import WebhookChannel
from remem.core.deliveries.target import new_target
from remem.core.delivery_ports import Letter, MayHaveArrived, NotDelivered, Target
from remem.core.errors import Invalid
from remem.core.time import new_id, now
from tests.tools.push_server import NTFY_TOKEN, PushServer, push_server, verify
from tests.tools.smtp_server import CREDENTIAL, MailServer, mail_server

pytestmark = pytest.mark.anyio

LOOPBACK = ("127.0.0.0/8",)
TEXT = "Due today\n- Zahnarzt um 8:15\n.a line with a dot\n- 歯医者"
URL = "https://r.test/today"
MESSAGE = Letter(new_id(), "morning", "Thursday, 19 November – ü", TEXT, {"due": []}, URL, now())


async def noted() -> None:
    """The moment from which the message may arrive."""


def channel_to(server: MailServer, **changes: Any) -> MailChannel:
    settings = {"security": "none", "user": None, "password": None, **changes}
    return MailChannel("127.0.0.1", server.port, sender="remem <remem@mail.test>", **settings)


async def send_mail(server: MailServer, **changes: Any) -> None:
    await channel_to(server, **changes).send(Target("you@example.org"), MESSAGE, noted)


# Mail


async def test_a_letter_arrives_as_it_was_written() -> None:
    with mail_server() as server:
        await send_mail(server)
        [letter] = server.letters
    assert letter.get_content().replace("\r\n", "\n").strip() == TEXT
    assert (letter["Subject"], letter["To"]) == (MESSAGE.title, "you@example.org")
    assert letter["From"] == "remem <remem@mail.test>"
    assert letter["Message-ID"] == f"<{MESSAGE.id.hex}@mail.test>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert server.recipients == ["you@example.org"]


async def test_it_is_encrypted_and_signed_in() -> None:
    user, password = CREDENTIAL
    with mail_server(starttls=True, needs_sign_in=True) as server:
        signed_in = {"user": user, "password": password, "security": "starttls"}
        await send_mail(server, **signed_in, tls=server.client_context)
        assert len(server.letters) == 1
        with pytest.raises(NotDelivered, match="no valid certificate"):
            await send_mail(server, **signed_in, tls=ssl.create_default_context())
        with pytest.raises(NotDelivered, match="refuses the user or the password"):
            wrong = {**signed_in, "password": "wrong"}
            await send_mail(server, **wrong, tls=server.client_context)
        assert len(server.letters) == 1


async def test_no_password_is_sent_where_encryption_is_not_offered() -> None:
    with mail_server(needs_sign_in=True) as server:
        with pytest.raises(NotDelivered, match="does not offer"):
            await send_mail(server, user="me", password="secret", security="starttls")
        assert not [line for line in server.commands if line.startswith("AUTH")]


@pytest.mark.parametrize(
    ("command", "reply", "is_final"),
    [
        ("RCPT", "550 no such user", True),
        ("RCPT", "451 greylisted, try again", False),
        (".", "554 looks like spam", True),
        (".", "452 disk full", False),
        ("DATA", "421 going down", False),
        ("MAIL", "", False),
    ],
)
async def test_a_refused_letter(command: str, reply: str, *, is_final: bool) -> None:
    with mail_server() as server:
        server.replies[command] = [reply]
        with pytest.raises(NotDelivered) as refused:
            await send_mail(server)
        assert not server.letters
    assert refused.value.is_final == is_final
    assert reply[4:] in refused.value.message


async def test_an_unanswered_letter_may_have_arrived(monkeypatch: pytest.MonkeyPatch) -> None:
    with mail_server() as server:
        server.replies["."] = [""]
        with pytest.raises(MayHaveArrived):
            await send_mail(server)
        monkeypatch.setattr(mail, "TIMEOUT_S", 0.3)
        server.answers.clear()
        with pytest.raises(MayHaveArrived):
            await send_mail(server)


async def test_a_mail_server_that_is_down() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        down = MailServer(port=closed.getsockname()[1])
        with pytest.raises(NotDelivered, match="could not be reached"):
            await send_mail(down)


@pytest.mark.parametrize(
    "address", ["no address", "a@b\r\nRCPT TO:<x@y.org>", "a b@c.org", "<a@b.org>", "a@b..org", ""]
)
def test_what_is_no_mail_address(address: str) -> None:
    with pytest.raises(Invalid):
        new_target("mail", address, None)


# ntfy


async def test_a_message_is_published() -> None:
    with push_server() as server:
        target = new_target("ntfy", f"{server.url}/mornings", None)
        await NtfyChannel(LOOPBACK).send(target, MESSAGE, noted)
        [published] = server.published
    assert published["topic"] == "mornings"
    assert (published["title"], published["message"]) == (MESSAGE.title, TEXT)
    assert published["click"] == MESSAGE.url


async def test_a_protected_topic_needs_its_token() -> None:
    with push_server() as server:
        server.protected.add("mine")
        channel, address = NtfyChannel(LOOPBACK), f"{server.url}/mine"
        await channel.send(new_target("ntfy", address, NTFY_TOKEN), MESSAGE, noted)
        with pytest.raises(NotDelivered, match=r"status 403: forbidden") as refused:
            await channel.send(new_target("ntfy", address, None), MESSAGE, noted)
        assert refused.value.is_final
        assert len(server.published) == 1


async def test_a_long_message_is_cut_between_characters() -> None:
    with push_server() as server:
        target = new_target("ntfy", f"{server.url}/mornings", None)
        long = Letter(new_id(), "morning", "t" * 900, "歯" * 3_000, {}, "https://r.test", now())
        await NtfyChannel(LOOPBACK).send(target, long, noted)
        [published] = server.published
    assert published["message"].endswith("歯…")
    assert len(published["message"].encode()) > 4_090


async def test_a_busy_server_says_when_to_try_again() -> None:
    with push_server() as server:
        server.statuses, server.headers = [429], {"Retry-After": "120"}
        target = new_target("ntfy", f"{server.url}/mornings", None)
        with pytest.raises(NotDelivered, match="429: not now") as refused:
            await NtfyChannel(LOOPBACK).send(target, MESSAGE, noted)
    assert (refused.value.is_final, refused.value.retry_after_s) == (False, 120)


@pytest.mark.parametrize(
    "path", ["", "/", "/a/b?x=1", "/with space", "/topic#part", "/" + "t" * 65]
)
def test_what_is_no_topic(path: str) -> None:
    with pytest.raises(Invalid, match="address"):
        new_target("ntfy", f"https://ntfy.example.org{path}", None)


# Webhooks


async def test_a_webhook_is_signed_over_its_body_and_time() -> None:
    with push_server() as server:
        target = new_target("webhook", f"{server.url}/hook/1", None)
        await WebhookChannel(LOOPBACK).send(target, MESSAGE, noted)
        [(headers, body)] = server.called
    assert verify(target.secret, headers, body)
    assert not verify(target.secret, {**headers, "webhook-timestamp": "1"}, body)
    assert not verify(target.secret, headers, body + b" ")
    assert not verify(new_target("webhook", server.url, None).secret, headers, body)
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    sent = json.loads(body)
    assert sent["type"] == "remem.morning"
    assert sent["data"] == {"title": MESSAGE.title, "text": TEXT, "url": MESSAGE.url, "due": []}


@pytest.mark.parametrize(("status", "is_final"), [(410, True), (404, False), (500, False)])
async def test_a_refused_webhook(status: int, *, is_final: bool) -> None:
    with push_server() as server:
        server.statuses = [status]
        target = new_target("webhook", f"{server.url}/hook", None)
        with pytest.raises(NotDelivered, match=f"status {status}") as refused:
            await WebhookChannel(LOOPBACK).send(target, MESSAGE, noted)
    assert refused.value.is_final == is_final


async def test_a_redirect_is_not_followed() -> None:
    with push_server() as server:
        server.statuses, server.headers = [307], {"Location": f"{server.url}/hook/other"}
        target = new_target("webhook", f"{server.url}/hook", None)
        with pytest.raises(NotDelivered, match="redirects") as refused:
            await WebhookChannel(LOOPBACK).send(target, MESSAGE, noted)
        assert refused.value.is_final
        assert not server.called


async def test_a_webhook_without_an_answer_may_have_arrived(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("remem.adapters.delivery.http.TIMEOUT_S", 0.3)
    with push_server() as server:
        server.answers.clear()
        target = new_target("webhook", f"{server.url}/hook", None)
        with pytest.raises(MayHaveArrived):
            await WebhookChannel(LOOPBACK).send(target, MESSAGE, noted)


# Private addresses


@pytest.fixture(params=[NtfyChannel, WebhookChannel])
def guarded(request: pytest.FixtureRequest) -> NtfyChannel | WebhookChannel:
    return request.param(())


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.8", "169.254.169.254", "[::1]", "0x7f000001"]
)
def test_a_private_address_is_refused_at_once(
    guarded: NtfyChannel | WebhookChannel, host: str
) -> None:
    with pytest.raises(Invalid, match="address"):
        guarded.check(Target(f"http://{host}/topic"))


async def test_a_name_of_a_private_address_is_refused_when_it_is_resolved(
    guarded: NtfyChannel | WebhookChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def to_loopback(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr("remem.adapters.fetch.dial.look_up", to_loopback)
    with push_server() as server:
        port = server.url.rpartition(":")[2]
        target = new_target("webhook", f"http://inside.example.org:{port}/hook", None)
        guarded.check(target)
        with pytest.raises(Invalid) as refused:
            await guarded.send(target, MESSAGE, noted)
        assert refused.value.code == "private_address"
        assert not _was_reached(server)


def _was_reached(server: PushServer) -> bool:
    return bool(server.called or server.published)
