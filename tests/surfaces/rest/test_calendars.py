"""A calendar program reads what is due at a secret address, and nothing else."""

from datetime import UTC, date, datetime
from typing import Any

import httpx2
import pytest
from icalendar import Calendar

from tests.conftest import Person, Server

URL = "/v3/calendars"
LONG = (
    "Pack for the trip: passport; tickets, the blue bag\\case\nund die grüne Jacke – "
    + "傘と長靴も忘れずに。" * 12
)


def make(person: Person, **more: str) -> dict[str, Any]:
    return person.post(URL, {"name": "What is due", **more}).json()


def read(url: str) -> Calendar:
    reply = httpx2.get(url)
    assert reply.status_code == 200, reply.text
    assert reply.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert reply.content.endswith(b"\r\n")
    assert all(len(line) <= 75 for line in reply.content.split(b"\r\n"))
    return Calendar.from_ical(reply.content)


def events(url: str) -> dict[str, Any]:
    return {str(event["SUMMARY"]): event for event in read(url).walk("VEVENT")}


def say(person: Person, content: str, **more: Any) -> str:
    return person.post("/api/memories", {"content": content, **more}).json()["id"]


def test_moments_days_and_long_texts(person: Person) -> None:
    say(person, "Dentist on 19 March 2099 at 8:15.")
    say(person, "Pay the rent by 3 December 2098.", saidAt="2098-11-20T09:00:00-05:00")
    say(person, "Renew the passport by 4 May 2097.", saidAt="2097-01-02T09:00:00+09:00")
    say(person, LONG, dueAt="2099-01-02T03:04:05Z")
    calendar = read(make(person)["url"])
    assert (calendar["VERSION"], calendar["X-WR-CALNAME"]) == ("2.0", "What is due")
    found = {str(event["SUMMARY"])[:5]: event for event in calendar.walk("VEVENT")}
    assert found["Denti"].decoded("DTSTART") == datetime(2099, 3, 19, 8, 15, tzinfo=UTC)
    assert found["Pay t"].decoded("DTSTART") == date(2098, 12, 3)
    assert found["Renew"].decoded("DTSTART") == date(2097, 5, 4)
    assert found["Renew"].decoded("DTEND") == date(2097, 5, 5)
    assert str(found["Pack "]["DESCRIPTION"]) == LONG
    assert all(event.decoded("DTSTAMP").tzinfo for event in found.values())


def test_a_new_version_is_the_same_event_and_what_is_done_or_gone_disappears(
    person: Person,
) -> None:
    url = make(person)["url"]
    first = say(person, "Call the plumber on 7 June 2099.")
    [before] = events(url).values()
    person.http.put(f"/api/memories/{first}", json={"content": "Call the plumber on 9 June 2099."})
    [after] = events(url).values()
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after.decoded("DTSTART") == date(2099, 6, 9)
    current = person.http.get("/api/memories").json()["memories"][0]["id"]
    person.http.put(f"/api/memories/{current}", json={"context": {"done": "yes"}})
    assert events(url) == {}
    say(person, "Concert on 5 July 2099 (cancelled).")
    assert events(url) == {}
    other = say(person, "Water the plants on 1 August 2099.")
    assert len(events(url)) == 1
    person.http.delete(f"/api/memories/{other}")
    assert events(url) == {}


def test_only_one_project_and_only_its_own_person(person: Person, stranger: Person) -> None:
    say(person, "Oil the hinges.", project="house", dueAt="2099-05-02T09:00:00Z")
    say(person, "Ship the release.", project="work", dueAt="2099-05-03T09:00:00Z")
    say(stranger, "See a lawyer.", dueAt="2099-05-04T09:00:00Z")
    assert list(events(make(person, project="house")["url"])) == ["Oil the hinges."]
    assert len(events(make(person)["url"])) == 2


def test_the_secret_opens_nothing_else_and_ends_when_it_is_revoked(
    person: Person, server: Server
) -> None:
    say(person, "Dentist on 19 March 2099.")
    made = make(person)
    secret = made["url"].rsplit("/", 1)[1].removesuffix(".ics")
    for headers in ({"Authorization": f"Bearer {secret}"}, {"X-API-Key": secret}):
        assert httpx2.get(f"{server.url}/v3/whoami", headers=headers).status_code == 401
    listed = person.http.get(URL).json()["calendars"]
    assert [item["id"] for item in listed] == [made["id"]]
    assert secret not in str(listed)
    unchanged = httpx2.get(
        made["url"], headers={"If-None-Match": httpx2.get(made["url"]).headers["ETag"]}
    )
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    wrong = (f"{made['url'][:-4]}x.ics", made["url"][:-4], f"{server.url}/calendar/.ics")
    assert [httpx2.get(url).status_code for url in wrong] == [404, 404, 404]
    assert person.http.delete(f"{URL}/{made['id']}").status_code == 204
    assert httpx2.get(made["url"]).status_code == 404
    assert person.http.delete(f"{URL}/{made['id']}").status_code == 404


def test_a_former_member_reads_nothing_more(person: Person, stranger: Person) -> None:
    organization = person.post("/v3/organizations", {"name": "Choir"}).json()["id"]
    members = f"/v3/organizations/{organization}/members"
    person.post(members, {"email": stranger.email, "role": "member"})
    key = stranger.http.post(
        "/v3/api-keys",
        json={"name": "k", "scopes": ["read", "write"], "organization_id": organization},
    ).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    address = f"{stranger.http.base_url}".rstrip("/")
    made = httpx2.post(f"{address}{URL}", json={"name": "Due"}, headers=headers).json()
    assert events(made["url"]) == {}
    person.http.delete(members, params={"user_id": stranger.user_id})
    assert httpx2.get(made["url"]).status_code == 404


@pytest.mark.parametrize("scopes", [["write"], ["read"]])
def test_a_key_that_may_not_read_and_write_makes_none(person: Person, scopes: list[str]) -> None:
    key = person.post("/v3/api-keys", {"name": "k", "scopes": scopes}).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    address = f"{person.http.base_url}".rstrip("/")
    reply = httpx2.post(f"{address}{URL}", json={"name": "Due"}, headers=headers)
    assert reply.status_code == 403


def test_reads_are_counted(person: Person, server: Server) -> None:
    url = make(person)["url"]
    statuses = {httpx2.get(url).status_code for _ in range(25)}
    assert statuses == {200, 429}
