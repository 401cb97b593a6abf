"""Sessions over HTTP: opened, filled, read, closed, deleted; what they stand on may go."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from remem.core.answers.ask import ask
from remem.core.answers.reply import AskRequest
from remem.core.errors import Forbidden
from remem.core.ports import Ports
from remem.core.scope import Scope
from remem.core.sessions.manage import (
    delete_inactive_sessions,
    get_session,
    list_sessions,
    open_session,
)
from remem.core.sessions.model import NewSession, SessionChoice
from tests.conftest import Person
from tests.surfaces.rest.people import MakePerson
from tests.surfaces.rest.rows import change, rows_of

pytestmark = pytest.mark.anyio


def start(person: Person, **fields: Any) -> dict[str, Any]:
    reply = person.post("/api/sessions", fields)
    assert reply.status_code == 201, reply.text
    return reply.json()


def say(person: Person, session: str, content: str, **fields: Any) -> httpx2.Response:
    body = {"role": "user", "content": content, **fields}
    return person.post(f"/api/sessions/{session}/turns", body)


def read(person: Person, session: str, **params: Any) -> dict[str, Any]:
    reply = person.http.get(f"/api/sessions/{session}", params=params)
    assert reply.status_code == 200, reply.text
    return reply.json()


def remember(person: Person, content: str, **fields: Any) -> str:
    reply = person.post("/api/memories", {"content": content, **fields})
    assert reply.status_code == 201, reply.text
    return reply.json()["id"]


def test_turns_carry_what_was_recalled_and_used(keeper: Person) -> None:
    memory = remember(keeper, "The kettle stands on the blue shelf.")
    document = keeper.save("The whole recipe of the lemon cake.")["id"]
    session = start(keeper, agent="claude", project="kitchen")
    assert session["project"] == "kitchen" and session["turnCount"] == 0
    said = say(keeper, session["id"], "Where is the kettle?", recalled=[memory, document])
    assert said.status_code == 201, said.text
    say(keeper, session["id"], "On the blue shelf.", role="assistant", used=[memory])
    shown = read(keeper, session["id"])
    assert [turn["role"] for turn in shown["turns"]] == ["user", "assistant"]
    assert shown["turns"][0]["recalled"] == [memory, document]
    assert shown["turns"][1]["used"] == [memory]
    assert shown["title"] == "Where is the kettle?"
    assert shown["turnCount"] == 2


def test_a_session_is_opened_again_by_its_key_until_it_is_closed(keeper: Person) -> None:
    key = str(uuid4())
    first = start(keeper, key=key)
    again = keeper.post("/api/sessions", {"key": key})
    assert again.status_code == 200 and again.json()["id"] == first["id"]
    closed = keeper.post(f"/api/sessions/{first['id']}/close", {})
    assert closed.status_code == 200 and closed.json()["closedAt"]
    assert keeper.post(f"/api/sessions/{first['id']}/close", {}).json() == closed.json()
    refused = say(keeper, first["id"], "One more.")
    assert refused.status_code == 409 and refused.json()["code"] == "session_closed"
    assert start(keeper, key=key)["id"] != first["id"]


def test_sessions_are_listed_newest_first_page_by_page(keeper: Person) -> None:
    made = [start(keeper, agent=f"agent{n % 2}", project="a.b")["id"] for n in range(5)]
    keeper.post(f"/api/sessions/{made[0]}/close", {})

    def listed(**params: Any) -> dict[str, Any]:
        return keeper.http.get("/api/sessions", params=params).json()

    first = listed(limit=2, project="a.*")
    assert first["total"] == 5
    rest = listed(limit=10, project="a.*", cursor=first["next_cursor"])
    ids = [one["id"] for one in first["sessions"] + rest["sessions"]]
    assert ids == made[::-1]
    assert {one["id"] for one in listed(open=False)["sessions"]} == {made[0]}
    assert {one["id"] for one in listed(agent="agent1")["sessions"]} == set(made[1::2])


def test_turns_are_paged_in_the_order_they_were_said(keeper: Person) -> None:
    session = start(keeper)["id"]
    for number in range(5):
        assert say(keeper, session, f"Line {number}.").status_code == 201
    first = read(keeper, session, limit=3)
    rest = read(keeper, session, limit=3, cursor=first["next_cursor"])
    said = [turn["content"] for turn in first["turns"] + rest["turns"]]
    assert said == [f"Line {number}." for number in range(5)]
    assert rest["next_cursor"] is None


def test_a_memory_names_the_session_it_was_saved_in(keeper: Person) -> None:
    session, other = start(keeper)["id"], start(keeper)["id"]
    memory = remember(keeper, "Ada plays the cello on Sundays.", sessionId=session)
    remember(keeper, "The train to Lyon leaves at nine.", sessionId=other)
    listed = keeper.http.get("/api/memories", params={"session_id": session}).json()
    assert [one["id"] for one in listed["memories"]] == [memory]
    assert listed["memories"][0]["sessionId"] == session
    both = keeper.http.get("/api/memories", params={"session_id": session, "q": "cello"})
    assert both.status_code == 400
    assert keeper.http.delete(f"/api/sessions/{session}").status_code == 204
    kept = keeper.http.get(f"/api/memories/{memory}").json()
    assert kept["sessionId"] is None and kept["content"].startswith("Ada")


@pytest.mark.parametrize("how", ["soft", "hard"])
async def test_what_a_turn_stood_on_takes_its_words_along(
    how: str, keeper: Person, ports: Ports
) -> None:
    memory = remember(keeper, "The safe opens with the marigold song.")
    session = start(keeper)["id"]
    say(keeper, session, "How does it open?", recalled=[memory])
    say(keeper, session, "With the marigold song.", role="assistant", used=[memory])
    reply = keeper.http.delete(f"/api/memories/{memory}", params={"hard": how == "hard"})
    assert reply.status_code == 204
    question, answer = read(keeper, session)["turns"]
    assert question["content"] == "How does it open?" and not question["erased"]
    assert answer["content"] == "" and answer["erased"]
    turns = (await rows_of(ports, keeper.tenant_id))["turns"]
    assert "marigold" not in str(turns)


async def test_a_deleted_document_takes_the_words_of_turns_along(
    keeper: Person, ports: Ports
) -> None:
    document = keeper.save("The garden gate is painted heliotrope.")["id"]
    chunk = keeper.http.get(f"/v3/documents/{document}").json()["chunks"][0]["memory_id"]
    session = start(keeper)["id"]
    say(keeper, session, "Painted heliotrope.", role="assistant", used=[chunk])
    assert keeper.http.delete(f"/v3/documents/{document}").status_code == 204
    assert read(keeper, session)["turns"][0]["erased"]
    assert "heliotrope" not in str((await rows_of(ports, keeper.tenant_id))["turns"])


def test_a_turn_may_name_only_what_is_here(keeper: Person) -> None:
    session = start(keeper)["id"]
    reply = say(keeper, session, "Hello.", used=[str(uuid4())])
    assert reply.status_code == 404
    assert read(keeper, session)["turns"] == []
    assert say(keeper, session, "x" * 20_001).status_code == 400
    assert say(keeper, session, "Hello.", role="narrator").status_code == 400


def test_another_member_of_an_organization_sees_no_sessions(make_person: MakePerson) -> None:
    keeper, friend = make_person(), make_person()
    id = keeper.post("/v3/organizations", {"name": "Both"}).json()["id"]
    keeper.post(f"/v3/organizations/{id}/members", {"email": friend.email, "role": "admin"})

    def headers(person: Person) -> dict[str, str]:
        body = {"name": "org", "scopes": ["read", "write"], "organization_id": id}
        return {"Authorization": f"Bearer {person.post('/v3/api-keys', body).json()['key']}"}

    mine, theirs = headers(keeper), headers(friend)
    made = keeper.http.post("/api/sessions", json={"title": "Mine"}, headers=mine).json()
    address = f"/api/sessions/{made['id']}"
    assert keeper.http.get(address, headers=mine).status_code == 200
    assert friend.http.get(address, headers=theirs).status_code == 404
    assert friend.http.get("/api/sessions", headers=theirs).json()["total"] == 0
    assert friend.http.delete(address, headers=theirs).status_code == 404


async def test_a_full_session_says_so(keeper: Person, ports: Ports) -> None:
    session = start(keeper)["id"]
    await change(
        ports,
        keeper.tenant_id,
        "INSERT INTO turns (tenant_id, id, session_id, role, content)"
        " SELECT $1, gen_random_uuid(), $2, 'user', 'said' FROM generate_series(1, 2000)",
        UUID(keeper.tenant_id),
        UUID(session),
    )
    refused = say(keeper, session, "One more.")
    assert refused.status_code == 409 and refused.json()["code"] == "session_full"


def test_a_program_records_by_a_key(keeper: Person) -> None:
    body = {"key": str(uuid4()), "agent": "mcp", "recorded": True}
    first, again = keeper.post("/api/sessions", body), keeper.post("/api/sessions", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json()["recorded"] and again.json()["id"] == first.json()["id"]


async def test_where_recording_is_off_only_asked_for_sessions_are_kept(
    ports: Ports, scope: Scope
) -> None:
    silent = replace(ports, records_sessions=False)
    with pytest.raises(Forbidden):
        await open_session(silent, scope, NewSession(is_recorded=True))
    assert (await ask(silent, scope, AskRequest("Where is the ladder?"))).session_id is None
    made, _ = await open_session(silent, scope, NewSession())
    body = await ask(silent, scope, AskRequest("Where is it?", session_id=made.id))
    assert body.session_id == made.id
    assert (await get_session(silent, scope, made.id)).turn_count == 2


async def test_recorded_sessions_are_erased_after_silent_days(ports: Ports, scope: Scope) -> None:
    kept, _ = await open_session(ports, scope, NewSession())
    old, _ = await open_session(ports, scope, NewSession(is_recorded=True))
    new, _ = await open_session(ports, scope, NewSession(is_recorded=True))
    await change(
        ports,
        str(scope.tenant_id),
        "UPDATE sessions SET updated_at = now() - interval '200 days' WHERE id = ANY($1)",
        [kept.id, old.id],
    )
    assert await delete_inactive_sessions(ports, scope) == 1
    found = await list_sessions(ports, scope, SessionChoice(), None, 10)
    assert {one.id for one in found.sessions} == {kept.id, new.id}
