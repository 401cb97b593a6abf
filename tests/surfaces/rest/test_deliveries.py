"""A person has the morning page sent, tries it, and reads what became of it."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import READABLE_HOST, Person, Server, new_person, start_server, stop_server
from tests.tools.push_server import PushServer, push_server, verify
from tests.tools.smtp_server import CREDENTIAL, MailServer, mail_server
from tests.tools.waiting import until

URL = "/v3/deliveries"


@pytest.fixture
def push() -> Iterator[PushServer]:
    with push_server(READABLE_HOST) as server:
        yield server


def add(person: Person, channel: str, address: str, **more: str) -> dict[str, Any]:
    reply = person.post(URL, {"channel": channel, "address": address, **more})
    assert reply.status_code == 201, reply.text
    return reply.json()


def log(person: Person, id: str) -> list[dict[str, Any]]:
    return person.http.get(f"{URL}/{id}/log").json()["messages"]


def test_a_webhook_is_made_tried_and_deleted(person: Person, push: PushServer) -> None:
    person.post("/api/memories", {"content": "Call the plumber.", "dueAt": _today_noon()})
    made = add(person, "webhook", f"{push.url}/hook/abcd", at="07:30", time_zone="Europe/Berlin")
    assert (made["at"], made["time_zone"], made["is_on"]) == ("07:30", "Europe/Berlin", True)
    assert made["address"] == f"{push.url[7:]}/…abcd"
    assert made["is_confirmed"] and made["last"] is None
    assert person.post(f"{URL}/{made['id']}/test", None).status_code == 202
    message = until(lambda: next((m for m in log(person, made["id"]) if m["ended_at"]), None))
    assert (message["kind"], message["status"], message["reason"]) == ("test", "sent", None)
    [(headers, body)] = push.called
    assert verify(made["secret"], headers, body)
    data = json.loads(body)["data"]
    assert data["due"][0]["content"] == "Call the plumber."
    assert data["url"] == f"{str(person.http.base_url).rstrip('/')}/today"
    [listed] = person.http.get(URL).json()["deliveries"]
    assert listed["last"]["status"] == "sent"
    assert made["secret"] not in json.dumps(listed)
    assert person.http.delete(f"{URL}/{made['id']}").status_code == 204
    assert person.http.get(f"{URL}/{made['id']}/log").status_code == 404


def test_the_log_says_why_and_when_again(person: Person, push: PushServer) -> None:
    push.statuses = [507]
    made = add(person, "ntfy", f"{push.url}/mornings")
    person.post(f"{URL}/{made['id']}/test", None)
    message = until(lambda: next((m for m in log(person, made["id"]) if m["reason"]), None))
    assert (message["status"], message["attempts"]) == ("waiting", 1)
    assert message["reason"] == f"{READABLE_HOST} refused it (status 507: not now)."
    assert message["next_try_at"] > message["created_at"]


def test_the_time_is_changed_and_it_is_switched_off(person: Person) -> None:
    made = add(person, "ntfy", "https://ntfy.example.org/mornings")
    path = f"{URL}/{made['id']}"
    changed = person.http.patch(path, json={"at": "06:05", "time_zone": "Asia/Tokyo"}).json()
    assert (changed["at"], changed["time_zone"]) == ("06:05", "Asia/Tokyo")
    assert changed["next_at"].endswith("21:05:00.000Z")
    assert person.http.patch(path, json={"is_on": False}).json()["is_on"] is False
    assert person.http.patch(path, json={"at": "06:05"}).status_code == 400


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"channel": "webhook", "address": "http://127.0.0.1:9/hook"}, "address"),
        ({"channel": "ntfy", "address": "http://169.254.169.254/topic"}, "address"),
        ({"channel": "webhook", "address": "http://localhost/hook"}, "address"),
        ({"channel": "webhook", "address": "ftp://example.org/hook"}, "address"),
        ({"channel": "webhook", "address": "https://me:word@example.org/hook"}, "address"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/"}, "address"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/t", "at": "7:30"}, "at"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/t", "at": "24:00"}, "at"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/t", "time_zone": "Mars"}, "time_zone"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/t", "time_zone": "../x"}, "time_zone"),
        ({"channel": "ntfy", "address": "https://ntfy.sh/t", "token": "a\nb"}, "token"),
        ({"channel": "webhook", "address": "https://x.org", "token": "abc"}, "token"),
        ({"channel": "pigeon", "address": "https://x.org"}, "channel"),
    ],
)
def test_what_is_refused(person: Person, body: dict[str, str], field: str) -> None:
    reply = person.post(URL, body)
    assert (reply.status_code, reply.json()["details"]["field"]) == (400, field), reply.text


def test_without_a_mail_server_there_is_no_mail(person: Person) -> None:
    assert person.http.get(URL).json()["channels"] == ["ntfy", "webhook"]
    reply = person.post(URL, {"channel": "mail", "address": person.email})
    assert (reply.status_code, reply.json()["code"]) == (409, "no_mail")


def test_others_neither_see_nor_use_them(person: Person, stranger: Person) -> None:
    made = add(person, "ntfy", "https://ntfy.example.org/mornings")
    path = f"{URL}/{made['id']}"
    assert stranger.http.get(URL).json()["deliveries"] == []
    replies = [
        stranger.http.get(f"{path}/log"),
        stranger.post(f"{path}/test", None),
        stranger.post(f"{path}/confirm", {"code": "1"}),
        stranger.http.patch(path, json={"is_on": False}),
        stranger.http.delete(path),
    ]
    assert [reply.status_code for reply in replies] == [404] * 5


# Mail


@pytest.fixture(scope="module")
def mailbox() -> Iterator[MailServer]:
    with mail_server(needs_sign_in=True) as server:
        yield server


@pytest.fixture(scope="module")
def mailing_server(
    mailbox: MailServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    user, password = CREDENTIAL
    folder: Path = tmp_path_factory.mktemp("mailing")
    server = start_server(
        folder,
        module="tests.tools.quick_passwords",
        REMEM_SMTP_HOST="127.0.0.1",
        REMEM_SMTP_PORT=str(mailbox.port),
        REMEM_SMTP_SECURITY="none",
        REMEM_SMTP_USER=user,
        REMEM_SMTP_PASSWORD=password,
        REMEM_SMTP_FROM="remem <remem@mail.test>",
    )
    yield server
    stop_server(server)


def test_mail_is_confirmed_by_a_code_and_then_sent(
    mailing_server: Server, mailbox: MailServer
) -> None:
    person = new_person(mailing_server)
    person.post("/api/memories", {"content": "Call the plumber.", "dueAt": _today_noon()})
    assert person.http.get(URL).json()["channels"] == ["mail", "ntfy", "webhook"]
    made = add(person, "mail", "me@example.org")
    assert (made["address"], made["secret"]) == ("me@example.org", None)
    assert not made["is_confirmed"]
    [letter] = until(lambda: mailbox.letters)
    assert "plumber" not in letter.get_content()
    code = re.search(r"\d{6}", letter["Subject"])
    assert code
    path = f"{URL}/{made['id']}"
    wrong = person.post(f"{path}/confirm", {"code": "12345x"})
    assert (wrong.status_code, wrong.json()["details"]["field"]) == (400, "code")
    assert person.post(f"{path}/confirm", {"code": code[0]}).json()["is_confirmed"]
    person.post(f"{path}/test", None)
    until(lambda: len(mailbox.letters) == 2)
    assert "Call the plumber." in mailbox.letters[1].get_content()
    assert mailbox.recipients == ["me@example.org"] * 2
    person.http.close()


def _today_noon() -> str:
    return f"{datetime.now(UTC).date()}T12:00:00Z"
